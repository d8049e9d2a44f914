import { ExtractError } from '../errors/extract-error.js';
import { type CallRow, unmeasured } from './call-row.js';
import { monthlyLimitReached } from './key-limit.js';
import type { Charge, Ending, Grant } from './ledger.js';
import type { UnitOfWork } from './unit-of-work.js';

const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`);

/** A fault of the caller. */
function fault(message: string): ExtractError {
  return new ExtractError('internal_error', message);
}

/**
 * Throws `internal_error` for a charge that no row can hold: its price or time is invalid, or the database cannot
 * store one of its texts.
 */
export function checkCharge({ id, account, endpoint, credits: price, at, key, job }: Charge): void {
  if (!Number.isSafeInteger(price) || price < 0) throw fault(`${price} is not a price.`);
  if (!Number.isSafeInteger(at)) throw fault(`${at} is not a time.`);
  const texts = [id, account, endpoint, key?.id, key?.name, job];
  if (texts.some((text) => text?.includes('\0')))
    throw fault('A charge holds a character that cannot be stored.');
}

/** The time of a grant in milliseconds. Throws `internal_error` for one that adds nothing that can be counted. */
export function checkGrant({ credits: count, at }: Grant): number {
  if (!Number.isSafeInteger(count) || count <= 0) throw fault(`${count} is not a number of credits to add.`);
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw fault(`“${at}” is not a time.`);
  return time;
}

/** The key of a row that is charged again, with its limit where the charge knows it. */
function keyOf({ key_id: id, key_name: name }: CallRow, { key }: Charge): Charge['key'] {
  if (id === null || id === key?.id) return id === null ? undefined : key;
  return { id, name: name ?? '' };
}

/** Checks that the account, and the key within its limit, may be charged `due` for a call. */
function checkFunds(
  unit: UnitOfWork,
  { account, credits: price, needsPack }: Charge,
  key: Charge['key'],
  due: number,
) {
  const { credits: balance, bought } = unit.balance(account);
  if (needsPack && !bought) throw new ExtractError('fresh_not_available');
  const limit = key?.monthlyCredits;
  // A call that costs nothing passes every limit, even one lowered below the month's spending.
  if (key !== undefined && limit !== null && limit !== undefined && due > 0) {
    const spent = unit.spent(key.id);
    const refusal = { name: key.name, limit, spent, price: due, at: unit.now, what: 'call' } as const;
    if (spent + due > limit) throw monthlyLimitReached(refusal);
  }
  if (balance >= due) return;
  throw new ExtractError(
    'insufficient_credits',
    `The call costs ${credits(price)}, the balance is ${credits(balance)}, and nothing was charged.`,
  );
}

/** The row of a call that begins now. */
export function pendingRow(charge: Charge, owner: string, now: number): CallRow {
  const { id, account, at, endpoint, credits: price, key, job } = charge;
  return {
    id,
    account,
    created_at: at,
    charged_at: now,
    endpoint,
    status: 'pending',
    error_code: null,
    credits_charged: price,
    credits_refunded: 0,
    cached: false,
    key_id: key?.id ?? null,
    key_name: key?.name ?? null,
    job_id: job ?? null,
    owner,
    ...unmeasured,
  };
}

/** How a row ends. */
type RowEnding =
  | { readonly status: 'ok'; readonly cached: boolean }
  | { readonly status: 'failed'; readonly code: string | null };

/** A row as it ends, at its final price: the rest of what it holds is given back. */
export function endedRow(
  row: CallRow,
  ending: RowEnding,
  price: number,
  measures?: Charge['measures'],
): CallRow {
  return {
    ...row,
    status: ending.status,
    error_code: ending.status === 'ok' ? null : ending.code,
    credits_charged: price,
    credits_refunded: row.credits_refunded + row.credits_charged - price,
    cached: ending.status === 'ok' && ending.cached,
    owner: null,
    ...measures,
  };
}

/** The row of a call that is answered already. */
export function paidRow(charge: Charge, now: number): CallRow {
  const row = pendingRow(charge, '', now);
  return endedRow(row, { status: 'ok', cached: true }, charge.credits, charge.measures);
}

/**
 * Takes the price for `owner`, the node at work, as the port promises. Throws, with the books as they were, what it
 * rejects with.
 */
export function charge(unit: UnitOfWork, given: Charge, owner: string): void {
  checkCharge(given);
  const { id, account, credits: price } = given;
  const held = unit.row(id);
  if (held !== undefined && (given.resumes !== true || held.account !== account)) {
    throw fault(`A call with the ID “${id}” was charged before.`);
  }
  // The price that the row already holds is not taken again; it holds 0 once it was refunded. Its key stays the one
  // that pays for it.
  const key = held === undefined ? given.key : keyOf(held, given);
  checkFunds(unit, given, key, price - (held?.credits_charged ?? 0));
  const job = held === undefined ? given.job : (held.job_id ?? undefined);
  unit.put(pendingRow({ ...given, key, job }, owner, unit.now));
}

/** A call that is answered already: charged and ended in one. Returns the balance. */
export function pay(unit: UnitOfWork, given: Charge, owner: string): number {
  // A lack of funds is reported first, as the ledger in a file does.
  if (given.resumes !== true) {
    checkCharge(given);
    checkFunds(unit, given, given.key, given.credits);
  }
  charge(unit, given, owner);
  return settle(unit, given.id, { status: 'ok', cached: true, measures: given.measures });
}

function rowOf(unit: UnitOfWork, id: string): CallRow {
  const row = unit.row(id);
  if (row === undefined) throw fault(`No call with the ID “${id}” was charged.`);
  return row;
}

/** For a call that others took for abandoned, as its process stood still. */
export function givenBack(): ExtractError {
  return new ExtractError(
    'internal_error',
    'The server stood still during this call, whose price was given back meanwhile. Nothing was charged; call again.',
  );
}

/**
 * Ends a pending row, with the price given back when the call failed; leaves an ended one. Returns the balance. Throws
 * `internal_error` for an answer whose price was given back: its caller would be told a price that nobody pays.
 */
export function settle(unit: UnitOfWork, id: string, ending: Ending): number {
  const row = rowOf(unit, id);
  if (row.status === 'failed' && ending.status === 'ok') throw givenBack();
  if (row.status === 'pending') {
    const price = ending.status === 'ok' ? row.credits_charged : 0;
    unit.put(endedRow(row, ending, price, ending.measures));
  }
  return unit.balance(row.account).credits;
}

/** Ends a row as given up, whether it had ended well or not at all; leaves a failed one. Returns the balance. */
export function refund(unit: UnitOfWork, id: string): number {
  const row = rowOf(unit, id);
  if (row.status !== 'failed') unit.put(endedRow(row, { status: 'failed', code: null }, 0));
  return unit.balance(row.account).credits;
}
