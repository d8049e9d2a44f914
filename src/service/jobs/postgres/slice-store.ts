import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { endPendingInputs, pendingAmong, pendingInputs } from '../../../../lib/ledger/job-entries.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { cancelled, type Given, type JobStatus } from '../job.js';
import { forgetInputs, inputsOfJob } from '../job-inputs.js';
import { type JobRow, toJobAtWork } from '../job-row.js';
import { lockJob } from '../job-rows.js';
import type { Committed, LineStore, Slice } from '../runner/line-store.js';
import { errorLine, type FinishedInput } from '../runner/run-input.js';
import { readGiven, rememberGiven } from '../schedules/given-rows.js';
import { recordEnded } from '../schedules/schedule-history.js';
import type { Engine } from './engine.js';
import { resultsDay } from './results-days.js';
import { sendCancelled, sendSlices, sliceSize } from './slices.js';

/** Lines of a cancelled job that are written at once. */
const cancelledAtOnce = 1000;
/** Lines that are read at once where the results are looked through for their next gap. */
const readAtOnce = 1000;

export interface SliceStoreOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly docsBase: string;
  /** Begins the delivery of a finished job's webhook, in the transaction that finishes it. */
  readonly beginDelivery: (queries: Queries, job: string) => Promise<void>;
}

/**
 * Reads and writes jobs for the nodes that work on their slices. Several may be at the same slice: each input ends
 * once.
 */
export class SliceStore implements LineStore {
  readonly #options: SliceStoreOptions;

  constructor(options: SliceStoreOptions) {
    this.#options = options;
  }

