import type { Queries } from '../../database/queries.js';
import type { ErrorCode } from '../../errors/extract-error.js';
import { dayMs } from '../../runtime/clock.js';
import { type EndedEntry, inputId, inputIndex, type Reserve } from '../job-input.js';
import {
  checkJobFunds,
  type EndedInputs,
  endAll,
  endPending,
  releaseInputsText,
  reopen,
} from '../job-postings.js';
import { monthOf } from '../key-limit.js';
import { spentByKeys } from '../key-months.js';
import { addToBalances, lockBalances } from './balances.js';
import { addToKeyMonths } from './key-months.js';
import { loadUnit, storeUnit } from './unit-store.js';
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
async function checkFunds(
  queries: Queries,
  { account, credits: price, count, key, at }: Omit<Reserve, 'job' | 'endpoint'>,
): Promise<void> {
  const [balance] = await lockBalances(queries, [account]);
  const spent = key === undefined ? undefined : await spentByKeys(queries, [key.id], monthOf(at));
  checkJobFunds({ credits: price, count, key, at }, balance?.credits ?? 0, spent?.get(key?.id ?? '') ?? 0);
}

/** Takes the price of every input for `owner`. Rejects `insufficient_credits`. */
export async function reserveInputs(queries: Queries, wanted: Reserve, owner: string): Promise<void> {
  const { job, account, endpoint, credits: price, count, at, key } = wanted;
  await checkFunds(queries, wanted);
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
  const ended = endPending(unit, job, account, inputs);
  await storeUnit(queries, unit);
  return ended;
}

/** Ends inputs of a job and gives back what they do not cost; resolves with that. Rejects for one that has ended already. */
export async function endInputs(
  queries: Queries,
  job: string,
  account: string,
  inputs: readonly EndedEntry[],
): Promise<number> {
  const ids = inputs.map(({ index }) => inputId(job, index));
  const unit = await loadUnit(queries, { ids, accounts: [account], keys: [] }, 0);
  const refunded = endAll(unit, job, account, inputs);
  await storeUnit(queries, unit);
  return refunded;
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
  const reopened = reopen(unit, ids, owner);
  await storeUnit(queries, unit);
  return reopened;
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
  await queries.run(releaseInputsText('job_id = $1'), [job, code]);
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
