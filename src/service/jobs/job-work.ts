import type { Queries } from '../../../lib/database/queries.js';
import type { JobRow } from './job-row.js';

/** Queues the work on jobs in the caller's transaction. */
export interface JobWork {
  /** Resolves once work on a job of that time can be queued. Await it before the transaction. */
  ready(createdAt: number): Promise<void>;
  queue(queries: Queries, job: JobRow): Promise<void>;
  /** Queues the remaining work of a job that was just cancelled. */
  queueCancelled(queries: Queries, job: JobRow): Promise<void>;
}
