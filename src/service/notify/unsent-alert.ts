import type { Notice } from './notice.js';
import type { NoticePart } from './notice-collector.js';

/** The run of an unsent alert. */
export interface UnsentRun {
  /** The batch that its lines belong to. */
  readonly batch: string;
  /** True for a run over the failed inputs of a finished output, which counts them again. */
  readonly retries: boolean;
  readonly endpoint: string;
  /** When it started, ISO 8601 UTC. */
  readonly at: string;
  readonly output: string | null;
  readonly resumed: boolean;
  readonly isNews: boolean;
  /** True for the first run under a name, whose items are recorded but not reported. */
  readonly isFirst: boolean;
  /** Items recorded before this run by the run that it resumes. */
  readonly known: number;
}

/** A line in an alert. */
export interface UnsentLine {
  /** The index of its input. */
  readonly input: number;
  readonly part: NoticePart;
}

/** What is stored of an alert until it has been sent. */
export interface UnsentAlert {
  readonly run: UnsentRun;
  /** Inputs whose lines are safe: the ones before this index. */
  readonly saved: number;
  readonly lines: readonly UnsentLine[];
  /** The alert while it is being sent; null while the run continues. */
  readonly notice: Notice | null;
}

/**
 * The port to unsent alerts, by the output or name that their runs share. A method's changes are on the disk when it
 * resolves. Each rejects with a `StorageError` if the store cannot be used.
 */
export interface UnsentAlertStore {
  read(key: string): Promise<UnsentAlert | null>;
  /** Starts the alert of a run, replacing what is stored under the key. */
  begin(key: string, run: UnsentRun): Promise<void>;
  /** Adds a line before it is written to the output. */
  add(key: string, line: UnsentLine): Promise<void>;
  /** Records that the lines of the inputs before this index are safe. */
  save(key: string, before: number): Promise<void>;
  /** Stores the alert being sent, replacing the lines. */
  seal(key: string, notice: Notice): Promise<void>;
  /** Removes a sent alert. */
  drop(key: string): Promise<void>;
}
