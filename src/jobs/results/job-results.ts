import { type FileHandle, open, readFile } from 'node:fs/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { linkedAbort } from '../../../lib/runtime/abort.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { makeOnce } from '../../../lib/runtime/make-once.js';
import type { ResultsProgress } from '../job.js';
import type { JobStore } from '../job-store.js';
import { chunksAt, readAt } from './positioned.js';
import type { ResultsFiles } from './results-files.js';

/** Milliseconds after which a follower reads the store again: another process may run the job. */
const pollInterval = 1000;

/** The lines of a job as far as they are final. */
export interface OpenResults {
  /** Bytes that are there now. */
  readonly bytes: number;
  /** True when there will be no more. */
  readonly whole: boolean;
  /** Where the line of an input begins; null when it is not there yet. */
  offsetOf(line: number): Promise<number | null>;
  /** The bytes from one position to another. */
  read(from: number, to: number): AsyncGenerator<Buffer, void, undefined>;
  /** The lines of some inputs, in order, with their line feeds; only of results that are whole. */
  pick(lines: readonly number[]): AsyncGenerator<Buffer, void, undefined>;
  /** The lines from one on to the job's end, as they come. Throws when the signal is aborted. */
  follow(line: number, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
  /** To be called whatever becomes of the reading; again changes nothing. */
  close(): Promise<void>;
}

/** The results of jobs, for reading. */
export class JobResults {
  readonly #store: JobStore;
  readonly #files: ResultsFiles;
  readonly #nextProgress: (id: string) => Promise<void>;
  readonly #clock: Clock;

  /** `nextProgress` resolves when lines were added to a job. */
  constructor(
    store: JobStore,
    files: ResultsFiles,
    nextProgress: (id: string) => Promise<void>,
    clock: Clock,
  ) {
    this.#store = store;
    this.#files = files;
    this.#nextProgress = nextProgress;
    this.#clock = clock;
  }

  /** Opens the results of a job. Rejects `job_not_found`, `results_expired`. */
  async open(account: string, id: string): Promise<OpenResults> {
    const progress = () => this.#store.results(account, id);
    const now = await progress();
    const opened = makeOnce<FileHandle>(() => open(this.#files.lines(id), 'r'));
    let closed = false;
    // The file is made with the first line.
    const file = () => {
      if (closed) throw new Error('The results were closed.');
      return opened.get();
    };
    try {
      if (now.bytes > 0) await file();
    } catch (cause) {
      throw new ExtractError('internal_error', 'The results of the job cannot be read.', { cause });
    }
    const close = async () => {
      closed = true;
      await (await opened.take()?.catch(() => undefined))?.close();
    };
    const offsetOf = (line: number, { lines, bytes, total }: ResultsProgress) =>
      this.#offsetOf(id, line, { lines, bytes, total }, file);
    const changed = (signal: AbortSignal) => this.#changed(id, signal);
    return {
      bytes: now.bytes,
      whole: now.lines === now.total,
      offsetOf: (line) => offsetOf(line, now),
      async *read(from, to) {
        if (from < to) yield* chunksAt(await file(), from, to);
      },
      pick: (lines) => this.#pick(id, lines, file),
      async *follow(line, signal) {
        let position: number | null = null;
        for (;;) {
          signal.throwIfAborted();
          const change = changed(signal);
          // Awaited below, or not at all.
          change.catch(() => undefined);
          const reached = await progress();
          position ??= await offsetOf(line, reached);
          // Lines were lost and are made anew, of another length maybe: the follower asks again for what it lacks.
          if (position !== null && reached.bytes < position) throw new Error('The results were begun anew.');
          if (position !== null && position < reached.bytes) {
            yield* chunksAt(await file(), position, reached.bytes);
            position = reached.bytes;
          }
          if (reached.lines === reached.total) return;
          await change;
        }
      },
      close,
    };
  }

  /** Resolves when there may be more; rejects with the signal's reason. */
  async #changed(id: string, signal: AbortSignal): Promise<void> {
    const { controller: over, unlink } = linkedAbort(signal);
    try {
      await Promise.race([this.#nextProgress(id), this.#clock.sleep(pollInterval, over.signal)]);
    } finally {
      unlink();
      over.abort();
    }
  }

  async *#pick(
    id: string,
    lines: readonly number[],
    file: () => Promise<FileHandle>,
  ): AsyncGenerator<Buffer, void, undefined> {
    if (lines.length === 0) return;
    const ends = await readFile(this.#files.index(id));
    const endOf = (line: number) => (line < 0 ? 0 : ends.readDoubleLE(line * 8));
    for (const line of lines) {
      const from = endOf(line - 1);
      yield await readAt(await file(), endOf(line) - from, from);
    }
  }

  async #offsetOf(
    id: string,
    line: number,
    { lines, bytes, total }: Pick<ResultsProgress, 'lines' | 'bytes' | 'total'>,
    file: () => Promise<FileHandle>,
  ): Promise<number | null> {
    if (line === 0) return 0;
    if (line > lines) return null;
    if (line === lines) return bytes;
    if (lines === total) {
      const index = await open(this.#files.index(id), 'r');
      try {
        return (await readAt(index, 8, (line - 1) * 8)).readDoubleLE();
      } finally {
        await index.close();
      }
    }
    // The index is made with the last line; until then the lines themselves are counted.
    let left = line;
    let position = 0;
    for await (const chunk of chunksAt(await file(), 0, bytes)) {
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
        left -= 1;
        if (left === 0) return position + at + 1;
      }
      position += chunk.length;
    }
    return null;
  }
}
