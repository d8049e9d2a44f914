import type { Outcome } from '../database/group-queue.js';
import type { Queries } from '../database/queries.js';
import { ExtractError } from '../errors/extract-error.js';
import { addToBalances, balanceOf, lockBalances, markBought, openBalance } from './balances.js';
import type { Charge, Ending, Grant } from './ledger.js';
import * as postings from './postings.js';
import type { UnitOfWork } from './unit-of-work.js';
import { loadUnit, storeUnit, type UnitNeeds } from './unit-store.js';

/*
 * The ledger's entries, each to be made inside a transaction of its caller. Every one moves the balance together with
 * the row that says why. The caller's rollback undoes an entry that rejects.
 */

/** An entry: what it needs of the books, and what it does to them. It throws with the books as they were. */
export interface Posting<T> {
  readonly needs: UnitNeeds;
  /**
   * Id of the call that it leaves charged. Where its caller cannot be told so, the price is given back. Null for none,
   * and for a charge that `resumes`: its caller comes again with the same id.
   */
  readonly charges: string | null;
  post(unit: UnitOfWork): T;
}

function needsOf({ id, account, key }: Charge): UnitNeeds {
  return { ids: [id], accounts: [account], keys: key === undefined ? [] : [key.id] };
}

const needsRow = (id: string): UnitNeeds => ({ ids: [id] });

/** The entry of `charge`, for `owner`, the node at work. */
export function chargePosting(charge: Charge, owner: string): Posting<void> {
  const { id, resumes } = charge;
  return {
    needs: needsOf(charge),
    charges: resumes === true ? null : id,
    post: (unit) => postings.charge(unit, charge, owner),
  };
}

/** The entry of `pay`. */
export function payPosting(charge: Charge, owner: string): Posting<number> {
  return { ...chargePosting(charge, owner), post: (unit) => postings.pay(unit, charge, owner) };
}

/** The entry of `settle`. */
export function settlePosting(id: string, ending: Ending): Posting<number> {
  const charges = ending.status === 'ok' ? id : null;
  return { needs: needsRow(id), charges, post: (unit) => postings.settle(unit, id, ending) };
}

/** The entry of `refund`. */
export function refundPosting(id: string): Posting<number> {
  return { needs: needsRow(id), charges: null, post: (unit) => postings.refund(unit, id) };
}

/**
 * Makes entries in their order over one part of the books, locked and loaded once. One that is refused leaves the books as
 * they were. Rejects where they cannot be read or written.
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

/** Ends calls that nobody will end as failed, their prices given back. A call that has ended since stays as it is. */
export async function failCalls(queries: Queries, ids: readonly string[], now: number): Promise<void> {
  const unit = await loadUnit(queries, { ids }, now);
  for (const id of ids) {
    if (unit.row(id) !== undefined) postings.settle(unit, id, { status: 'failed', code: 'internal_error' });
  }
  await storeUnit(queries, unit);
}

/** Adds credits, opening the account where there is none; once for an id. Resolves with the balance. */
export async function grant(queries: Queries, given: Grant): Promise<number> {
  const { id, account, credits, kind } = given;
  const time = postings.checkGrant(given);
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

/** A charge of all that an account has left. */
export interface Forfeit extends Pick<Charge, 'id' | 'account' | 'endpoint' | 'at'> {}

/** Charges and ends what an account has left, so that there is nothing to spend; nothing where nothing is left. */
export async function forfeit(queries: Queries, given: Forfeit, owner: string): Promise<void> {
  const [balance] = await lockBalances(queries, [given.account]);
  if (balance === undefined || balance.credits === 0) return;
  const charge = { ...given, credits: balance.credits, needsPack: false };
  const unit = await loadUnit(queries, needsOf(charge), given.at);
  postings.pay(unit, charge, owner);
  await storeUnit(queries, unit);
}
