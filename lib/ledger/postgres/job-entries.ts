import type { ErrorCode } from '../../errors/extract-error.js';
import type { Queries } from '../../postgres/queries.js';
import { dayMs } from '../../runtime/clock.js';
import {
  alreadyEnded,
  checkJobCost,
  type EndedEntry,
  endedPrice,
  inputId,
  inputIndex,
  type Reserve,
} from '../job-input.js';
import { monthlyLimitReached, monthOf } from '../key-limit.js';
import { addToBalances, lockBalances } from './balances.js';
import { addToKeyMonths, spentByKeys } from './key-months.js';
import { loadUnit, storeUnit } from './stored-unit.js';
import type { CallRow } from './unit-of-work.js';
import { addToSums } from './usage-sums.js';

/** A place in the sums of days, with what a job's inputs hold there that have not ended. */
interface HeldSum {
  readonly inputs: number;
  readonly credits: number;
  readonly key_id: string | null;
  readonly charged_at: number;
  readonly endpoint: string;
  readonly day: number;
}

/*
 * The ledger entries of jobs, each to be made inside a transaction of its caller. All rows of a job are there, pending
 * and paid for, as soon as the job is. Each is ended once.
 */

/** Locks the account's balance. Rejects `insufficient_credits` when it, or the key within its limit, cannot pay so many inputs. */
async function checkJobFunds(
  queries: Queries,
  { account, credits: price, count, key, at }: Omit<Reserve, 'job' | 'endpoint'>,
): Promise<void> {
  const cost = price * count;
  const [balance] = await lockBalances(queries, [account]);
  const limit = key?.monthlyCredits;
  if (key !== undefined && limit !== null && limit !== undefined && cost > 0) {
    const spent = (await spentByKeys(queries, [key.id], monthOf(at))).get(key.id) ?? 0;
    const refusal = { name: key.name, limit, spent, price: cost, at, what: 'job' } as const;
    if (spent + cost > limit) throw monthlyLimitReached(refusal);
  }
  checkJobCost(cost, balance?.credits ?? 0);
}

/** Takes the price of every input for `owner`. Rejects `insufficient_credits`. */
export async function reserveInputs(queries: Queries, wanted: Reserve, owner: string): Promise<void> {
  const { job, account, endpoint, credits: price, count, at, key } = wanted;
  await checkJobFunds(queries, wanted);
  await queries.run(
    `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
     SELECT $1::text || ':' || input, $2, $3::bigint, $3::bigint, $4, 'pending', $5, $6, $7, $1::text, $8
     FROM generate_series(0, $9::int - 1) AS input`,
    [job, account, at, endpoint, price, key?.id ?? null, key?.name ?? null, owner, count],
  );
  const cost = price * count;
  await addToBalances(queries, new Map([[account, -cost]]));
  if (key !== undefined) await addToKeyMonths(queries, [{ key: key.id, month: monthOf(at), credits: cost }]);
}

/** The row of an input as it ends. */
function endedRow(row: CallRow, { ending, at, durationMs }: EndedEntry): CallRow {
  const price = endedPrice(row, ending, row.id);
  return {
    ...row,
    status: ending.status,
    error_code: ending.status === 'failed' ? ending.code : null,
    credits_charged: price,
    credits_refunded: row.credits_refunded + row.credits_charged - price,
    cached: ending.status === 'ok' && ending.cached,
    created_at: at ?? row.created_at,
    duration_ms: durationMs ?? null,
    owner: null,
  };
}

/** Inputs that were ended, and what was given back of them. */
export interface EndedInputs<Entry> {
  readonly ended: readonly Entry[];
  readonly refunded: number;
}

/**
 * Ends those of some inputs of a job that have not ended, and gives back what they do not cost. Several nodes may have worked
 * on one: the first to come ends it.
 */
export async function endPendingInputs<Entry extends EndedEntry>(
  queries: Queries,
  job: string,
  account: string,
  inputs: readonly Entry[],
): Promise<EndedInputs<Entry>> {
  const ids = inputs.map(({ index }) => inputId(job, index));
  const unit = await loadUnit(queries, { ids, accounts: [account], keys: [] }, 0);
  const before = unit.balance(account).credits;
  const ended = inputs.filter(({ index }) => unit.row(inputId(job, index))?.status === 'pending');
  for (const input of ended) {
    const id = inputId(job, input.index);
    const row = unit.row(id) as CallRow;
    unit.put(endedRow(row, input));
  }
  await storeUnit(queries, unit);
  return { ended, refunded: unit.balance(account).credits - before };
}

