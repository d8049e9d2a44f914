import { type FileHandle, open, readFile } from 'node:fs/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { makeOnce } from '../../../lib/runtime/make-once.js';
import type { ResultsProgress } from '../job.js';
import type { JobStore } from '../job-store.js';
import { followLines, progressOrPoll } from './follow-lines.js';
import type { JobResults, OpenResults } from './job-results.js';
import { chunksAt, readAt } from './positioned.js';
import type { ResultsFiles } from './results-files.js';

/** The results of jobs in files. */
export class FileResults implements JobResults {
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

  async open(account: string, id: string): Promise<OpenResults> {
    const progress = () => this.#store.readProgress(account, id);
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
    async function* read(from: number, to: number) {
      if (from < to) yield* chunksAt(await file(), from, to);
    }
    const changed = (signal: AbortSignal) => progressOrPoll(this.#nextProgress(id), this.#clock, signal);
    return {
      bytes: now.bytes,
      whole: now.lines === now.total,
      offsetOf: (line) => offsetOf(line, now),
      read,
      pick: (lines) => this.#pick(id, lines, file),
      follow: (line, signal) =>
        followLines({ readProgress: progress, offsetOf, read, waitForChange: changed }, line, signal),
      close,
    };
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
