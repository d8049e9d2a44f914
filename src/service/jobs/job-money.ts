import type { Queries } from '../../../lib/database/queries.js';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { ReleasedJob, Reserve } from '../../../lib/ledger/job-input.js';

/** The money of jobs, moved by the ledger in the transaction of the rows that say why. */
export interface JobMoney {
  /** Rejects `insufficient_credits` where the price of every input could not be taken now. Holds nothing. */
  check(queries: Queries, wanted: Reserve): Promise<void>;
  /** Takes the price of every input, and holds the account's balance. Rejects `insufficient_credits`. */
  reserve(queries: Queries, wanted: Reserve): Promise<void>;
  /** Ends every input that has not ended as failed, its price given back. Resolves with their number and those credits. */
  release(
    queries: Queries,
    job: ReleasedJob,
    code: ErrorCode,
  ): Promise<{ readonly inputs: number; readonly credits: number }>;
  /** The credits that an account has left. */
  credits(queries: Queries, account: string): Promise<number>;
  /** Indexes of the inputs of a job that failed, in order. */
  failed(queries: Queries, job: string): Promise<readonly number[]>;
}
