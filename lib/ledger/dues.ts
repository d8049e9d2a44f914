import type { Charge } from './ledger.js';

/** What several calls charge one account. */
export interface AccountDue {
  readonly account: string;
  readonly credits: number;
  readonly needsPack: boolean;
}

/** What several calls charge one key, with its monthly limit. */
export interface KeyDue {
  readonly key: string;
  readonly credits: number;
  readonly limit: number;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Returns what each account pays, in id order, because every process locks accounts in that order. */
export function accountDues(charges: readonly Charge[]): readonly AccountDue[] {
  const dues = new Map<string, Writable<AccountDue>>();
  for (const { account, credits, needsPack } of charges) {
    let due = dues.get(account);
    if (due === undefined) {
      due = { account, credits: 0, needsPack: false };
      dues.set(account, due);
    }
    due.credits += credits;
    due.needsPack ||= needsPack;
  }
  return [...dues.values()].sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** Returns what each key is charged. A limit that was just changed applies to every charge in the group. */
export function keyDues(charges: readonly Charge[]): readonly KeyDue[] {
  const dues = new Map<string, Writable<KeyDue>>();
  for (const { key, credits } of charges) {
    if (key === undefined || credits === 0) continue;
    let due = dues.get(key.id);
    if (due === undefined) {
      due = { key: key.id, credits: 0, limit: Number.MAX_SAFE_INTEGER };
      dues.set(key.id, due);
    }
    due.credits += credits;
    due.limit = Math.min(due.limit, key.monthlyCredits ?? due.limit);
  }
  return [...dues.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns the account's balance after each charge, from the balances after all of them. */
export function balancesAfter(
  charges: readonly Charge[],
  dues: readonly AccountDue[],
  after: ReadonlyMap<string, number>,
): number[] {
  const balances = new Map(
    dues.map(({ account, credits }) => [account, (after.get(account) ?? 0) + credits]),
  );
  return charges.map(({ account, credits }) => {
    const balance = (balances.get(account) ?? 0) - credits;
    balances.set(account, balance);
    return balance;
  });
}
