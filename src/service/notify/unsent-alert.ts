import type { Notice } from './notice.js';
import type { NoticePart } from './notice-collector.js';

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
  /** Items recorded by the run that this one resumes. */
  readonly known: number;
}

export interface UnsentLine {
  readonly input: number;
  readonly part: NoticePart;
}

/** What is stored of an alert until it is sent. */
export interface UnsentAlert {
  readonly run: UnsentRun;
  /** Inputs before this index have safe lines. */
  readonly saved: number;
  readonly lines: readonly UnsentLine[];
  /** The notice while it is being sent; null while the run continues. */
  readonly notice: Notice | null;
}
