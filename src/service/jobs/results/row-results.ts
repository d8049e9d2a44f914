import type { Database } from '../../../../lib/database/database.js';
import { linkedAbort } from '../../../../lib/runtime/abort.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { ResultsProgress } from '../job.js';
import type { StoredJobs } from '../stored-jobs.js';
import type { JobResults, OpenResults } from './job-results.js';
import { ResultRows, type ResultsOf } from './result-rows.js';
import { chunkBytes, type LinesSource } from './results-files.js';

/** Milliseconds until a follower reads the store again, because another process may run the job. */
const pollInterval = 1000;

export interface RowResultsOptions {
  readonly results: Database;
  readonly jobs: Pick<StoredJobs, 'withResults'>;
  /** Resolves when this process has added lines to a job. */
  readonly nextProgress: (id: string) => Promise<void>;
  readonly clock: Clock;
  /** Resolves once the lines of a job are rows. */
  readonly ready?: (id: string) => Promise<void>;
}

/** The results of jobs in rows. The job's row says how many of them are final. */
export class RowResults implements JobResults {
  readonly #options: RowResultsOptions;

  constructor(options: RowResultsOptions) {
    this.#options = options;
  }

  async open(account: string, id: string): Promise<OpenResults> {
    const { results, jobs, nextProgress, clock, ready } = this.#options;
    await ready?.(id);
    const readProgress = () => jobs.withResults(account, id);
    const now = await readProgress();
    const rows = new ResultRows(results, now);
    const offsetOf = async (line: number, { lines, bytes }: ResultsProgress) => {
      if (line > lines) return null;
      return line === lines ? bytes : rows.bytesBefore(line);
    };
    async function* follow(line: number, signal: AbortSignal) {
      for (let position: number | null = null; ; ) {
        signal.throwIfAborted();
        const change = progressOrPoll(nextProgress(id), clock, signal);
        // Awaited below, or not at all.
        change.catch(() => undefined);
        const progress = await readProgress();
        position ??= await offsetOf(line, progress);
        if (position !== null && progress.bytes < position) throw new Error('The results were started over.');
        if (position !== null && position < progress.bytes) {
          yield* rows.bytes(position, progress.bytes, progress.lines);
          position = progress.bytes;
        }
        if (progress.lines === progress.total) return;
        await change;
      }
    }
    return {
      bytes: now.bytes,
      isComplete: now.lines === now.total,
      offsetOf: (line) => offsetOf(line, now),
      read: (from, to) => rows.bytes(from, to, now.lines),
      pick: (lines) => rows.pick(lines),
      follow,
    };
  }
}

/** Waits for progress in this process, or a poll interval for another's. Rejects with the signal's reason. */
async function progressOrPoll(progress: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  const { controller: over, unlink } = linkedAbort(signal);
  try {
    await Promise.race([progress, clock.sleep(pollInterval, over.signal)]);
  } finally {
    unlink();
    over.abort();
  }
}

/**
 * The lines of finished jobs in rows of `results`; the jobs are in `database`. `ready` resolves once a job's lines are
 * rows.
 */
export function rowLines(
  database: Database,
  results = database,
  ready?: (id: string) => Promise<void>,
): LinesSource {
  const find = (id: string) =>
    database.read((queries) =>
      queries.first<ResultsOf & { readonly forgotten: number }>(
        'SELECT id, created_at, lines, bytes, forgotten FROM jobs WHERE id = $1 AND deleted = 0',
        [id],
      ),
    );
  return {
    async *read(id) {
      await ready?.(id);
      const job = await find(id);
      if (job === undefined) throw new Error('The results no longer exist.');
      for await (const bytes of new ResultRows(results, job).bytes(0, job.bytes, job.lines)) {
        for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
      }
    },
    isKept: async (id) => (await find(id)) !== undefined,
    async edition(id) {
      const forgotten = (await find(id))?.forgotten ?? 0;
      return forgotten === 0 ? '' : String(forgotten);
    },
  };
}
