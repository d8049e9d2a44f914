import type { Queries } from '../../database/queries.js';
import { type Imbalance, selectImbalances, type WrongSum } from '../imbalance.js';

/** Adds up every account's rows and resolves with those whose balance is another number or below zero. */
export function imbalances(queries: Queries): Promise<Imbalance[]> {
  return queries.rows<Imbalance>(selectImbalances);
}

/** Adds up the calls of every day and resolves with the days whose kept sums, or keys' months, are others. */
export function wrongSums(queries: Queries): Promise<WrongSum[]> {
  return queries.rows<WrongSum>(
    `WITH counted AS (
       SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, '') AS key_id, 1 AS calls,
         (status = 'failed')::int AS failed, credits_charged AS credits
       FROM usage WHERE status <> 'pending'
       UNION ALL SELECT account, day, endpoint, key_id, calls, failed, credits_charged FROM usage_days
       UNION ALL SELECT account, day, endpoint, key_id, -calls, -failed, -credits FROM usage_sums
     )
     SELECT account, day FROM counted GROUP BY account, day, endpoint, key_id
     HAVING sum(calls) <> 0 OR sum(failed) <> 0 OR sum(credits) <> 0`,
  );
}
