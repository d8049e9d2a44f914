import type { Queries } from '../database/queries.js';

/** An account whose balance differs from the sum of its rows: a bug in this program. */
export interface Imbalance {
  readonly account: string;
  readonly balance: number;
  /** Credits granted minus credits charged: what the balance should be. */
  readonly expected: number;
}

/** A day whose sums differ from its calls: a bug in this program. */
export interface WrongSum {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly day: number;
}

export const selectImbalances = `
  WITH moved (account, credits) AS (
    SELECT account, credits FROM grants
    UNION ALL SELECT account, -credits_charged FROM usage
    UNION ALL SELECT account, -credits_charged FROM usage_days
    UNION ALL SELECT id, 0 FROM balances
  ), summed AS (SELECT account, sum(credits) AS expected FROM moved GROUP BY account)
  SELECT account, coalesce(balance, 0) AS balance, expected
  FROM summed LEFT JOIN balances ON balances.id = account
  WHERE coalesce(balance, 0) <> expected OR expected < 0`;

export function imbalancesIn(queries: Queries): Promise<Imbalance[]> {
  return queries.rows<Imbalance>(selectImbalances);
}

/** Returns the days whose stored sums differ from their calls. */
export function wrongSumsIn(queries: Queries): Promise<WrongSum[]> {
  return queries.rows<WrongSum>(
    `WITH counted AS (
       SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, '') AS key_id, 1 AS calls,
         CASE status WHEN 'failed' THEN 1 ELSE 0 END AS failed, credits_charged AS credits
       FROM usage WHERE status <> 'pending'
       UNION ALL SELECT account, day, endpoint, key_id, calls, failed, credits_charged FROM usage_days
       UNION ALL SELECT account, day, endpoint, key_id, -calls, -failed, -credits FROM usage_sums
     )
     SELECT account, day FROM counted GROUP BY account, day, endpoint, key_id
     HAVING sum(calls) <> 0 OR sum(failed) <> 0 OR sum(credits) <> 0`,
  );
}
