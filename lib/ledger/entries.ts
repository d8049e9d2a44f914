import type { Outcome } from '../database/group-queue.js';
import type { Queries } from '../database/queries.js';
import { ExtractError } from '../errors/extract-error.js';
import { addToBalances, balanceOf, lockBalances, markBought, openBalance } from './balances.js';
import type { Charge, Ending, Grant } from './ledger.js';
import * as postings from './postings.js';
import type { UnitOfWork } from './unit-of-work.js';
import { loadUnit, storeUnit, type UnitNeeds } from './unit-store.js';

/*
 * The ledger's entries. Each runs inside a transaction of its caller and changes the balance together with the row that
 * explains it. If an entry rejects, the caller's rollback undoes it.
 */

/** An entry: the part of the books it needs, and the change it makes. If it throws, the books are unchanged. */
export interface Posting<T> {
  readonly needs: UnitNeeds;
  /**
   * Id of the call that the entry leaves charged. If its caller cannot be notified, the price is refunded. Null for
   * none, and for a charge that `resumes`, whose caller will return with the same id.
   */
  readonly charges: string | null;
  post(unit: UnitOfWork): T;
}

function needsOf({ id, account, key }: Charge): UnitNeeds {
  return { ids: [id], accounts: [account], keys: key === undefined ? [] : [key.id] };
}

const needsRow = (id: string): UnitNeeds => ({ ids: [id] });

/** Returns the entry of `charge` for `owner`, the working node. */
export function chargePosting(charge: Charge, owner: string): Posting<void> {
  const { id, resumes } = charge;
  return {
    needs: needsOf(charge),
    charges: resumes === true ? null : id,
    post: (unit) => postings.charge(unit, charge, owner),
  };
}

export function payPosting(charge: Charge, owner: string): Posting<number> {
  return { ...chargePosting(charge, owner), post: (unit) => postings.pay(unit, charge, owner) };
}

export function settlePosting(id: string, ending: Ending): Posting<number> {
  const charges = ending.status === 'ok' ? id : null;
  return { needs: needsRow(id), charges, post: (unit) => postings.settle(unit, id, ending) };
}

export function refundPosting(id: string): Posting<number> {
  return { needs: needsRow(id), charges: null, post: (unit) => postings.refund(unit, id) };
}

/**
 * Makes entries in order over one part of the books, which is locked and loaded once. A refused entry leaves the books
 * unchanged. Rejects if the books cannot be read or written.
 */
export async function makeEntries(
  queries: Queries,
  entries: readonly Posting<unknown>[],
  now: number,
): Promise<readonly Outcome[]> {
  const all = entries.map(({ needs }) => needs);
  const distinct = (name: keyof UnitNeeds) => [...new Set(all.flatMap((needs) => needs[name] ?? []))];
  const needs = { ids: distinct('ids'), accounts: distinct('accounts'), keys: distinct('keys') };
  const unit = await loadUnit(queries, needs, now);
  const outcomes = entries.map(({ post }): Outcome => {
    try {
      return { value: post(unit) };
    } catch (reason) {
      if (reason instanceof ExtractError) return { reason };
      throw reason;
    }
  });
  await storeUnit(queries, unit);
  return outcomes;
}

/** Ends abandoned calls as failed and refunds them. Calls that have ended meanwhile stay unchanged. */
export async function failCalls(queries: Queries, ids: readonly string[], now: number): Promise<void> {
  const unit = await loadUnit(queries, { ids }, now);
  for (const id of ids) {
    if (unit.row(id) !== undefined) postings.settle(unit, id, { status: 'failed', code: 'internal_error' });
  }
  await storeUnit(queries, unit);
}

/** Adds credits once per id. Creates the account if it does not exist. Returns the balance. */
export async function grant(queries: Queries, entry: Grant): Promise<number> {
  const { id, account, credits, kind } = entry;
  const time = postings.checkGrant(entry);
  const added = await queries.run(
    `INSERT INTO grants (id, account, credits, kind, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO NOTHING`,
    [id, account, credits, kind, time],
  );
  if (added === 1) {
    await openBalance(queries, account, time);
    await addToBalances(queries, new Map([[account, credits]]));
    if (kind === 'pack') await markBought(queries, account);
  }
  return (await balanceOf(queries, account)).credits;
}

/** A charge for an account's entire balance. */
export interface Forfeit extends Pick<Charge, 'id' | 'account' | 'endpoint' | 'at'> {}

/** Charges an account's entire balance, so that nothing can be spent. Does nothing if it is zero. */
export async function forfeit(queries: Queries, entry: Forfeit, owner: string): Promise<void> {
  const [balance] = await lockBalances(queries, [entry.account]);
  if (balance === undefined || balance.credits === 0) return;
  const charge = { ...entry, credits: balance.credits, needsPack: false };
  const unit = await loadUnit(queries, needsOf(charge), entry.at);
  postings.pay(unit, charge, owner);
  await storeUnit(queries, unit);
}
