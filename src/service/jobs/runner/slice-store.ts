import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import { cancelled, endPendingInputs, inputsAmong, inputsWith } from '../../../../lib/ledger/job-entries.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Observation } from '../../../lines/memory/observation.js';
import type { JobAtWork, JobStatus } from '../job.js';
import { forgetInputs, inputsOfJob, type OwnedInputs, readInputs } from '../job-inputs.js';
import { type JobRow, toJobAtWork } from '../job-row.js';
import { lockJob } from '../job-rows.js';
import { measureLines, writeLines } from '../results/results-schema.js';
import { resultsDay } from '../results-day.js';
import { type InputMemory, recordEnded, stateOfInput } from '../schedules/schedule-memory.js';
import { errorLine } from './job-line.js';
import type { Committed, FinishedInput, Slice } from './line-store.js';

/** Lines of a cancelled job per write. */
const cancelledAtOnce = 1000;
/** Inputs examined at a time for the first pending one. */
const readAtOnce = 1000;

export interface SliceStoreOptions {
  readonly database: Database;
  /** The separate file of the lines, written by one process. */
  readonly results?: Database;
  readonly clock: Clock;
  readonly docsBase: string;
  /** Resolves once a job's lines are rows. */
  readonly ready?: (id: string) => Promise<void>;
  /** Inputs per slice. Omit if a job is one slice. */
  readonly sliceSize?: number;
  /** Deletes the inputs of a finished job that are too many for its transaction. Optional. */
  readonly withdraw?: (account: string, inputs: readonly OwnedInputs[]) => Promise<void>;
  /** Starts the delivery of a job's webhook, in the transaction that finishes the job. */
  readonly beginDelivery: (queries: Queries, job: string) => Promise<void>;
}

/**
 * Reads and writes jobs for the nodes that work on their slices. Several nodes may work on the same slice; each input
 * ends once. With a separate file, lines are written before the transaction that ends their inputs: a kill in between
 * leaves lines of pending inputs, which are replaced when those end.
 */
export class SliceStore implements InputMemory {
  readonly #options: SliceStoreOptions;
  /** One write per job at a time. */
  readonly #turns = new Map<string, LimitFunction>();

  constructor(options: SliceStoreOptions) {
    this.#options = options;
  }

