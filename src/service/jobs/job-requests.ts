import type { Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Idempotency } from './job.js';

/** Milliseconds for which the response to an idempotency key is stored. */
const answerRetention = 24 * 3_600_000;

interface StoredAnswer {
  readonly digest: string;
  readonly job: string;
  readonly answer: string;
}

/** Returns the job and the response for an idempotency key, or null. Rejects `idempotency_mismatch`. */
export async function findAnswer(
  queries: Queries,
  account: string,
  { key, digest }: Idempotency,
  now: number,
): Promise<{ readonly id: string; readonly answer: string } | null> {
  const row = await queries.first<StoredAnswer>(
    'SELECT digest, job, answer FROM job_requests WHERE account = $1 AND key = $2 AND created_at > $3',
    [account, key, now - answerRetention],
  );
  if (row === undefined) return null;
  if (row.digest !== digest) throw new ExtractError('idempotency_mismatch');
  return { id: row.job, answer: row.answer };
}

/**
 * Claims an idempotency key for a new job; false if it was claimed within a day. Another transaction that claims it, on
 * any node, waits for the end of this one.
 */
export async function takeKey(
  queries: Queries,
  account: string,
  { key, digest }: Idempotency,
  job: string,
  now: number,
): Promise<boolean> {
  const changes = await queries.run(
    `INSERT INTO job_requests (account, key, digest, job, answer, created_at) VALUES ($1, $2, $3, $4, '', $5)
     ON CONFLICT (account, key) DO UPDATE SET digest = excluded.digest, job = excluded.job, answer = '',
       created_at = excluded.created_at
     WHERE job_requests.created_at <= $6`,
    [account, key, digest, job, now, now - answerRetention],
  );
  return changes === 1;
}

export async function keepAnswer(
  queries: Queries,
  account: string,
  { key }: Idempotency,
  answer: string,
): Promise<void> {
  await queries.run('UPDATE job_requests SET answer = $3 WHERE account = $1 AND key = $2', [
    account,
    key,
    answer,
  ]);
}

export async function forgetAnswers(queries: Queries, now: number): Promise<void> {
  await queries.run('DELETE FROM job_requests WHERE created_at <= $1', [now - answerRetention]);
}
