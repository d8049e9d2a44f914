import pLimit from 'p-limit';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import { loopTurns } from '../../../../lib/runtime/loop-turns.js';
import type { JobArchives } from '../archives/job-archives.js';
import { cancelled, type Extent, type JobAtWork, type JobStatus } from '../job.js';
import type { RunnerStore } from '../job-store.js';
import { type Committed, type LineStore, LostLinesError, type Slice } from '../runner/line-store.js';
import { errorLine, type FinishedInput } from '../runner/run-input.js';
import { namedFileFault, type ResultsFiles } from './results-files.js';
import { LostLines, ResultsWriter } from './results-writer.js';

export interface FileLineStoreOptions {
  readonly store: RunnerStore;
  readonly files: ResultsFiles;
  readonly docsBase: string;
  readonly archives: Pick<JobArchives, 'settle'>;
  /** Gets what was found to be lost when a job was taken up. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** The files of a job at work. */
interface JobFiles {
  /** One thing at a time is done with them. */
  readonly turn: ReturnType<typeof pLimit>;
  writer: ResultsWriter | undefined;
}

/** Lines of a cancelled job that are written at once. */
const cancelledAtOnce = 1000;
const resultsRemedy =
  'Correct its rights, or move it away: the job goes on by itself, and makes anew what was lost with it.';

const sameExtent = (a: Extent, b: Extent) =>
  a.lines === b.lines && a.bytes === b.bytes && a.lateBytes === b.lateBytes;

/**
 * The lines of the jobs of a data directory, in files. A group of them is written and made durable. Then one transaction
 * ends their rows and moves the extent over their lines. A kill in between leaves lines behind the extent. Their inputs
 * still run, for the price they have paid.
 */
export class FileLineStore implements LineStore {
  readonly #options: FileLineStoreOptions;
  readonly #jobs = new Map<string, JobFiles>();

  constructor(options: FileLineStoreOptions) {
    this.#options = options;
  }

