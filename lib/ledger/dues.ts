import type { Charge } from './ledger.js';

/** The sum that several calls charge one account. */
export interface AccountDue {
  readonly account: string;
  readonly credits: number;
  readonly needsPack: boolean;
}

/** The sum that several calls charge one key, and the key's limit for the month. */
export interface KeyDue {
  readonly key: string;
  readonly credits: number;
  readonly limit: number;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The sum that each account is to pay, in the order of their ids: everybody locks them so. */
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

/** The sum that each key is to be charged. A limit that was set a moment ago holds for all that were asked before. */
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

/** The balance of its account after each charge, from the balances after all of them. */
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
