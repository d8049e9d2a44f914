import type * as z from 'zod';
import type { ReadsOn } from '../../lib/batch/run-input.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Line } from './line.js';

/** Where a result may be worked on: a single call, a batch of a command, a conversion of results, a job of a server. */
export type Place = 'call' | 'batch' | 'convert' | 'job';

/** An option of a step as data, from which each face makes a flag, a field or a parameter. */
export interface StepOption {
  /** Parses the text of a flag. Its message says what the value must be. */
  readonly shape: z.ZodType;
  /** The name of the value in help; a switch has none. */
  readonly value?: string;
  readonly help: string;
}

/** Values of options by name, as a face read them. */
export type StepValues = Readonly<Record<string, unknown>>;

/** What is known of a run before it begins. */
export interface PlannedRun {
  readonly endpoint: Endpoint;
  /** The run is on behalf of another party: what may take long is refused. */
  readonly isForeign: boolean;
  /** An option as its user knows it, for messages: `--when`, or “The field when”. */
  nameOf(option: string): string;
}

/** What a step takes from its surroundings while it runs. */
export interface StepPorts {
  readonly endpoint: Endpoint;
  /** The data directory. */
  readonly home: string;
  /** Lets other work of the process have its turn during a long calculation. */
  breathe?(): Promise<void>;
}

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
  open(ports: StepPorts): OpenStep | Promise<OpenStep>;
}

/** Something that may be done to a line. A row of the table in steps.ts. */
export interface Step<Values = StepValues> {
  readonly name: string;
  readonly options: { readonly [Option in keyof Values]-?: StepOption };
  readonly places: readonly Place[];
  /**
   * Reads what a run requests of the step, before anything else happens; null for nothing. Throws `invalid_request`
   * errors for values that do not go together.
   */
  request(values: Values, run: PlannedRun): RequestedStep | null | Promise<RequestedStep | null>;
}
