import { type FileHandle, open } from 'node:fs/promises';
import { fileFault, StorageError } from '../../../../lib/errors/storage-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { makeOnce } from '../../../../lib/runtime/make-once.js';
import type { ResultsProgress } from '../job.js';
import type { JobStore } from '../job-store.js';
import { checkedBytes, type LinesFile, stretchReader } from './checked-lines.js';
import { readFailure } from './damaged-results.js';
import { followLines, progressOrPoll } from './follow-lines.js';
import type { JobResults, OpenResults } from './job-results.js';
import { chunksAt } from './positioned.js';
import type { ResultsFiles } from './results-files.js';
import { type ResultsIndex, readIndex } from './results-index.js';

/** The files of a job that were opened for reading, each with its first use. */
interface OpenFiles {
  lines(): Promise<FileHandle>;
  /** Resolves with the index of a job whose lines are complete. */
  index(): Promise<ResultsIndex>;
}

/** The results of jobs in files. The lines of finished jobs are checked against their sums as they are read. */
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
    const scarce = <T>(make: () => Promise<T>) => waitForDescriptors(make, this.#clock);
    const opened = makeOnce<FileHandle>(() => scarce(() => open(this.#files.lines(id), 'r')));
    let closed = false;
    const isWhole = now.lines === now.total;
    const index = makeOnce(async () => {
      const { bytes } = isWhole ? now : await progress();
      return scarce(() => readIndex(this.#files.index(id), bytes));
    });
    const files: OpenFiles = {
      // The file is made with the first line.
      lines() {
        if (closed) throw new Error('The results were closed.');
        return opened.get();
      },
      index: () => index.get(),
    };
    try {
      if (now.bytes > 0) await files.lines();
    } catch (cause) {
      throw readFailure(this.#files.lines(id), cause as NodeJS.ErrnoException);
    }
    const close = async () => {
      closed = true;
      await (await opened.take()?.catch(() => undefined))?.close();
    };
    const whole = async (): Promise<LinesFile> => ({
      handle: await files.lines(),
      file: this.#files.lines(id),
      bytes: now.bytes,
      sums: (await files.index()).sums,
    });
    async function* read(from: number, to: number) {
      if (from >= to) return;
      // Sums are kept of complete lines alone; the process that writes them has those of the others.
      if (isWhole) yield* checkedBytes(await whole(), from, to);
      else yield* chunksAt(await files.lines(), from, to);
    }
    async function* pick(lines: readonly number[]) {
      if (lines.length === 0) return;
      const { lines: count, endOf } = await files.index();
      const readStretch = stretchReader(await whole());
      for (const line of lines) {
        if (line >= count) throw new Error(`There is no line ${line}.`);
        yield await readStretch(endOf(line - 1), endOf(line));
      }
    }
    const changed = (signal: AbortSignal) => progressOrPoll(this.#nextProgress(id), this.#clock, signal);
    const offsetOf = (line: number, reached: ResultsProgress) => lineOffset(files, line, reached);
    return {
      bytes: now.bytes,
      whole: isWhole,
      offsetOf: (line) => offsetOf(line, now),
      read,
      pick,
      follow: (line, signal) =>
        followLines({ readProgress: progress, offsetOf, read, waitForChange: changed }, line, signal),
      close,
    };
  }
}

/** Where a line begins; null when it is not there yet. */
async function lineOffset(
  files: OpenFiles,
  line: number,
  { lines, bytes, total }: Pick<ResultsProgress, 'lines' | 'bytes' | 'total'>,
): Promise<number | null> {
  if (line === 0) return 0;
  if (line > lines) return null;
  if (line === lines) return bytes;
  if (lines === total) return (await files.index()).endOf(line - 1);
  // The index is made with the last line; until then the lines themselves are counted.
  let lineNumber = line;
  let position = 0;
  for await (const chunk of chunksAt(await files.lines(), 0, bytes)) {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      lineNumber -= 1;
      if (lineNumber === 0) return position + at + 1;
    }
    position += chunk.length;
  }
  return null;
}

const pauseMs = 100;
const attempts = 40;

const isShortage = (cause: unknown) =>
  (cause instanceof StorageError ? cause.fault : fileFault(cause)) === 'exhausted';

/** Opens something, again for four seconds where descriptors are short: those of other downloads come free. */
export async function waitForDescriptors<T>(open: () => Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (cause) {
      if (attempt === attempts || !isShortage(cause)) throw cause;
    }
    await clock.sleep(pauseMs);
  }
}