  /** A data directory has one process at work: a job is one slice. */
  async takeUp(id: string): Promise<Slice | null> {
    const { store } = this.#options;
    const job = await store.findUnfinished(id);
    if (job === null || job.status === 'cancelled' || job.extent.lines === job.total) return null;
    return {
      job,
      pending: () =>
        this.#inTurn(id, async (files) => {
          files.writer = undefined;
          await this.#takeUpFiles(id, files);
          return store.listPendingInputs(id);
        }),
      input: this.#inputsOf(job),
    };
  }

  begin(id: string): Promise<void> {
    return this.#options.store.begin(id);
  }

  readGiven(id: string, index: number) {
    return this.#options.store.readGiven(id, index);
  }

  commit(id: string, finished: readonly FinishedInput[]): Promise<Committed> {
    return this.#inTurn(id, async (files) => {
      files.writer ??= await this.#open(id);
      const { writer } = files;
      if (writer === undefined) return 'gone';
      // A try that was reported as failed may have ended some of them.
      const left = finished.filter(({ index }) => !writer.has(index));
      if (left.length === 0) return writer.isWhole ? 'finished' : 'kept';
      const lines = new Map(left.map(({ index, line }) => [index, line]));
      await this.#options.archives.settle(id);
      const to = await this.#append(id, files, writer, lines);
      const became = await this.#end(id, files, left, to);
      if (became !== 'kept') return became;
      await writer.applyCommitted();
      return writer.isWhole ? 'finished' : 'kept';
    });
  }

  writeCancelled(id: string): Promise<boolean> {
    const { store } = this.#options;
    return this.#inTurn(id, async (files) => {
      const job = await store.findUnfinished(id);
      if (job === null || job.status !== 'cancelled' || job.extent.lines === job.total) return true;
      try {
        return await this.#writeCancelled(job, files);
      } catch (cause) {
        // Deleted meanwhile: it has no inputs any more.
        if ((await store.findUnfinished(id)) === null) return true;
        throw cause;
      }
    });
  }

  async states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>> {
    const jobs = await Promise.all(ids.map((id) => this.#options.store.findUnfinished(id)));
    return new Map(
      jobs.flatMap((job) =>
        job !== null && job.extent.lines < job.total ? [[job.id, job.status] as const] : [],
      ),
    );
  }

  /** Resolves when nothing more is written of jobs that were deleted. */
  async leaveDeleted(): Promise<void> {
    for (const id of await this.#options.store.listMissing([...this.#jobs.keys()])) {
      await this.#jobs.get(id)?.turn(() => this.#jobs.delete(id));
    }
  }

  /** The inputs of a job, which are read some at a time: they are asked for in order, about. */
  #inputsOf({ id, account }: JobAtWork): (index: number) => Promise<string> {
    let some: Promise<ReadonlyMap<number, string>> = Promise.resolve(new Map());
    const from = async (index: number) => {
      await loopTurns.next(account);
      return this.#options.store.readInputs(id, index);
    };
    return async (index) => {
      some = some.then(
        (inputs) => (inputs.has(index) ? inputs : from(index)),
        () => from(index),
      );
      const input = (await some).get(index);
      if (input === undefined) throw new ExtractError('internal_error', `The job ${id} is gone.`);
      return input;
    };
  }

  async #writeCancelled(job: JobAtWork, files: JobFiles): Promise<boolean> {
    const { store, docsBase } = this.#options;
    const { id, total } = job;
    const writer = files.writer ?? (await this.#takeUpFiles(id, files));
    if (writer === undefined) return true;
    const lines = new Map<number, Buffer>();
    const inputOf = this.#inputsOf(job);
    for (let index = writer.extent.lines; index < total && lines.size < cancelledAtOnce; index += 1) {
      if (writer.has(index)) continue;
      const error = new ExtractError(cancelled, undefined, { requestId: inputId(id, index), docsBase });
      lines.set(index, errorLine(await inputOf(index), error));
    }
    const to = await this.#append(id, files, writer, lines);
    await store.advance(id, to);
    await writer.applyCommitted();
    return writer.isWhole;
  }

  #inTurn<T>(id: string, work: (files: JobFiles) => Promise<T>): Promise<T> {
    const files = this.#jobs.get(id) ?? { turn: pLimit(1), writer: undefined };
    this.#jobs.set(id, files);
    return files.turn(async () => {
      try {
        return await work(files);
      } catch (cause) {
        throw namedFileFault(cause, resultsRemedy);
      } finally {
        if (files.turn.pendingCount === 0 && (files.writer?.isWhole ?? true)) this.#jobs.delete(id);
      }
    });
  }

  /** Opens the files of a job, and says what was lost of them. */
  async #takeUpFiles(id: string, files: JobFiles): Promise<ResultsWriter | undefined> {
    try {
      files.writer = await this.#open(id);
    } catch (cause) {
      if (!(cause instanceof LostLinesError)) throw cause;
      this.#options.onError(id, cause);
      files.writer = await this.#open(id);
    }
    return files.writer;
  }

  /**
   * Takes up the files; undefined for a job that is gone. Rejects `LostLinesError` for lines that are not there any
   * more: their inputs begin anew, or are given back.
   */
  async #open(id: string): Promise<ResultsWriter | undefined> {
    const { files, store } = this.#options;
    const job = await store.findUnfinished(id);
    if (job === null) return undefined;
    const { total, extent } = job;
    const writer = await ResultsWriter.open(files, id, total, extent, this.#inputsOf(job));
    if (sameExtent(writer.extent, extent)) return writer;
    const unended = new Set(await store.listPendingInputs(id));
    const lost: number[] = [];
    for (let index = 0; index < total; index += 1) {
      if (!writer.has(index) && !unended.has(index)) lost.push(index);
    }
    await store.restore(id, writer.extent, lost);
    throw new LostLinesError(lost);
  }

  async #append(
    id: string,
    files: JobFiles,
    writer: ResultsWriter,
    lines: ReadonlyMap<number, Buffer>,
  ): Promise<Extent> {
    try {
      return await writer.append(lines);
    } catch (cause) {
      // Read anew: what was written before may be gone.
      if (cause instanceof LostLines) {
        files.writer = undefined;
        files.writer = await this.#open(id);
      }
      throw cause;
    }
  }

  async #end(id: string, job: JobFiles, finished: readonly FinishedInput[], to: Extent): Promise<Committed> {
    const { store, files } = this.#options;
    const { writer } = job;
    try {
      return (await store.commit(id, finished, to)) ? 'kept' : 'cancelled';
    } catch (cause) {
      // A commit that was reported as failed may have reached the disk all the same: as long as nobody knows, the next try
      // takes up the files where the job says they are.
      job.writer = undefined;
      const now = await store.findUnfinished(id);
      if (now === null) {
        await files.remove(id);
        return 'gone';
      }
      job.writer = writer;
      if (!sameExtent(now.extent, to)) throw cause;
      return 'kept';
    }
  }
}
