import type { Queries } from '../../../lib/database/queries.js';
import type { JobRow } from './job-row.js';

/** The work on jobs, queued in the transaction that decides on it. */
export interface JobWork {
  /** Resolves when the work on a job of that time can be queued; to be awaited before the transaction. */
  ready(createdAt: number): Promise<void>;
  /** Queues the work on a job that was just made. */
  queue(queries: Queries, job: JobRow): Promise<void>;
  /** Queues what is left to do for a job that was just cancelled. */
  queueCancelled(queries: Queries, job: JobRow): Promise<void>;
}
