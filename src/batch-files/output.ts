import type { Totals } from './tally.js';

/** What is true once a text is written. */
export interface Point {
  readonly totals: Totals;
  /** Bytes of an older output that were taken over, where failed inputs are run again. */
  readonly copied: number;
}

/** Where the lines of a batch go. */
export interface Output {
  /**
   * Takes text that belongs together. `failed` is the input whose error line it is. A promise when more must not
   * come before it resolves; it rejects when the output cannot be written, as does everything after.
   */
  add(text: string | Buffer, point: Point, failed?: number): Promise<void> | undefined;
  /** Makes what was taken so far lasting. */
  keep(): Promise<void>;
  /** Writes what is owed and lets go. `done` tells that the batch has come to its end. */
  end(done: boolean): Promise<void>;
}
