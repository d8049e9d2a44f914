import * as z from 'zod';
import { type ChargedKey, nextMonth } from '../../../lib/ledger/key-limit.js';
import type { UsageQueries } from './usage-queries.js';

/** The monthly limit of a key, and what it has spent. */
export const keySpendObject = z.strictObject({
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .describe('Credits it may spend in a calendar month (UTC); null for no limit.'),
  monthly_credits_used: z.int().min(0).describe('Credits it has spent this month, refunds deducted.'),
  monthly_credits_reset_at: z.iso.datetime().describe('When the next month begins.'),
});

/** What a key has spent in a month, and its limit. */
export type KeySpend = Readonly<z.output<typeof keySpendObject>>;

/** A key with its limit. */
interface LimitedKey extends Pick<KeySpend, 'monthly_credits'> {
  readonly id: string;
  readonly name: string;
}

/** Returns a key in the form in which calls are charged to it. */
export function chargedKey({ id, name, monthly_credits: monthlyCredits }: LimitedKey) {
  return { id, name, monthlyCredits };
}

/** Returns a key with what it has spent this month. */
export async function withSpend<Key extends LimitedKey>(
  key: Key,
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  now: number,
): Promise<Key & KeySpend> {
  return { ...key, ...(await keySpend(usage, chargedKey(key), now)) };
}

/** Returns the limit of a key and what it has spent this month. */
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
