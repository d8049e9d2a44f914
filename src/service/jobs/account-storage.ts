import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { NewJob } from './job.js';

/** Bytes of a job's files in addition to its lines. */
const jobBytes = 4096;

/** SQL for the bytes that accounts store, by part. Each part has an index. */
const parts = (predicate: string) => `
  SELECT account, bytes + late_bytes + archive_bytes + ${jobBytes} AS held FROM jobs WHERE ${predicate} deleted = 0
  UNION ALL SELECT account, input_bytes FROM jobs WHERE ${predicate} lines < total
  UNION ALL SELECT account, input_bytes FROM schedules WHERE ${predicate} status <> 'ended'`;

export interface StoredBytes {
  readonly account: string;
  readonly bytes: number;
}

/** Sums the bytes of results, and of the inputs of unfinished jobs and of schedules, by account. */
export class AccountStorage {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  of(account: string): Promise<number> {
    return this.#database.read((queries) => countStored(queries, account));
  }

  listLargest(limit: number): Promise<readonly StoredBytes[]> {
    return this.#database.read((queries) =>
      queries.rows<StoredBytes>(
        `SELECT account, CAST(sum(held) AS bigint) AS bytes FROM (${parts('')}) AS stored
         GROUP BY account ORDER BY bytes DESC, account LIMIT $1`,
        [limit],
      ),
    );
  }

  /** Rejects `storage_full` if so many more bytes exceed an account's limit. */
  async checkRoom(account: string, moreBytes: number, maxBytes: number): Promise<void> {
    requireRoom(await this.of(account), moreBytes, maxBytes);
  }
}

async function countStored(queries: Queries, account: string): Promise<number> {
  const row = await queries.first<{ readonly bytes: number }>(
    `SELECT CAST(coalesce(sum(held), 0) AS bigint) AS bytes FROM (${parts('account = $1 AND')}) AS stored`,
    [account],
  );
  return row?.bytes ?? 0;
}

function requireRoom(bytes: number, moreBytes: number, maxBytes: number): void {
  if (bytes + moreBytes <= maxBytes) return;
  const mb = (value: number) => Math.ceil(value / 1024 / 1024).toLocaleString('en');
  throw new ExtractError(
    'storage_full',
    `The account has ${mb(bytes)} of ${mb(maxBytes)} MB of results and inputs stored, which leaves no room for ${mb(moreBytes)} MB more.`,
  );
}

/**
 * Rejects `storage_full` if a newly inserted job exceeds its account's limit. Must run in the transaction that
 * inserts the job and locks the account's balance, so that two concurrent jobs count each other.
 */
export async function checkInserted(
  queries: Queries,
  { account, inputs, accountBytes }: Pick<NewJob, 'account' | 'inputs' | 'accountBytes'>,
): Promise<void> {
  if (accountBytes === undefined) return;
  const inputBytes = bytesOfInputs(inputs);
  requireRoom((await countStored(queries, account)) - inputBytes - jobBytes, inputBytes, accountBytes);
}

export const bytesOfInputs = (inputs: readonly string[]): number =>
  inputs.reduce((sum, input) => sum + Buffer.byteLength(input), 0);
