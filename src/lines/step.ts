import type * as z from 'zod';
import type { KnownOfList, ReadsOn } from '../../lib/batch/run-input.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { ItemSource } from '../../lib/read/item-source.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { SuppressedSubjects } from '../../lib/suppressions/suppressed-subjects.js';
import type { PageArchive } from '../../lib/web/page-archive.js';
import type { MediaRef } from '../files/media/media-items.js';
import type { OutputKind } from '../files/result-files/file-kind.js';
import type { RunAlert } from '../service/notify/run-alert.js';
import type { Line } from './line.js';
import type { KnownRows } from './memory/memory-rows.js';
import type { Observation } from './memory/observation.js';
import type { SeenObservation } from './memory/seen.js';

/** Where results may be worked on, with the name that messages give it. */
export const places = {
  call: 'single calls',
  batch: 'batches',
  area: 'areas',
  grid: 'grids',
  convert: 'conversions',
  job: 'jobs of a server',
  schedule: 'schedules of a server',
} as const;
export type Place = keyof typeof places;

/** An option of a step as data, from which each face makes a flag, a field or a parameter. */
export interface StepOption {
  /** Parses the text of a flag. Its message says what the value must be. */
  readonly shape: z.ZodType;
  /** The name of the value in help; a switch has none. */
  readonly value?: string;
  readonly help: string;
  /** The flag may be repeated; the value is a list. */
  readonly repeats?: true;
  /** Help of the flag that turns it off, such as `--no-history`. */
  readonly negation?: string;
  /** The option as a field of a job or a schedule; absent where a server has no such field. */
  readonly field?: StepField;
}

/** An option as a field of a job or a schedule on a server: true, or a text. */
export interface StepField {
  /** Checks the value. Its message continues “The field when”; its description is that of the API. */
  readonly schema: z.ZodType;
  /** The description in few words, for flags and assistants. */
  readonly brief: string;
  /** Label and hint in a form. */
  readonly label: string;
  readonly hint?: string;
  /** A line about a job that has it, whose text is the value by default, and about a schedule that has it not. */
  readonly line: { readonly title: string; readonly text?: string; readonly without?: string };
}

/** Values of options by name, as a face read them. */
export type StepValues = Readonly<Record<string, unknown>>;

/** What is known of a run before it begins. */
export interface PlannedRun {
  readonly place: Place;
  readonly endpoint: Endpoint;
  /** The run is on behalf of another party: what may take long is refused. */
  readonly isForeign: boolean;
  /** Every page of a list is read. */
  readonly all: boolean;
  /** The file that the results go to; null for a stream. */
  readonly output: { readonly file: string; readonly kind: OutputKind; readonly append: boolean } | null;
  /** An option as its user knows it, for messages: `--when`, or “The field when”. */
  nameOf(option: string): string;
}

/** What earlier runs saw under a name. */
export interface SeenMemory {
  known(observation: Observation): Promise<Pick<KnownRows, 'known' | 'observation'>>;
  remember(observations: readonly SeenObservation[]): Promise<void>;
  close(): Promise<void>;
}

/** A history that is open for a run. */
export interface HistoryMemory {
  /** Records what a run observed; resolves once it is safe. */
  record(run: string, observation: Observation): Promise<void>;
  close(): Promise<void>;
}

/** A folder for files that items name. */
export interface MediaSaver {
  save(found: readonly MediaRef[]): Promise<void>;
  summary(): string;
  /** Files that could not be saved. */
  failed(): number;
  close(): Promise<void>;
}

