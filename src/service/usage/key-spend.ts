import { type ChargedKey, nextMonth } from '../../../lib/ledger/key-limit.js';
import { type ApiKey, chargedKey, type KeySpend, type ListedKey } from '../accounts/account-objects.js';
import type { UsageQueries } from './usage-queries.js';

/** A key with what it has spent this month. */
export async function withSpend(
  key: ApiKey,
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  now: number,
): Promise<ListedKey> {
  return { ...key, ...(await keySpend(usage, chargedKey(key), now)) };
}

/** Puts what a key has spent this month beside its limit. */
export async function keySpend(
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  key: ChargedKey,
  now: number,
): Promise<KeySpend> {
  return {
    monthly_credits: key.monthlyCredits ?? null,
    monthly_credits_used: await usage.sumKeyMonth(key.id, now),
    monthly_credits_reset_at: new Date(nextMonth(now)).toISOString(),
  };
}
