import type { Queries } from '../database/queries.js';
import { dayMs } from '../runtime/clock.js';
import type { DaySpend } from './call-row.js';

interface SumRow extends Omit<DaySpend, 'day'> {
  readonly day: number;
}

/** Sums the calls of part of a day, between two times. */
const sumsOfPart = (day: string, begins: string, ends: string) => `
      SELECT CAST(${day} AS bigint), endpoint, count(*), count(*) FILTER (WHERE status = 'failed'), CAST(sum(credits_charged) AS bigint)
      FROM usage WHERE account = $1 AND status <> 'pending' AND created_at >= ${begins} AND created_at < ${ends}
      GROUP BY endpoint`;

/**
 * The stored sums of whole days from $2 until before $3, and the sums of two partial days. Archived calls are summed by
 * whole days, so a partial day counts its whole day of them.
 */
const spendOfDays = {
  name: 'ledger_spend_of_days',
  text: `
    SELECT day, endpoint, sum(calls) AS calls, sum(failed) AS failed, sum(credits) AS credits FROM (
      SELECT day, endpoint, calls, failed, credits FROM usage_sums WHERE account = $1 AND day >= $2 AND day < $3
      UNION ALL ${sumsOfPart('$4', '$5', '$6')}
      UNION ALL ${sumsOfPart('$7', '$8', '$9')}
      UNION ALL
      SELECT day, endpoint, calls, failed, credits_charged FROM usage_days
      WHERE account = $1 AND (day = $4 AND CAST($5 AS bigint) < CAST($6 AS bigint) OR day = $7 AND CAST($8 AS bigint) < CAST($9 AS bigint))
    ) AS sums GROUP BY day, endpoint HAVING sum(calls) > 0 ORDER BY day, endpoint`,
};

/**
 * Sums an account's ended calls from `from` until before `to` (milliseconds since 1970) by day and endpoint. A day
 * whose calls were archived counts as a whole.
 */
export async function spendByDay(
  queries: Queries,
  account: string,
  from: number,
  to: number,
): Promise<readonly DaySpend[]> {
  const dayOf = (at: number) => Math.floor(at / dayMs) * dayMs;
  const [first, last] = [Math.ceil(from / dayMs) * dayMs, dayOf(to)];
  // An empty part ends no later than it starts.
  const part = (begins: number, ends: number) => [dayOf(begins), begins, ends];
  const values = [first, last, ...part(from, Math.min(first, to)), ...part(Math.max(last, first), to)];
  const rows = await queries.rows<SumRow>(spendOfDays, [account, ...values]);
  const names = new Map<number, string>();
  return rows.map(({ day, ...sums }) => {
    const name = names.get(day) ?? new Date(day).toISOString().slice(0, 10);
    names.set(day, name);
    return { day: name, ...sums };
  });
}
