import { setImmediate } from 'node:timers/promises';
import type { PreparedStatement, Queries } from '../database/queries.js';
import type { ErrorCode } from '../errors/extract-error.js';
import { dayMs } from '../runtime/clock.js';
import { addToBalances, balanceOf, lockBalances } from './balances.js';
import { type EndedEntry, inputId, inputIndex, type ReleasedJob, type Reserve } from './job-input.js';
import { checkJobFunds, type EndedInputs, endPending } from './job-postings.js';
import { monthOf } from './key-limit.js';
import { addToKeyMonths, spentByKeys } from './key-months.js';
import type { Balance } from './ledger.js';
import { loadUnit, storeUnit } from './unit-store.js';
import { addToSums } from './usage-sums.js';

/** Rows inserted per turn of the event loop, which SQLite blocks. */
const rowsPerTurn = 2_000;
/** Rows released per turn. An update takes several times as long as an insert. */
const refundsPerTurn = 500;

/** The credits reserved for a pending input. */
interface HeldRow {
  readonly id: string;
  readonly credits: number;
  readonly key_id: string | null;
  readonly charged_at: number;
  readonly endpoint: string;
  readonly day: number;
}

/*
 * The ledger entries of jobs. Each runs inside a transaction of its caller. A new job gets all its rows together,
 * pending and paid for. Each row is ended once.
 */

async function checkFunds(queries: Queries, reserve: Reserve, balance: Balance | undefined): Promise<void> {
  const { credits: price, count, key, at } = reserve;
  const spent = key === undefined ? undefined : await spentByKeys(queries, [key.id], monthOf(at));
  checkJobFunds({ credits: price, count, key, at }, balance?.credits ?? 0, spent?.get(key?.id ?? '') ?? 0);
}

/**
 * Rejects `insufficient_credits` if the account, or the key within its limit, could not pay for this many inputs now.
 * Takes no locks.
 */
export async function checkReserve(queries: Queries, reserve: Reserve): Promise<void> {
  await checkFunds(queries, reserve, await balanceOf(queries, reserve.account));
}

const reserve: PreparedStatement = {
  name: 'ledger_reserve_inputs',
  text: `
    WITH RECURSIVE inputs (input) AS (
      SELECT CAST($9 AS bigint) UNION ALL SELECT input + 1 FROM inputs WHERE input + 1 < $10
    )
    INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
    SELECT CAST($1 AS text) || ':' || input, $2, CAST($3 AS bigint), CAST($3 AS bigint), $4, 'pending', $5, $6, $7,
      CAST($1 AS text), $8
    FROM inputs`,
};

/**
 * Charges every input of a job for `owner` and locks the account's balance. Rejects `insufficient_credits`. Ten
 * thousand rows take 60 ms in SQLite, which yields to other work between batches, and 250 ms in PostgreSQL, where the
 * balance is locked after them because the account's other calls would wait that long.
 */
export async function reserveInputs(queries: Queries, hold: Reserve, owner: string): Promise<void> {
  const { job, account, endpoint, credits: price, count, at, key } = hold;
  const row = [job, account, at, endpoint, price, key?.id ?? null, key?.name ?? null, owner];
  for (let from = 0; from < count; from += rowsPerTurn) {
    if (from > 0) await setImmediate();
    await queries.run(reserve, [...row, from, Math.min(from + rowsPerTurn, count)]);
  }
  const [balance] = await lockBalances(queries, [account]);
  await checkFunds(queries, hold, balance);
  const cost = price * count;
  await addToBalances(queries, new Map([[account, -cost]]));
  if (key !== undefined) await addToKeyMonths(queries, [{ key: key.id, month: monthOf(at), credits: cost }]);
}

/**
 * Ends the pending rows of some inputs, and refunds the rest of their price. If several nodes worked on an input, the
 * first one ends it.
 */
export async function endPendingInputs<Entry extends EndedEntry>(
  queries: Queries,
  job: string,
  account: string,
  inputs: readonly Entry[],
): Promise<EndedInputs<Entry>> {
  const ids = inputs.map(({ index }) => inputId(job, index));
  const unit = await loadUnit(queries, { ids, accounts: [account] }, 0);
  const result = endPending(unit, job, account, inputs);
  await storeUnit(queries, unit);
  return result;
}

