import type * as z from 'zod';
import type { KnownItemsOfList, ReadsOn } from '../../lib/batch/run-input.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { ItemSource } from '../../lib/read/item-source.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { SuppressedSubjects } from '../../lib/suppressions/suppressed-subjects.js';
import type { PageEvidence } from '../../lib/web/page-evidence.js';
import type { MediaRef } from '../files/media/media-items.js';
import type { OutputKind } from '../files/result-files/file-kind.js';
import type { RunAlert } from '../service/notify/run-alert.js';
import type { Line } from './line.js';
import type { KnownRows } from './memory/memory-rows.js';
import type { Observation } from './memory/observation.js';
import type { SeenObservation } from './memory/seen.js';

/** Where results can be processed, with the name used in messages. */
export const runKinds = {
  call: 'single calls',
  batch: 'batches',
  area: 'areas',
  grid: 'grids',
  convert: 'conversions',
  job: 'jobs of a server',
  schedule: 'schedules of a server',
} as const;
export type RunKind = keyof typeof runKinds;

/** An option of a step as data. Each interface derives its flag, field or parameter from it. */
export interface StepOption {
  /** Returns the parser of a flag's text, whose message says what it must be. A call without the flag builds none. */
  readonly shape: () => z.ZodType;
  /** The name of the value in help; a switch has none. */
  readonly value?: string;
  readonly help: string;
  /** The flag may be repeated; the value is a list. */
  readonly repeats?: true;
  /** Help of the flag that turns it off, such as `--no-history`. */
  readonly negation?: string;
  /** The option as a field of a job or a schedule; absent if a server has no such field. */
  readonly field?: StepField;
}

/** An option as a field of a job or a schedule on a server: true, or a text. */
export interface StepField {
  /** Returns the value's schema. Its message continues “The field when”; its description is the API's. */
  readonly schema: () => z.ZodType;
  /** A short description, for flags and assistants. */
  readonly brief: string;
  readonly label: string;
  readonly hint?: string;
  /** The line about a job with this option, whose text defaults to the value, and about a schedule without it. */
  readonly line: { readonly title: string; readonly text?: string; readonly without?: string };
}

export type StepValues = Readonly<Record<string, unknown>>;

export interface PlannedRun {
  readonly kind: RunKind;
  readonly endpoint: Endpoint;
  /** True if the run is on behalf of another party, for which slow operations are refused. */
  readonly isForeign: boolean;
  /** True if every page of a list is read. */
  readonly all: boolean;
  /** The file that the results are written to; null for a stream. */
  readonly output: { readonly file: string; readonly kind: OutputKind; readonly append: boolean } | null;
  /** Returns an option's name for messages: `--when`, or “The field when”. */
  nameOf(option: string): string;
}

export interface SeenMemory {
  lookUp(observation: Observation): Promise<Pick<KnownRows, 'state' | 'observation'>>;
  remember(observations: readonly SeenObservation[]): Promise<void>;
  close(): Promise<void>;
}

export interface HistoryMemory {
  /** Records what a run observed; resolves once it is safe. */
  record(run: string, observation: Observation): Promise<void>;
  close(): Promise<void>;
}

export interface MediaSaver {
  save(refs: readonly MediaRef[]): Promise<void>;
  summary(): string;
  failed(): number;
  close(): Promise<void>;
}

/** What a step must remember of an input. */
export type JournalEntry = Readonly<Record<string, unknown>> & { readonly index: number };

