import * as z from 'zod';
import { type ChargedKey, nextMonth } from '../../../lib/ledger/key-limit.js';
import type { UsageQueries } from './ledger-usage.js';

/** A key's monthly limit, and what it has spent. */
export const keySpendObject = z.strictObject({
  monthly_credits: z
    .int()
    .min(0)
    .nullable()
    .describe('Credits it may spend in a calendar month (UTC); null for no limit.'),
  monthly_credits_used: z.int().min(0).describe('Credits it has spent this month, minus refunds.'),
  monthly_credits_reset_at: z.iso.datetime().describe('When the next month begins.'),
});

export type KeySpend = Readonly<z.output<typeof keySpendObject>>;

interface LimitedKey extends Pick<KeySpend, 'monthly_credits'> {
  readonly id: string;
  readonly name: string;
}

export function chargedKey({ id, name, monthly_credits: monthlyCredits }: LimitedKey) {
  return { id, name, monthlyCredits };
}

/** Adds what a key has spent this month. */
export async function withSpend<Key extends LimitedKey>(
  key: Key,
  usage: Pick<UsageQueries, 'sumKeyMonth'>,
  now: number,
): Promise<Key & KeySpend> {
  return { ...key, ...(await keySpend(usage, chargedKey(key), now)) };
}

/** Returns a key's limit, and what it has spent this month. */
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
