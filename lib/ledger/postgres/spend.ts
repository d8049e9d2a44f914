import type { Queries } from '../../postgres/queries.js';
import { dayMs } from '../../runtime/clock.js';
import type { DaySpend } from '../call-row.js';

interface SumRow extends Omit<DaySpend, 'day'> {
  readonly day: number;
}

/** The sums of whole days, as they are kept. */
const wholeDays = {
  name: 'ledger_spend_of_days',
  text: `SELECT day, endpoint, sum(calls) AS calls, sum(failed) AS failed, sum(credits) AS credits
         FROM usage_sums WHERE account = $1 AND day >= $2 AND day < $3
         GROUP BY day, endpoint HAVING sum(calls) > 0`,
};

/** The sums of a part of a day, over its calls; and of archived ones the whole day. */
const partOfDay = {
  name: 'ledger_spend_of_part',
  text: `SELECT $4::bigint AS day, endpoint, sum(calls) AS calls, sum(failed) AS failed, sum(credits) AS credits FROM (
           SELECT endpoint, count(*) AS calls, count(*) FILTER (WHERE status = 'failed') AS failed,
             sum(credits_charged) AS credits
           FROM usage WHERE account = $1 AND status <> 'pending' AND created_at >= $2 AND created_at < $3
           GROUP BY endpoint
           UNION ALL
           SELECT endpoint, calls, failed, credits_charged FROM usage_days WHERE account = $1 AND day = $4
         ) AS parts GROUP BY endpoint`,
};

/**
 * Sums the ended calls of an account from `from` to before `to` (milliseconds since 1970) by day and endpoint. Of a day
 * whose calls were archived the whole counts.
 */
export async function spendByDay(
  queries: Queries,
  account: string,
  from: number,
  to: number,
): Promise<readonly DaySpend[]> {
  if (to <= from) return [];
  const dayOf = (at: number) => Math.floor(at / dayMs) * dayMs;
  const [first, last] = [Math.ceil(from / dayMs) * dayMs, dayOf(to)];
  const rows: SumRow[] = [];
  const addPart = async (begin: number, end: number) => {
    if (begin < end)
      rows.push(...(await queries.rows<SumRow>(partOfDay, [account, begin, end, dayOf(begin)])));
  };
  await addPart(from, Math.min(first, to));
  if (first < last) rows.push(...(await queries.rows<SumRow>(wholeDays, [account, first, last])));
  await addPart(Math.max(last, first), to);
  rows.sort((a, b) => a.day - b.day || (a.endpoint < b.endpoint ? -1 : 1));
  return rows.map(({ day, endpoint, calls, failed, credits }) => {
    return { day: new Date(day).toISOString().slice(0, 10), endpoint, calls, failed, credits };
  });
}