/** A step's memory for resumed runs. */
export interface Journal {
  readonly file: string;
  /** Adds an entry; resolves once it is on disk. */
  add(entry: JournalEntry): Promise<void>;
  /** Deletes the file of a finished run. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

export interface Alerts {
  begin(run: StartedRun): Promise<Pick<RunAlert, 'apply' | 'saved' | 'end' | 'known'>>;
  close(): Promise<void>;
}

export interface StepPorts {
  readonly endpoint: Endpoint;
  readonly home: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: CallSignal;
  /** Opens the memory under a name, exclusively for this run. */
  seenMemory(name: string): Promise<SeenMemory>;
  history(file: string): Promise<HistoryMemory>;
  /** Returns one saver per folder, shared by all steps that name it. */
  media(folder: string, maxMb: number): Promise<MediaSaver>;
  /** `onlyNew`: the name of the run, and whether its first items are reported as well. */
  alerts(
    targets: readonly string[],
    onlyNew: { readonly name: string; readonly first: boolean } | null,
  ): Promise<Alerts>;
  /**
   * Opens the journal of a step, by name; null for a run that cannot be resumed. `onKnown` receives the entries of the
   * inputs whose lines an earlier process wrote. `isOptional`: an earlier process may have left no journal.
   */
  journal(
    name: string,
    run: StartedRun,
    onKnown: (entry: JournalEntry) => void,
    isOptional?: boolean,
  ): Promise<Journal | null>;
  /** Opens the journal of the plain lines that the next stage of a chain reads; absent for any other run. */
  readonly plainLines?: ((run: StartedRun) => Promise<Journal>) | undefined;
  /** Returns the subjects omitted from existing results; null for none. */
  suppressed(): Promise<SuppressedSubjects | null>;
  /** Yields to other work of the process during a long calculation. */
  breathe?(): Promise<void>;
}

/** Parses the sources of a line's items, in order; empty without any. */
export const parsedSources = ({ sources = '[]' }: Pick<Line, 'sources'>) =>
  JSON.parse(sources) as readonly ItemSource[];

export interface StartedRun {
  readonly id: string;
  /** Inputs whose lines an earlier process of the same run wrote. */
  readonly writtenInputs: number;
  /** True if the run may be resumed. */
  readonly isResumable: boolean;
  /** True if the run repeats the failed inputs of a finished output. */
  readonly retries: boolean;
}

export interface RunOutcome {
  /** False if it was stopped or ended by an error, with inputs remaining. */
  readonly finished: boolean;
  readonly error: unknown;
}

export interface OpenStep {
  /** Decides after each page of a list whether to read the next one. */
  readonly readsOn?: ReadsOn;
  /** Items of a list that the step omits without regard to their own pages. */
  readonly knownItems?: KnownItemsOfList;
  /** Options that must be the same when the run is resumed. */
  readonly identity?: Readonly<Record<string, string | boolean>>;
  /** Called when the output is open, before the first request. */
  begin?(run: StartedRun): Promise<void>;
  /** Slow work that does not change the line, for several lines at a time, before `apply`. */
  ahead?(line: Line): Promise<'done' | 'interrupted'>;
  /** Returns the line as the `ahead` of later steps sees it; absent if `apply` depends on earlier lines. */
  preview?(line: Line): Line;
  /** Returns the line after this step, in the order of the inputs. */
  apply?<L extends Line>(line: L): L | Promise<L>;
  /** Called when the lines of all inputs before this index are safe. Nothing about a line may be remembered earlier. */
  saved?(before: number): Promise<void>;
  /** Returns sentences about the run for its summary. */
  summary?(): readonly string[];
  /** True if some of its work failed, as its summary says. */
  isPart?(): boolean;
  /** Called once the output and the summary are written. */
  end?(outcome: RunOutcome): Promise<void>;
  close?(): Promise<void>;
}

export interface RequestedStep {
  /** True if calls must return the sources of their items. */
  readonly needsSources?: boolean;
  /** Parameters of calls whose input does not set them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What an input lacks if the step leaves nothing of it, such as “a match”. */
  readonly lack?: string;
  /** True if pages of a list are followed even if only one was requested. */
  readonly follows?: boolean;
  /** True if this machine must make the calls, because the step needs their pages. */
  readonly needsPages?: boolean;
  /** Opens a store for every exchange of the run, before the first one. `close` returns a sentence about it. */
  openEvidence?(clock: Clock): Promise<{ readonly pages: PageEvidence; close(): Promise<string> }>;
  open(ports: StepPorts): OpenStep | Promise<OpenStep>;
}

/**
 * An operation on lines; a row of the table in steps.ts. `Read` has the option values that it reads, including other
 * steps' values.
 */
export interface Step<Values = StepValues, Read = Values> {
  readonly name: string;
  readonly options: { readonly [Option in keyof Values]-?: StepOption };
  readonly kinds: readonly RunKind[];
  request(values: Read, run: PlannedRun): RequestedStep | null | Promise<RequestedStep | null>;
}
