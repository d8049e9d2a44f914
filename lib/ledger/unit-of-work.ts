import { dayMs } from '../runtime/clock.js';
import type { CallRow } from './call-row.js';
import { monthOf } from './key-limit.js';
import type { Balance } from './ledger.js';

/** The change to the sums of a day, endpoint and key (`''` for none). */
export interface SumChange {
  readonly account: string;
  readonly day: number;
  readonly endpoint: string;
  readonly key: string;
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

interface UnitState {
  readonly balances: readonly Balance[];
  readonly rows: readonly CallRow[];
  /** The charges of keys in the month of `now`. */
  readonly spent: ReadonlyMap<string, number>;
  /** The ledger's own time. */
  readonly now: number;
}

function add<K>(sums: Map<K, number>, key: K, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by);
}

/** The fields of a call that affect daily sums. */
export type SummedCall = Pick<
  CallRow,
  'account' | 'endpoint' | 'key_id' | 'created_at' | 'status' | 'credits_charged'
>;

function sumsOf({ status, credits_charged: credits }: SummedCall) {
  if (status === 'pending') return { calls: 0, failed: 0, credits: 0 };
  return { calls: 1, failed: status === 'failed' ? 1 : 0, credits };
}

/** Returns how rows change the sums of their days: added rows count 1, removed rows -1. */
export function sumChanges(changes: Iterable<readonly [SummedCall, 1 | -1]>): readonly SumChange[] {
  const sums = new Map<string, Writable<SumChange>>();
  for (const [row, sign] of changes) {
    const { account, endpoint, key_id, created_at } = row;
    const day = Math.floor(created_at / dayMs) * dayMs;
    // No text of a row contains this character.
    const name = `${account}\0${day}\0${endpoint}\0${key_id ?? ''}`;
    let sum = sums.get(name);
    if (sum === undefined) {
      sum = { account, day, endpoint, key: key_id ?? '', calls: 0, failed: 0, credits: 0 };
      sums.set(name, sum);
    }
    const { calls, failed, credits } = sumsOf(row);
    sum.calls += sign * calls;
    sum.failed += sign * failed;
    sum.credits += sign * credits;
  }
  return [...sums.values()].filter(
    ({ calls, failed, credits }) => calls !== 0 || failed !== 0 || credits !== 0,
  );
}

/**
 * The locked and loaded part of the books for a group of entries. Money moves only through rows: `put` changes a row
 * together with the balance, the key's month and the day's sums.
 */
export class UnitOfWork {
  readonly now: number;
  readonly #balances: Map<string, Balance>;
  readonly #rows: Map<string, CallRow>;
  readonly #before = new Map<string, CallRow | undefined>();
  readonly #spent: Map<string, number>;

  constructor({ balances, rows, spent, now }: UnitState) {
    this.now = now;
    this.#balances = new Map(balances.map((one) => [one.account, one]));
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#spent = new Map(spent);
  }

  /** An account without a row has no credits. */
  balance(account: string): Balance {
    return this.#balances.get(account) ?? { account, credits: 0, bought: false };
  }

  /** Undefined if the call was never charged. */
  row(id: string): CallRow | undefined {
    return this.#rows.get(id);
  }

  spent(key: string): number {
    return this.#spent.get(key) ?? 0;
  }

  /** Inserts or replaces a row. The caller has checked that the account can pay. */
  put(row: CallRow): void {
    const old = this.#rows.get(row.id);
    if (!this.#before.has(row.id)) this.#before.set(row.id, old);
    this.#rows.set(row.id, row);
    const balance = this.balance(row.account);
    const due = row.credits_charged - (old?.credits_charged ?? 0);
    this.#balances.set(row.account, { ...balance, credits: balance.credits - due });
    const month = monthOf(this.now);
    for (const [one, sign] of [
      [old, -1],
      [row, 1],
    ] as const) {
      if (one?.key_id == null || monthOf(one.charged_at) !== month) continue;
      add(this.#spent, one.key_id, sign * one.credits_charged);
    }
  }

  /** New rows, and changed existing rows. */
  get written(): { readonly inserts: readonly CallRow[]; readonly updates: readonly CallRow[] } {
    const inserts: CallRow[] = [];
    const updates: CallRow[] = [];
    for (const [id, before] of this.#before) {
      const row = this.#rows.get(id);
      if (row !== undefined) (before === undefined ? inserts : updates).push(row);
    }
    return { inserts, updates };
  }

  /** True if an existing call has moved to another time. */
  get isMoved(): boolean {
    return [...this.#before].some(
      ([id, before]) => before !== undefined && this.#rows.get(id)?.created_at !== before.created_at,
    );
  }

  /** By account, in credits. */
  get moved(): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    this.#eachChange((row, sign) => add(sums, row.account, -sign * row.credits_charged));
    return sums;
  }

  /** In credits. */
  get months(): readonly { readonly key: string; readonly month: string; readonly credits: number }[] {
    const sums = new Map<string, number>();
    this.#eachChange((row, sign) => {
      if (row.key_id === null) return;
      add(sums, monthOf(row.charged_at) + row.key_id, sign * row.credits_charged);
    });
    return [...sums].map(([name, credits]) => ({ key: name.slice(7), month: name.slice(0, 7), credits }));
  }

  get sums(): readonly SumChange[] {
    const changes: (readonly [CallRow, 1 | -1])[] = [];
    this.#eachChange((row, sign) => changes.push([row, sign]));
    return sumChanges(changes);
  }

  #eachChange(count: (row: CallRow, sign: 1 | -1) => void): void {
    for (const [id, before] of this.#before) {
      if (before !== undefined) count(before, -1);
      const row = this.#rows.get(id);
      if (row !== undefined) count(row, 1);
    }
  }
}
