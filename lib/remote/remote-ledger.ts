import { ExtractError } from '../errors/extract-error.js';
import { servedRow } from '../ledger/call-row.js';
import type { Balance, Ledger, UsageQuery } from '../ledger/ledger.js';
import type { UsageRow } from '../ledger/usage-row.js';
import type { ApiClient } from './api-client.js';

function readOnly(): never {
  throw new ExtractError(
    'invalid_parameter',
    'The server keeps the ledger of this account: credits are bought there, and it charges its calls itself.',
  );
}

/** The ledger of a server's account, by key. Only the server writes, so every change is rejected. */
export class RemoteLedger implements Ledger {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Returns the balance of the key's account, whatever account is passed. */
  async balance(_account: string): Promise<Balance> {
    const { data } = await this.#client.get('account', {});
    const { id, credits_remaining, credits_kind } = data as {
      readonly id: string;
      readonly credits_remaining: number;
      readonly credits_kind: string;
    };
    return { account: id, credits: credits_remaining, bought: credits_kind === 'bought' };
  }

  async usage(_account: string, query: UsageQuery) {
    const { limit, before: cursor, from, to, endpoint, job: job_id } = query;
    const filters = Object.entries({ limit: String(limit), cursor, from, to, endpoint, job_id });
    const { data, meta } = await this.#client.get(
      'usage',
      Object.fromEntries(filters.filter((one): one is [string, string] => one[1] !== undefined)),
    );
    return { rows: (data as readonly UsageRow[]).map(servedRow), next: meta.next_cursor as string | null };
  }

  async charge(): Promise<never> {
    return readOnly();
  }

  async pay(): Promise<never> {
    return readOnly();
  }

  async settle(): Promise<never> {
    return readOnly();
  }

  async refund(): Promise<never> {
    return readOnly();
  }

  async grant(): Promise<never> {
    return readOnly();
  }

  async checkWritable(): Promise<never> {
    return readOnly();
  }

  async close(): Promise<void> {}
}
