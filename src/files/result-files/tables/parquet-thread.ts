import { Worker } from 'node:worker_threads';
import type { CallSignal } from '../../../../lib/runtime/abort.js';
import { type Clock, minuteMs } from '../../../../lib/runtime/clock.js';
import { threadProgram } from '../../../../lib/runtime/package-root.js';

/** Maximum milliseconds for one group of rows. The largest, of 1 GB, takes a fraction of this. */
const maxGroupMs = 5 * minuteMs;

/** Maximum megabytes of objects in the thread. */
const maxHeapMb = 4096;

export type ParquetRow = Readonly<Record<string, unknown>>;

/** Rows by number, from zero. */
export type RowRange = readonly [from: number, to: number];

/** The columns and groups of a file. */
export interface ParquetFile {
  /** The column names, in order; a list of anything is one column. */
  readonly names: readonly string[];
  /** The names inside the column `own`. */
  readonly ownNames: readonly string[];
  /** The number of rows in each group. */
  readonly groups: readonly number[];
}

/** The thread's answer to a question. */
export type ParquetAnswer = { readonly value: unknown } | { readonly error: string };

/** What ends a reading early. */
export interface ReadingBounds {
  readonly signal: CallSignal;
  readonly clock: Clock;
}

/** A file read in a worker thread, which must be closed. */
export class ParquetThread {
  readonly #worker: Worker;
  readonly #bounds: ReadingBounds;

  constructor(path: string, bounds: ReadingBounds) {
    this.#bounds = bounds;
    this.#worker = new Worker(threadProgram('src/files/result-files/tables/parquet-thread-program'), {
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    // Attached even between requests, because an unhandled error of a worker ends the process.
    this.#worker.on('error', () => undefined);
  }

  file = (): Promise<ParquetFile> => this.#ask(null) as Promise<ParquetFile>;

  rows = (range: RowRange): Promise<ParquetRow[]> => this.#ask(range) as Promise<ParquetRow[]>;

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Throws the signal's reason, and a sentence for a file that is unreadable, or takes too much time or memory. */
  async #ask(question: RowRange | null): Promise<unknown> {
    const { signal, clock } = this.#bounds;
    const worker = this.#worker;
    signal.throwIfAborted();
    let release = () => {};
    try {
      const answer = await new Promise<ParquetAnswer>((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        const onError = (cause: unknown) =>
          reject(new Error('a group of its rows fills the memory', { cause }));
        const cancel = clock.alarm(maxGroupMs, () =>
          reject(new Error('a group of its rows takes longer than five minutes to read')),
        );
        signal.addEventListener('abort', onAbort);
        worker.once('message', resolve).once('error', onError);
        worker.postMessage(question);
        release = () => {
          cancel();
          signal.removeEventListener('abort', onAbort);
          worker.off('message', resolve).off('error', onError);
        };
      });
      if ('error' in answer) throw new Error(answer.error);
      return answer.value;
    } finally {
      release();
    }
  }
}
