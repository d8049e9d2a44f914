import { nextMonth } from '../../../lib/ledger/key-limit.js';
import type { UsageQueries } from './usage-queries.js';

/** The spending of a key in a month, and its limit. */
export interface KeySpend {
  /** Credits that it may be charged in a calendar month (UTC); null for no limit. */
  readonly monthly_credits: number | null;
  /** The charges of this month, refunds deducted. */
  readonly monthly_credits_used: number;
  /** ISO 8601 UTC; when the next month begins. */
  readonly monthly_credits_reset_at: string;
}

/** A key with what it has spent this month. */
export async function withSpend<Key extends { readonly id: string; readonly monthly_credits: number | null }>(
  key: Key,
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  now: number,
): Promise<Key & KeySpend> {
  const { id, monthly_credits: monthlyCredits } = key;
  return { ...key, ...(await keySpend(usage, { id, monthlyCredits }, now)) };
}

/** Puts what a key has spent this month beside its limit. */
export async function keySpend(
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  key: { readonly id: string; readonly monthlyCredits?: number | null | undefined },
  now: number,
): Promise<KeySpend> {
  return {
    monthly_credits: key.monthlyCredits ?? null,
    monthly_credits_used: await usage.sumKeyMonth(key.id, now),
    monthly_credits_reset_at: new Date(nextMonth(now)).toISOString(),
  };
}
