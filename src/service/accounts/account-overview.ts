import type { UsageQueries } from '../usage/ledger-usage.js';
import type { Account } from './accounts.js';
import type { SignInStore } from './sign-in/sign-in-store.js';

export interface AccountSummary extends Account {
  /** Time of the last call or visit, ISO 8601 UTC; null for an account that was never used. */
  readonly last_used_at: string | null;
}

interface Uses {
  readonly signIn: Pick<SignInStore, 'findLastUse'>;
  readonly usage: Pick<UsageQueries, 'findLastCallAt'>;
}

/** Returns an account with the time of its last use, for the operator. */
export async function withLastUse(account: Account, { signIn, usage }: Uses): Promise<AccountSummary> {
  const times = await Promise.all([usage.findLastCallAt(account.id), signIn.findLastUse(account.id)]);
  // Times in ISO 8601 UTC sort as text.
  const sortedTimes = times.filter((time) => time !== null).toSorted();
  return { ...account, last_used_at: sortedTimes.at(-1) ?? null };
}
