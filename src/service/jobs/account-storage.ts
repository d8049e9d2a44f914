import type { Database } from '../../../lib/database/database.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** Bytes that the files of a job take on a disk besides its lines. */
const jobBytes = 4096;

/** Bytes of an account that stay for a while; each part has its index. */
const parts = (condition: string) => `
  SELECT account, bytes + late_bytes + ${jobBytes} AS held FROM jobs WHERE ${condition} deleted = 0
  UNION ALL SELECT account, input_bytes FROM jobs WHERE ${condition} lines < total
  UNION ALL SELECT account, input_bytes FROM schedules WHERE ${condition} status <> 'ended'`;

/** The bytes that an account has stored. */
export interface StoredBytes {
  readonly account: string;
  readonly bytes: number;
}

/** How many bytes of results, and of the inputs of unfinished jobs and of schedules, each account has stored. */
export class AccountStorage {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(account: string): Promise<number> {
    const found = await this.#database.read((queries) =>
      queries.first<{ readonly bytes: number }>(
        `SELECT CAST(coalesce(sum(held), 0) AS bigint) AS bytes FROM (${parts('account = $1 AND')}) AS stored`,
        [account],
      ),
    );
    return found?.bytes ?? 0;
  }

  /** The accounts that have stored most, the largest first. */
  listLargest(limit: number): Promise<readonly StoredBytes[]> {
    return this.#database.read((queries) =>
      queries.rows<StoredBytes>(
        `SELECT account, CAST(sum(held) AS bigint) AS bytes FROM (${parts('')}) AS stored
         GROUP BY account ORDER BY bytes DESC, account LIMIT $1`,
        [limit],
      ),
    );
  }

  /** Rejects `storage_full` where an account would have stored more than it may with so many bytes more. */
  async checkRoom(account: string, wanted: number, maxBytes: number): Promise<void> {
    const bytes = await this.of(account);
    if (bytes + wanted <= maxBytes) return;
    const mb = (value: number) => Math.ceil(value / 1024 / 1024).toLocaleString('en');
    throw new ExtractError(
      'storage_full',
      `The account has ${mb(bytes)} of ${mb(maxBytes)} MB of results and inputs stored, and ${mb(wanted)} MB more have no room.`,
    );
  }
}

/** Bytes of inputs, as they are stored. */
export const bytesOfInputs = (inputs: readonly string[]): number =>
  inputs.reduce((sum, input) => sum + Buffer.byteLength(input), 0);