  /** Opens the slice that begins with an input; null if the job is deleted, cancelled or done. */
  async resume(id: string, first: number): Promise<Slice | null> {
    await this.#options.ready?.(id);
    return this.#options.database.read(async (queries) => {
      const row = await jobRow(queries, id);
      if (row === undefined || row.status === 'cancelled' || row.lines === row.total) return null;
      const job = toJobAtWork(row);
      return { job, pending: () => this.#pending(job, first), input: this.#inputsOf(job) };
    });
  }

  /**
   * Stores the lines of inputs and ends them, refunds failed ones, and remembers what they returned. Skips inputs already
   * ended by another node, or by a commit that seemed to fail. The last line finishes the job. Resolves once everything
   * is on disk.
   */
  commit(id: string, inputs: readonly FinishedInput[]): Promise<Committed> {
    return this.#oneAtATime(id, async () => {
      await this.#writeFirst(id, inputs);
      return this.#transaction(async (queries, withdraw) => {
        const row = await lockJob(queries, id);
        if (row === undefined) return 'gone';
        if (row.status === 'cancelled') return 'cancelled';
        if (row.lines === row.total) return 'kept';
        const { ended, refunded } = await endPendingInputs(queries, id, row.account, inputs);
        if (ended.length === 0) return 'kept';
        await recordEnded(queries, id, ended, this.#options.clock.now());
        const failed = ended.filter(({ ending }) => ending.status === 'failed').length;
        const lines = linesOf(ended);
        await this.#writeWithin(queries, row, lines);
        const to = await this.#extent(queries, row, lines, row.completed + row.failed + ended.length);
        const group = { completed: ended.length - failed, failed, refunded };
        return this.#recordProgress(queries, row, to, group, withdraw);
      });
    });
  }

  /** Writes some of a cancelled job's missing lines. Resolves with true if none remain. */
  writeCancelled(id: string): Promise<boolean> {
    const { database, ready } = this.#options;
    return this.#oneAtATime(id, async () => {
      await ready?.(id);
      if (this.#options.results !== undefined) {
        const row = await database.read((queries) => jobRow(queries, id));
        if (row === undefined || !isCancelled(row)) return true;
        const lines = await database.read((queries) => this.#cancelledLines(queries, row));
        await this.#writeApart(row, lines);
      }
      return this.#transaction(async (queries, withdraw) => {
        const row = await lockJob(queries, id);
        if (row === undefined || !isCancelled(row)) return true;
        if (this.#options.results === undefined) {
          await this.#writeWithin(queries, row, await this.#cancelledLines(queries, row));
        }
        const lines = Math.min(row.lines + cancelledAtOnce, row.total);
        const to = { lines, bytes: row.bytes + (await this.#measure(queries, row, row.lines, lines)) };
        const group = { completed: 0, failed: 0, refunded: 0 };
        return (await this.#recordProgress(queries, row, to, group, withdraw)) === 'finished';
      });
    });
  }

  lookUp(schedule: string, observation: Observation) {
    return stateOfInput(this.#options.database, this.#options.clock, schedule, observation);
  }

  /** Resolves with the states of those jobs that still have unwritten lines. */
  async states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>> {
    const rows = await this.#options.database.read((queries) =>
      queries.rows<{ readonly id: string; readonly status: JobStatus }>(
        `SELECT id, status FROM jobs WHERE id ${queries.dialect.anyOf('$1')} AND lines < total`,
        [ids],
      ),
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  /** Records that an input of the job is in progress. */
  async begin(id: string): Promise<void> {
    await this.#options.database.write((queries) =>
      queries.run(`UPDATE jobs SET status = 'running' WHERE id = $1 AND status = 'queued'`, [id]),
    );
  }

  #pending({ id, total }: JobAtWork, first: number): Promise<readonly number[]> {
    const { database, sliceSize } = this.#options;
    return database.read(async (queries) => {
      if (sliceSize === undefined) return inputsWith(queries, id, 'pending');
      const indexes = Array.from({ length: Math.min(sliceSize, total - first) }, (_, at) => first + at);
      return [...(await inputsAmong(queries, id, indexes, 'pending'))].sort((a, b) => a - b);
    });
  }

  /** Returns a reader of a job's inputs that reads ahead, because they are requested roughly in order. */
  #inputsOf({ id, account }: JobAtWork): (index: number) => Promise<string> {
    let some: Promise<ReadonlyMap<number, string>> = Promise.resolve(new Map());
    const from = async (index: number) => {
      await accountTurns.next(account);
      return this.#options.database.read((queries) => readInputs(queries, id, index));
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

  /** Runs a transaction after which many inputs may have to be deleted in batches. */
  async #transaction<T>(
    work: (queries: Queries, withdraw: (inputs: readonly OwnedInputs[]) => void) => Promise<T>,
  ): Promise<T> {
    let all: readonly OwnedInputs[] = [];
    const result = await this.#options.database.transaction((queries) =>
      work(queries, (inputs) => {
        all = inputs;
      }),
    );
    if (all.length > 0) await this.#options.withdraw?.('', all);
    return result;
  }

  async #oneAtATime<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(id) ?? pLimit(1);
    this.#turns.set(id, turn);
    try {
      return await turn(work);
    } finally {
      if (turn.activeCount + turn.pendingCount === 0) this.#turns.delete(id);
    }
  }

  /** If the lines have a separate file, writes the lines of pending inputs first. */
  async #writeFirst(id: string, inputs: readonly FinishedInput[]): Promise<void> {
    if (this.#options.results === undefined) return;
    const { row, pending } = await this.#options.database.read(async (queries) => ({
      row: await jobRow(queries, id),
      pending: await inputsAmong(
        queries,
        id,
        inputs.map(({ index }) => index),
        'pending',
      ),
    }));
    if (row !== undefined)
      await this.#writeApart(row, linesOf(inputs.filter(({ index }) => pending.has(index))));
  }

  async #writeApart({ id, created_at }: JobRow, lines: ReadonlyMap<number, string>): Promise<void> {
    if (lines.size === 0) return;
    const day = resultsDay(created_at);
    await this.#options.results?.transaction((queries) => writeLines(queries, day, id, lines));
  }

  /** Writes lines in the transaction of their job, unless they have a separate file. */
  async #writeWithin(
    queries: Queries,
    { id, created_at }: JobRow,
    lines: ReadonlyMap<number, string>,
  ): Promise<void> {
    if (this.#options.results === undefined) await writeLines(queries, resultsDay(created_at), id, lines);
  }

  /** Returns the next lines of a cancelled job. */
  async #cancelledLines(
    queries: Queries,
    { id, lines, total }: JobRow,
  ): Promise<ReadonlyMap<number, string>> {
    const { docsBase } = this.#options;
    const to = Math.min(lines + cancelledAtOnce, total);
    const indexes = await inputsAmong(queries, id, range(lines, to), 'cancelled');
    const inputs = await queries.rows<{ readonly place: number; readonly input: string }>(
      `SELECT place, input FROM ${inputsOfJob} AS inputs WHERE place >= $2 AND place < $3`,
      [id, lines, to],
    );
    const missing = inputs.filter(({ place }) => indexes.has(place));
    return new Map(
      missing.map(({ place, input }) => {
        const error = new ExtractError(cancelled, undefined, { requestId: inputId(id, place), docsBase });
        return [place, errorLine(input, error).toString()];
      }),
    );
  }

  /** Returns the bytes of a range of lines. Rejects `damaged` if one is missing. */
  async #measure(queries: Queries, { id, created_at }: JobRow, from: number, to: number): Promise<number> {
    const { results } = this.#options;
    const day = resultsDay(created_at);
    const measure = (on: Queries) => measureLines(on, day, id, from, to);
    const { lines, bytes } = await (results === undefined ? measure(queries) : results.read(measure));
    if (lines === to - from) return bytes;
    throw new StorageError(
      'damaged',
      `${to - from - lines} lines of the results of ${id} are missing. Restore the results from a backup, or cancel the job.`,
    );
  }

  /** Returns how far a job's lines are contiguous once some are added, if so many of its inputs have ended. */
  async #extent(
    queries: Queries,
    row: JobRow,
    added: ReadonlyMap<number, string>,
    endedCount: number,
  ): Promise<Extent> {
    const extent = extentWith(row, added);
    // Lines are usually written in order, and then none follow.
    if (extent.lines === row.lines || extent.lines === endedCount) return extent;
    const to = await firstPending(queries, row, extent.lines);
    return { lines: to, bytes: extent.bytes + (await this.#measure(queries, row, extent.lines, to)) };
  }

  /** Records a locked job's progress. The last line finishes the job. */
  async #recordProgress(
    queries: Queries,
    row: JobRow,
    to: Extent,
    group: { readonly completed: number; readonly failed: number; readonly refunded: number },
    withdraw: (inputs: readonly OwnedInputs[]) => void,
  ): Promise<Committed> {
    const { id, total } = row;
    const isComplete = to.lines === total;
    const isDone = isComplete && row.status !== 'cancelled';
    await queries.run(
      {
        name: 'jobs_keep',
        text: `UPDATE jobs SET completed = completed + $2, failed = failed + $3, credits_refunded = credits_refunded + $4,
                 lines = $5, bytes = $6, status = $7, finished_at = $8 WHERE id = $1`,
      },
      [
        ...[id, group.completed, group.failed, group.refunded, to.lines, to.bytes],
        row.status === 'cancelled' ? 'cancelled' : isDone ? 'done' : 'running',
        isDone ? this.#options.clock.now() : row.finished_at,
      ],
    );
    if (!isComplete) return 'kept';
    withdraw(await forgetInputs(queries, row, this.#options.withdraw !== undefined));
    await this.#options.beginDelivery(queries, id);
    return 'finished';
  }
}

/** Jobs and their lines, for workers. */
export type LineStore = Pick<SliceStore, keyof SliceStore>;

type Extent = Pick<JobRow, 'lines' | 'bytes'>;

const isCancelled = ({ status, lines, total }: JobRow) => status === 'cancelled' && lines < total;

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

const linesOf = (inputs: readonly FinishedInput[]): ReadonlyMap<number, string> =>
  new Map(inputs.map(({ index, line }) => [index, line.toString()]));

function jobRow(queries: Queries, id: string): Promise<JobRow | undefined> {
  return queries.first<JobRow>({ name: 'jobs_row', text: 'SELECT * FROM jobs WHERE id = $1' }, [id]);
}

/** Returns how far a job's lines are contiguous once some are added, judging by these alone. */
function extentWith({ lines, bytes }: Extent, added: ReadonlyMap<number, string>): Extent {
  let [next, end] = [lines, bytes];
  for (let line = added.get(next); line !== undefined; line = added.get(next)) {
    next += 1;
    end += Buffer.byteLength(line);
  }
  return { lines: next, bytes: end };
}

/** Returns the first unfinished input from an index; the number of inputs if all have ended. */
async function firstPending(queries: Queries, { id, total }: JobRow, from: number): Promise<number> {
  for (let at = from; at < total; at += readAtOnce) {
    const pending = await inputsAmong(queries, id, range(at, Math.min(at + readAtOnce, total)), 'pending');
    if (pending.size > 0) return Math.min(...pending);
  }
  return total;
}
