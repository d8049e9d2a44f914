import type { Database } from 'better-sqlite3';

/** What an account spent on one endpoint on one day (UTC). */
export interface DaySpend {
  /** `2026-11-21` */
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}

/**
 * Ended calls of an account from `from` to before `to` (milliseconds since 1970), summed by day and endpoint, in
 * that order. Sums of the rows that the usage pages show, so that both always agree.
 */
export function spendByDay(db: Database, account: string, from: number, to: number): readonly DaySpend[] {
  return db
    .prepare<[string, number, number], DaySpend>(
      `SELECT date(created_at / 1000, 'unixepoch') AS day, endpoint, count(*) AS calls,
         count(*) FILTER (WHERE status = 'failed') AS failed, sum(credits_charged) AS credits
       FROM usage
       WHERE account = ? AND status <> 'pending' AND created_at >= ? AND created_at < ?
       GROUP BY day, endpoint ORDER BY day, endpoint`,
    )
    .all(account, from, to);
}
