import type { Queries } from '../../../lib/database/queries.js';
import type { JobRow } from './job-row.js';

/** Queues the work on jobs in the transaction that decides on it. */
export interface JobWork {
  /** Resolves when the work on a job of that time can be queued; await it before the transaction. */
  ready(createdAt: number): Promise<void>;
  /** Queues the work on a new job. */
  queue(queries: Queries, job: JobRow): Promise<void>;
  /** Queues the remaining work of a job that was just cancelled. */
  queueCancelled(queries: Queries, job: JobRow): Promise<void>;
}