/** What a step must know again when its run is resumed. */
export interface Journal {
  /** The texts of the inputs whose lines an earlier process wrote. */
  readonly known: readonly string[];
  /** Adds texts of an input; resolves once they are on the disk. */
  add(index: number, texts: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** People and programs who hear of the items of a run. */
export interface Alerts {
  begin(run: StartedRun): Promise<Pick<RunAlert, 'apply' | 'saved' | 'end' | 'known'>>;
  close(): Promise<void>;
}

/** What a step takes from its surroundings while it runs. */
export interface StepPorts {
  readonly endpoint: Endpoint;
  /** The data directory. */
  readonly home: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: CallSignal;
  /** Opens what earlier runs saw under a name, for this run alone. */
  seen(name: string): Promise<SeenMemory>;
  history(file: string): Promise<HistoryMemory>;
  /** The same folder for every step that names it. */
  media(folder: string, maxMb: number): Promise<MediaSaver>;
  /** `news`: the name of the run, and whether its first items are reported as well. */
  alerts(
    targets: readonly string[],
    news: { readonly name: string; readonly first: boolean } | null,
  ): Promise<Alerts>;
  /** The journal of a step, by name; null for a run that cannot be resumed. */
  journal(name: string, run: StartedRun): Promise<Journal | null>;
  /** The subjects that are left out of results that exist; null for none. */
  suppressed(): Promise<SuppressedSubjects | null>;
  /** Lets other work of the process have its turn during a long calculation. */
  breathe?(): Promise<void>;
}

/** The sources of a line's items, in order; empty without any. */
export const parsedSources = ({ sources = '[]' }: Pick<Line, 'sources'>) =>
  JSON.parse(sources) as readonly ItemSource[];

/** A run whose output is open. */
export interface StartedRun {
  readonly id: string;
  /** Inputs whose lines an earlier process of the same run wrote. */
  readonly reached: number;
  /** The run may be resumed. */
  readonly isResumable: boolean;
  /** The run repeats the failed inputs of a finished output. */
  readonly retries: boolean;
}

/** How a run ended. */
export interface RunOutcome {
  /** False when inputs are left: it was stopped, or an error ended it. */
  readonly finished: boolean;
  readonly error: unknown;
}

/** A step of one run. */
export interface OpenStep {
  /** Decides after each page of a list whether the next one is read. */
  readonly readsOn?: ReadsOn;
  /** Items of a list that the step leaves out, whatever their own pages say. */
  readonly known?: KnownOfList;
  /** What a resumed run must repeat, by option. */
  readonly identity?: Readonly<Record<string, string | boolean>>;
  /** The output is open, and nothing was asked for yet. */
  begin?(run: StartedRun): Promise<void>;
  /** Slow work that leaves the line as it is: for several lines at once, before `apply`. */
  ahead?(line: Line): Promise<'done' | 'interrupted'>;
  /** The line as the `ahead` of later steps gets it; absent where `apply` depends on earlier lines. */
  preview?(line: Line): Line;
  /** The line after this step, in the order of the inputs. */
  apply?<Given extends Line>(line: Given): Given | Promise<Given>;
  /** The lines of the inputs before this index are safe: only now may anything about them be remembered. */
  saved?(before: number): Promise<void>;
  /** Sentences about the run for its summary. */
  summary?(): readonly string[];
  /** True where some of its work failed, as its summary says. */
  isPart?(): boolean;
  /** The output and the summary of the run are written. */
  end?(outcome: RunOutcome): Promise<void>;
  close?(): Promise<void>;
}

/** A step that a run requested. */
export interface RequestedStep {
  /** Calls must give the sources of their items. */
  readonly needsSources?: boolean;
  /** Parameters of calls whose input does not set them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** What an input of which it leaves nothing lacks, such as “a match”. */
  readonly lack?: string;
  /** Pages of a list follow each other even where only one was requested. */
  readonly follows?: boolean;
  /** Calls must be made by this machine: the step needs what stands on their pages. */
  readonly needsPages?: boolean;
  /** Opens what keeps every exchange of the run, before the first one. `close` gives a sentence about it. */
  openArchive?(clock: Clock): Promise<{ readonly pages: PageArchive; close(): Promise<string> }>;
  open(ports: StepPorts): OpenStep | Promise<OpenStep>;
}

/** Something that may be done to a line. A row of the table in steps.ts. `Read`: the values that it looks at, its own or not. */
export interface Step<Values = StepValues, Read = Values> {
  readonly name: string;
  readonly options: { readonly [Option in keyof Values]-?: StepOption };
  readonly places: readonly Place[];
  /**
   * Reads what a run requests of the step, before anything else happens; null for nothing. Throws `invalid_request`
   * errors for values that do not go together.
   */
  request(values: Read, run: PlannedRun): RequestedStep | null | Promise<RequestedStep | null>;
}
