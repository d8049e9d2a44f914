import { dayMs } from '../../runtime/clock.js';
import type { Database } from '../../sqlite/driver.js';
import {
  type ArchivedCall,
  type ArchivedRow,
  type ArchivePosition,
  archivedCallOf,
  usageColumns,
} from '../call-row.js';

interface DeletedRow {
  readonly status: 'ok' | 'failed';
  readonly credits_charged: number;
  readonly credits_refunded: number;
  readonly cached: number;
}

/**
 * Old calls as sums. Their rows leave the table and are added to those of their day, key and endpoint. One transaction
 * does both, so that the books add up at any instant. Calls of a job that is at work stay.
 */
export class CallArchive {
  readonly #page;
  readonly #delete;
  readonly #add;

  constructor(db: Database) {
    this.#page = db.prepare<[number, string, number, string, number], ArchivedRow>(
      `SELECT account, ${usageColumns} FROM usage
       WHERE status <> 'pending' AND created_at < ? AND (account, created_at, id) > (?, ?, ?)
         AND NOT EXISTS (SELECT 1 FROM usage AS other WHERE other.job_id = usage.job_id AND other.status = 'pending')
       ORDER BY account, created_at, id LIMIT ?`,
    );
    this.#delete = db.prepare<[string, number, string], DeletedRow>(
      `DELETE FROM usage WHERE account = ? AND created_at = ? AND id = ? AND status <> 'pending'
       RETURNING status, credits_charged, credits_refunded, cached`,
    );
    this.#add = db.prepare<(string | number)[]>(
      `INSERT INTO usage_days (account, day, endpoint, key_id, calls, failed, cached, credits_charged, credits_refunded)
       VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)
       ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET calls = calls + 1, failed = failed + excluded.failed,
         cached = cached + excluded.cached, credits_charged = credits_charged + excluded.credits_charged,
         credits_refunded = credits_refunded + excluded.credits_refunded`,
    );
  }

  /** Calls made before a time (milliseconds since 1970), behind a position, so many at most. */
  page(before: number, { account, created, id }: ArchivePosition, limit: number): ArchivedCall[] {
    return this.#page.all(before, account, created, id, limit).map(archivedCallOf);
  }

  /** Replaces calls by their sums; inside a write transaction. */
  replace(calls: readonly ArchivedCall[]): void {
    for (const { account, created_at, id, endpoint, api_key } of calls) {
      const created = Date.parse(created_at);
      const row = this.#delete.get(account, created, id);
      if (row === undefined) continue;
      this.#add.run(
        account,
        Math.floor(created / dayMs) * dayMs,
        endpoint,
        api_key?.id ?? '',
        row.status === 'failed' ? 1 : 0,
        row.cached,
        row.credits_charged,
        row.credits_refunded,
      );
    }
  }
}