const prepared: PreparedStatement = {
  name: 'ledger_held_inputs',
  text: ({ anyOf, forUpdate }) => `
    SELECT id, credits_charged AS credits, key_id, charged_at, endpoint, created_at / ${dayMs} * ${dayMs} AS day
    FROM usage WHERE id ${anyOf('$1')} AND status = 'pending' ORDER BY id ${forUpdate}`,
};

/** The error of inputs that never ran. */
export const cancelled: ErrorCode = 'job_cancelled';

const release: PreparedStatement = {
  name: 'ledger_release_inputs',
  text: ({ anyOf }) => `
    UPDATE usage SET status = 'failed', error_code = '${cancelled}', credits_refunded = credits_refunded + credits_charged,
      credits_charged = 0, owner = NULL
    WHERE id ${anyOf('$1')}`,
};

/**
 * Ends and refunds every pending input of a cancelled job. In SQLite, ten thousand rows take 100 ms, so it
 * yields to other work between batches. Returns the number of inputs and credits.
 */
export async function releaseInputs(
  queries: Queries,
  { id: job, account, total }: ReleasedJob,
): Promise<{ readonly inputs: number; readonly credits: number }> {
  let [inputs, credits] = [0, 0];
  const sums = new Map<string, HeldRow & { readonly inputs: number }>();
  for (let from = 0; from < total; from += refundsPerTurn) {
    if (from > 0) await setImmediate();
    const size = Math.min(refundsPerTurn, total - from);
    const ids = Array.from({ length: size }, (_, at) => inputId(job, from + at));
    const rows = await queries.rows<HeldRow>(prepared, [ids]);
    if (rows.length > 0) await queries.run(release, [rows.map(({ id }) => id)]);
    for (const row of rows) {
      const { key_id: key, charged_at, endpoint, day } = row;
      const sumKey = JSON.stringify([key, charged_at, endpoint, day]);
      const sum = sums.get(sumKey);
      sums.set(sumKey, {
        ...row,
        inputs: (sum?.inputs ?? 0) + 1,
        credits: (sum?.credits ?? 0) + row.credits,
      });
      inputs += 1;
      credits += row.credits;
    }
  }
  if (inputs === 0) return { inputs, credits };
  await lockBalances(queries, [account]);
  for (const { inputs: calls, credits, key_id: key, charged_at, endpoint, day } of sums.values()) {
    if (key !== null) await addToKeyMonths(queries, [{ key, month: monthOf(charged_at), credits: -credits }]);
    await addToSums(queries, [{ account, day, endpoint, key: key ?? '', calls, failed: calls, credits: 0 }]);
  }
  await addToBalances(queries, new Map([[account, credits]]));
  return { inputs, credits };
}

/** Returns the indexes of a job's pending or failed inputs, in order. */
export async function inputsWith(
  queries: Queries,
  job: string,
  status: 'pending' | 'failed',
): Promise<number[]> {
  const rows = await queries.rows<{ readonly id: string }>(
    'SELECT id FROM usage WHERE job_id = $1 AND status = $2 ORDER BY length(id), id',
    [job, status],
  );
  return rows.map(({ id }) => inputIndex(job, id));
}

/** A statement for the ids of those of some inputs that a condition is true of. */
const among = (name: string, condition: string): PreparedStatement => ({
  name,
  text: ({ anyOf }) => `SELECT id FROM usage WHERE id ${anyOf('$1')} AND ${condition}`,
});

const conditions = {
  pending: among('ledger_pending_inputs', "status = 'pending'"),
  cancelled: among('ledger_cancelled_inputs', `status = 'failed' AND error_code = '${cancelled}'`),
};

/** Returns which of some inputs are pending, or were cancelled. */
export async function inputsAmong(
  queries: Queries,
  job: string,
  indexes: readonly number[],
  condition: keyof typeof conditions,
): Promise<ReadonlySet<number>> {
  const ids = indexes.map((index) => inputId(job, index));
  const rows = await queries.rows<{ readonly id: string }>(conditions[condition], [ids]);
  return new Set(rows.map(({ id }) => inputIndex(job, id)));
}