/** Ends inputs of a job and gives back what they do not cost; resolves with that. Rejects for one that has ended already. */
export async function endInputs(
  queries: Queries,
  job: string,
  account: string,
  inputs: readonly EndedEntry[],
): Promise<number> {
  const { ended, refunded } = await endPendingInputs(queries, job, account, inputs);
  const left = inputs.find((input) => !ended.includes(input));
  if (left === undefined) return refunded;
  throw alreadyEnded(inputId(job, left.index));
}

/**
 * Makes inputs of a job pending again whose lines were lost. No money moves. An input that holds its price keeps it,
 * and one whose price was given back is run for nothing. Resolves with how many had ended well, and how many had
 * failed.
 */
export async function reopenInputs(
  queries: Queries,
  job: string,
  indexes: readonly number[],
  owner: string,
): Promise<{ readonly completed: number; readonly failed: number }> {
  const ids = indexes.map((index) => inputId(job, index));
  const unit = await loadUnit(queries, { ids, accounts: [], keys: [] }, 0);
  let [completed, failed] = [0, 0];
  for (const id of ids) {
    const row = unit.row(id);
    if (row === undefined || row.status === 'pending') continue;
    if (row.status === 'ok') completed += 1;
    else failed += 1;
    unit.put({ ...row, status: 'pending', error_code: null, cached: false, duration_ms: null, owner });
  }
  await storeUnit(queries, unit);
  return { completed, failed };
}

/** Ends every input that has not ended as failed, its price given back. Resolves with their number and those credits. */
export async function releaseInputs(
  queries: Queries,
  job: string,
  account: string,
  code: ErrorCode,
): Promise<{ readonly inputs: number; readonly credits: number }> {
  const held = await queries.rows<HeldSum>(
    `SELECT count(*) AS inputs, sum(credits_charged) AS credits, key_id, charged_at, endpoint, created_at / $2 * $2 AS day
     FROM (SELECT * FROM usage WHERE job_id = $1 AND status = 'pending' ORDER BY id FOR UPDATE) AS rows
     GROUP BY key_id, charged_at, endpoint, day`,
    [job, dayMs],
  );
  if (held.length === 0) return { inputs: 0, credits: 0 };
  await lockBalances(queries, [account]);
  await queries.run(
    `UPDATE usage SET status = 'failed', error_code = $2, credits_refunded = credits_refunded + credits_charged,
       credits_charged = 0, owner = NULL
     WHERE job_id = $1 AND status = 'pending'`,
    [job, code],
  );
  let [inputs, given] = [0, 0];
  for (const one of held) {
    inputs += one.inputs;
    given += one.credits;
    const { key_id: key, charged_at, endpoint, day } = one;
    if (key !== null) {
      await addToKeyMonths(queries, [{ key, month: monthOf(charged_at), credits: -one.credits }]);
    }
    const sum = { calls: one.inputs, failed: one.inputs, credits: 0 };
    await addToSums(queries, [{ account, day, endpoint, key: key ?? '', ...sum }]);
  }
  await addToBalances(queries, new Map([[account, given]]));
  return { inputs, credits: given };
}

/** Indexes of the inputs of a job that have not ended, in order. */
export function pendingInputs(queries: Queries, job: string): Promise<number[]> {
  return indexesOf(queries, job, 'pending');
}

/** Those of some inputs of a job that have not ended. */
export async function pendingAmong(
  queries: Queries,
  job: string,
  indexes: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await queries.rows<{ readonly id: string }>(
    { name: 'ledger_pending_inputs', text: `SELECT id FROM usage WHERE id = ANY($1) AND status = 'pending'` },
    [indexes.map((index) => inputId(job, index))],
  );
  return new Set(rows.map(({ id }) => Number(id.slice(job.length + 1))));
}

/** Indexes of the inputs of a job that failed, in order. */
export function failedInputs(queries: Queries, job: string): Promise<number[]> {
  return indexesOf(queries, job, 'failed');
}

async function indexesOf(queries: Queries, job: string, status: 'pending' | 'failed'): Promise<number[]> {
  const rows = await queries.rows<{ readonly id: string }>(
    'SELECT id FROM usage WHERE job_id = $1 AND status = $2 ORDER BY length(id), id',
    [job, status],
  );
  return rows.map(({ id }) => inputIndex(job, id));
}
