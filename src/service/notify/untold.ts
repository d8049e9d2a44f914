import type { Notice } from './notice.js';
import type { NoticePart } from './notice-collector.js';

/** The run whose alert is not told yet. */
export interface UntoldRun {
  /** The batch that its lines belong to. */
  readonly batch: string;
  /** True for a run over the failed inputs of a finished output, which counts them anew. */
  readonly retries: boolean;
  readonly endpoint: string;
  /** When it began, ISO 8601 UTC. */
  readonly at: string;
  readonly output: string | null;
  readonly resumed: boolean;
  readonly isNews: boolean;
  /** True for the first run under a name, whose items become known and are told to nobody. */
  readonly isFirst: boolean;
  /** Items that became known before this run, in one that it takes up. */
  readonly known: number;
}

/** A line that an alert tells of. */
export interface UntoldLine {
  /** The index of its input. */
  readonly input: number;
  readonly part: NoticePart;
}

/** What is kept of an alert until its targets are told. */
export interface Untold {
  readonly run: UntoldRun;
  /** Inputs whose lines are safe: those before this index. */
  readonly saved: number;
  readonly lines: readonly UntoldLine[];
  /** The alert as it is being told; null while the run goes on. */
  readonly notice: Notice | null;
}

/**
 * The port to alerts that nobody was told of yet, by the output or the name that their runs share. What a method wrote is
 * on the disk when it resolves. Each rejects with a `StorageError` when the store cannot be used.
 */
export interface UntoldStore {
  read(key: string): Promise<Untold | null>;
  /** Begins the alert of a run, in place of what stands under the key. */
  begin(key: string, run: UntoldRun): Promise<void>;
  /** Adds a line, before it is written to the output. */
  add(key: string, line: UntoldLine): Promise<void>;
  /** The lines of the inputs before this index are safe. */
  save(key: string, before: number): Promise<void>;
  /** Keeps the alert that is being told, in place of the lines. */
  seal(key: string, notice: Notice): Promise<void>;
  /** Everybody was told. */
  drop(key: string): Promise<void>;
}
