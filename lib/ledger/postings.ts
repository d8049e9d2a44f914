import { ExtractError } from '../errors/extract-error.js';
import { type CallRow, unmeasured } from './call-row.js';
import { monthlyLimitReached } from './key-limit.js';
import type { Charge, Ending, Grant } from './ledger.js';
import type { UnitOfWork } from './unit-of-work.js';

const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`);

/** An error of the calling code. */
function fault(message: string): ExtractError {
  return new ExtractError('internal_error', message);
}

/**
 * Throws `internal_error` for a charge that no row can hold: an invalid price or time, or a text that the database
 * cannot store.
 */
export function checkCharge({ id, account, endpoint, credits: price, at, key, job }: Charge): void {
  if (!Number.isSafeInteger(price) || price < 0) throw fault(`${price} is not a price.`);
  if (!Number.isSafeInteger(at)) throw fault(`${at} is not a time.`);
  const texts = [id, account, endpoint, key?.id, key?.name, job];
  if (texts.some((text) => text?.includes('\0')))
    throw fault('A charge contains a character that cannot be stored.');
}

/**
 * Returns the time of a grant in milliseconds. Throws `internal_error` unless its amount is a positive whole number.
 */
export function checkGrant({ credits: count, at }: Grant): number {
  if (!Number.isSafeInteger(count) || count <= 0) throw fault(`${count} is not a number of credits to add.`);
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw fault(`“${at}” is not a time.`);
  return time;
}

/** Returns the key of a row that is charged again, with its limit if the charge has it. */
function keyOf({ key_id: id, key_name: name }: CallRow, { key }: Charge): Charge['key'] {
  if (id === null || id === key?.id) return id === null ? undefined : key;
  return { id, name: name ?? '' };
}

/** Checks that the account, and the key within its limit, can pay `due` for a call. */
function checkFunds(
  unit: UnitOfWork,
  { account, credits: price, needsPack }: Charge,
  key: Charge['key'],
  due: number,
) {
  const { credits: balance, bought } = unit.balance(account);
  if (needsPack && !bought) throw new ExtractError('fresh_not_available');
  const limit = key?.monthlyCredits;
  // A free call passes every limit, including one lowered below what was spent this month.
  if (key !== undefined && limit !== null && limit !== undefined && due > 0) {
    const spent = unit.spent(key.id);
    const refusal = { name: key.name, limit, spent, price: due, at: unit.now, what: 'call' } as const;
    if (spent + due > limit) throw monthlyLimitReached(refusal);
  }
  if (balance >= due) return;
  throw new ExtractError(
    'insufficient_credits',
    `The call costs ${credits(price)}, but the balance is ${credits(balance)}. Nothing was charged.`,
  );
}

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

type RowEnding =
  | { readonly status: 'ok'; readonly cached: boolean }
  | { readonly status: 'failed'; readonly code: string | null };

/** Returns a row as it ends, at its final price. The rest of its price is refunded. */
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

/** Returns the row of a call that is already answered. */
export function paidRow(charge: Charge, now: number): CallRow {
  const row = pendingRow(charge, '', now);
  return endedRow(row, { status: 'ok', cached: true }, charge.credits, charge.measures);
}

/**
 * Takes the price for `owner`, the working node, as `Ledger.charge` specifies. If it throws, the books are unchanged.
 */
export function charge(unit: UnitOfWork, request: Charge, owner: string): void {
  checkCharge(request);
  const { id, account, credits: price } = request;
  const existing = unit.row(id);
  if (existing !== undefined && (request.resumes !== true || existing.account !== account)) {
    throw fault(`A call with the ID “${id}” was charged before.`);
  }
  // A price in the row is not taken again; a refunded row has 0. The key of the row continues to pay for it.
  const key = existing === undefined ? request.key : keyOf(existing, request);
  checkFunds(unit, request, key, price - (existing?.credits_charged ?? 0));
  const job = existing === undefined ? request.job : (existing.job_id ?? undefined);
  unit.put(pendingRow({ ...request, key, job }, owner, unit.now));
}

/** Charges and ends a call that is already answered. Returns the balance. */
export function pay(unit: UnitOfWork, request: Charge, owner: string): number {
  // Insufficient funds are reported first, as SQLite does.
  if (request.resumes !== true) {
    checkCharge(request);
    checkFunds(unit, request, request.key, request.credits);
  }
  charge(unit, request, owner);
  return settle(unit, request.id, { status: 'ok', cached: true, measures: request.measures });
}

function rowOf(unit: UnitOfWork, id: string): CallRow {
  const row = unit.row(id);
  if (row === undefined) throw fault(`No call with the ID “${id}” was charged.`);
  return row;
}

/** The error of a call that counted as abandoned because its process had stalled. */
export function refundedCall(): ExtractError {
  return new ExtractError(
    'internal_error',
    'The server was suspended during this call, so its charge was refunded. Try again.',
  );
}

/**
 * Ends a pending row, refunding the price if the call failed. Does nothing to a row that has ended. Returns the
 * balance. Throws `internal_error` for an answer whose price was refunded, because its caller would receive a price
 * that nobody pays.
 */
export function settle(unit: UnitOfWork, id: string, ending: Ending): number {
  const row = rowOf(unit, id);
  if (row.status === 'failed' && ending.status === 'ok') throw refundedCall();
  if (row.status === 'pending') {
    const price = ending.status === 'ok' ? row.credits_charged : 0;
    unit.put(endedRow(row, ending, price, ending.measures));
  }
  return unit.balance(row.account).credits;
}

/** Ends a row as cancelled, whether it is pending or succeeded. Does nothing to a failed row. Returns the balance. */
export function refund(unit: UnitOfWork, id: string): number {
  const row = rowOf(unit, id);
  if (row.status !== 'failed') unit.put(endedRow(row, { status: 'failed', code: null }, 0));
  return unit.balance(row.account).credits;
}
