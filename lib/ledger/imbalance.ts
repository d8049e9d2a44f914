/** An account whose balance is not the sum of its rows: a fault of this program. */
export interface Imbalance {
  readonly account: string;
  readonly balance: number;
  /** Credits granted minus credits charged: what the balance must be. */
  readonly expected: number;
}

/** Sums of a day that are not those of its calls: a fault of this program. */
export interface WrongSum {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly day: number;
}

/** Selects the accounts whose balance is another number than the sum of their rows, or below zero. */
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