  takeUp(id: string, first: number): Promise<Slice | null> {
    return this.#options.postgres.read(async (queries) => {
      const row = await queries.first<JobRow>('SELECT * FROM jobs WHERE id = $1', [id]);
      if (row === undefined || row.status === 'cancelled' || row.lines === row.total) return null;
      const rows = await queries.rows<{ readonly place: number; readonly input: string }>(
        `SELECT place, input FROM ${inputsOfJob} AS inputs WHERE place >= $2 AND place < $3 ORDER BY place`,
        [id, first, first + sliceSize],
      );
      const pending = await pendingAmong(
        queries,
        id,
        rows.map(({ place }) => place),
      );
      const inputs = new Map(rows.map(({ place, input }) => [place, input]));
      return {
        job: toJobAtWork(row),
        pending: async () => [...inputs.keys()].filter((index) => pending.has(index)),
        input: (index) => inputs.get(index) as string,
      };
    });
  }

  /** All in one transaction. Inputs that ended before, by another node or by a commit that seemed to fail, stay as they are. */
  commit(id: string, finished: readonly FinishedInput[]): Promise<Committed> {
    return this.#options.postgres.transaction(async (queries) => {
      const row = await lockJob(queries, id);
      if (row === undefined) return 'gone';
      if (row.status === 'cancelled') return 'cancelled';
      if (row.lines === row.total) return 'kept';
      const { ended, refunded } = await endPendingInputs(queries, id, row.account, finished);
      if (ended.length === 0) return 'kept';
      await recordEnded(queries, id, ended, this.#options.clock.now());
      await rememberGiven(queries, id, ended);
      const failed = ended.filter(({ ending }) => ending.status === 'failed').length;
      const lines = new Map(ended.map(({ index, line }) => [index, line.toString()]));
      return this.#keep(queries, row, { lines, completed: ended.length - failed, failed, refunded });
    });
  }

  writeCancelled(id: string): Promise<boolean> {
    const { postgres, docsBase } = this.#options;
    return postgres.transaction(async (queries) => {
      const row = await lockJob(queries, id);
      if (row === undefined || row.status !== 'cancelled' || row.lines === row.total) return true;
      const missing = await queries.rows<{ readonly place: number; readonly input: string }>(
        `SELECT place, input FROM ${inputsOfJob} AS inputs WHERE place >= $2 AND NOT EXISTS (
           SELECT FROM job_results WHERE day = $3 AND job = $1 AND place = inputs.place
         ) ORDER BY place LIMIT $4`,
        [id, row.lines, resultsDay(row.created_at), cancelledAtOnce],
      );
      const lines = new Map(
        missing.map(({ place, input }) => {
          const error = new ExtractError(cancelled, undefined, { requestId: inputId(id, place), docsBase });
          return [place, errorLine(input, error).toString()];
        }),
      );
      return (await this.#keep(queries, row, { lines, completed: 0, failed: 0, refunded: 0 })) === 'finished';
    });
  }

  readGiven(id: string, index: number): Promise<Given | null> {
    return this.#options.postgres.read((queries) => readGiven(queries, id, index));
  }

  async states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>> {
    const rows = await this.#options.postgres.read((queries) =>
      queries.rows<{ readonly id: string; readonly status: JobStatus }>(
        'SELECT id, status FROM jobs WHERE id = ANY($1) AND lines < total',
        [ids],
      ),
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  /** Sends the slices again that have inputs left and of which the engine has no task. Resolves with their jobs' number. */
  async resend(engine: Engine): Promise<number> {
    const { postgres } = this.#options;
    const rows = await postgres.read((queries) =>
      queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id'),
    );
    for (const row of rows) {
      await postgres.transaction(async (queries) => {
        if (row.status === 'cancelled') await sendCancelled(engine, queries, row);
        else await sendSlices(engine, queries, row, await pendingInputs(queries, row.id));
      });
    }
    return rows.length;
  }

  async begin(id: string): Promise<void> {
    await this.#options.postgres.write((queries) =>
      queries.run(`UPDATE jobs SET status = 'running' WHERE id = $1 AND status = 'queued'`, [id]),
    );
  }

  /** Keeps lines of a locked job and counts their inputs. The extent moves over all lines without a gap. */
  async #keep(
    queries: Queries,
    row: JobRow,
    group: {
      readonly lines: ReadonlyMap<number, string>;
      readonly completed: number;
      readonly failed: number;
      readonly refunded: number;
    },
  ): Promise<Committed> {
    const { id, total } = row;
    const day = resultsDay(row.created_at);
    await queries.run(
      {
        name: 'job_results_insert',
        text: `INSERT INTO job_results (day, job, place, line)
               SELECT $1, $2, place, line FROM unnest($3::int[], $4::text[]) AS added (place, line)`,
      },
      [day, id, [...group.lines.keys()], [...group.lines.values()]],
    );
    const own = extentWith(row, group.lines);
    const written = row.completed + row.failed + group.completed + group.failed;
    // Mostly the lines of a job are written in order: then there are none behind these.
    const isFurther = own.lines > row.lines && own.lines < written;
    const to = isFurther ? await nextGap(queries, { ...row, ...own }, day) : own;
    const isWhole = to.lines === total;
    const isDone = isWhole && row.status !== 'cancelled';
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
    if (!isWhole) return 'kept';
    await forgetInputs(queries, row);
    await this.#options.beginDelivery(queries, id);
    return 'finished';
  }
}

type Extent = Pick<JobRow, 'lines' | 'bytes'>;

/** How far the lines of a job go without a gap once some are added, as far as these tell. */
function extentWith({ lines, bytes }: Extent, added: ReadonlyMap<number, string>): Extent {
  let [next, end] = [lines, bytes];
  for (let line = added.get(next); line !== undefined; line = added.get(next)) {
    next += 1;
    end += Buffer.byteLength(line);
  }
  return { lines: next, bytes: end };
}

/** How far the lines of a job go without a gap, from the extent of its row on. */
async function nextGap(queries: Queries, { id, lines, bytes }: JobRow, day: number): Promise<Extent> {
  let [next, end] = [lines, bytes];
  for (;;) {
    const rows = await queries.rows<{ readonly place: number; readonly size: number }>(
      {
        name: 'job_results_sizes',
        text: `SELECT place, octet_length(line) AS size FROM job_results
               WHERE day = $1 AND job = $2 AND place >= $3 ORDER BY place LIMIT $4`,
      },
      [day, id, next, readAtOnce],
    );
    for (const { place, size } of rows) {
      if (place !== next) return { lines: next, bytes: end };
      next += 1;
      end += size;
    }
    if (rows.length < readAtOnce) return { lines: next, bytes: end };
  }
}
