import type { Database } from '../../database/sqlite/driver.js';
import { dayMs } from '../../runtime/clock.js';
import type { DaySpend } from '../call-row.js';

/**
 * Sums the ended calls of an account from `from` to before `to` (milliseconds since 1970) by day and endpoint. Of a day
 * whose calls were archived the whole counts.
 */
export function spendByDay(db: Database, account: string, from: number, to: number): readonly DaySpend[] {
  // One query a day. Rows are stored in the order of time, and one query over all days would sort them.
  const ofDay = db.prepare<[string, number, number, string, number], Omit<DaySpend, 'day'>>(
    `SELECT endpoint, sum(calls) AS calls, sum(failed) AS failed, sum(credits) AS credits FROM (
       SELECT endpoint, count(*) AS calls, count(*) FILTER (WHERE status = 'failed') AS failed,
         sum(credits_charged) AS credits
       FROM usage
       WHERE account = ? AND status <> 'pending' AND created_at >= ? AND created_at < ?
       GROUP BY endpoint
       UNION ALL
       SELECT endpoint, calls, failed, credits_charged FROM usage_days WHERE account = ? AND day = ?
     ) GROUP BY endpoint ORDER BY endpoint`,
  );
  const days: DaySpend[] = [];
  for (let begin = Math.floor(from / dayMs) * dayMs; begin < to; begin += dayMs) {
    const day = new Date(begin).toISOString().slice(0, 10);
    const [first, end] = [Math.max(begin, from), Math.min(begin + dayMs, to)];
    days.push(...ofDay.all(account, first, end, account, begin).map((one) => ({ day, ...one })));
  }
  return days;
}
