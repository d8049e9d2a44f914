import type { Queries } from '../database/queries.js';
import { dayMs } from '../runtime/clock.js';
import {
  type ArchivedCall,
  type ArchivedRow,
  archivedCallOf,
  type CallRow,
  type UsageArchivePosition,
  usageColumns,
} from './call-row.js';

/**
 * Returns up to `limit` ended calls made before a time (milliseconds since 1970), after a position, without calls of
 * running jobs.
 */
export async function archivePage(
  queries: Queries,
  before: number,
  { account, created, id }: UsageArchivePosition,
  limit: number,
): Promise<ArchivedCall[]> {
  const rows = await queries.rows<ArchivedRow>(
    `SELECT account, ${usageColumns()} FROM usage
     WHERE status <> 'pending' AND created_at < $1 AND (account, created_at, id) > ($2, $3, $4)
       AND NOT EXISTS (SELECT 1 FROM usage AS other WHERE other.job_id = usage.job_id AND other.status = 'pending')
     ORDER BY account, created_at, id LIMIT $5`,
    [before, account, created, id, limit],
  );
  return rows.map(archivedCallOf);
}

export async function holdsCall(queries: Queries, id: string): Promise<boolean> {
  return (await queries.first('SELECT id FROM usage WHERE id = $1', [id])) !== undefined;
}

type DeletedRow = Pick<
  CallRow,
  | 'account'
  | 'created_at'
  | 'endpoint'
  | 'key_id'
  | 'status'
  | 'cached'
  | 'credits_charged'
  | 'credits_refunded'
>;

const sumTypes = {
  account: 'text',
  day: 'integer',
  endpoint: 'text',
  key_id: 'text',
  calls: 'integer',
  failed: 'integer',
  cached: 'integer',
  credits_charged: 'integer',
  credits_refunded: 'integer',
} as const;
const sumColumns = Object.keys(sumTypes).join(', ');
const sums = ['calls', 'failed', 'cached', 'credits_charged', 'credits_refunded'];

/** A call as a change to the sum of its day, key and endpoint. */
function sumOf({ created_at, key_id, status, cached, ...row }: DeletedRow) {
  const day = Math.floor(created_at / dayMs) * dayMs;
  const failed = status === 'failed' ? 1 : 0;
  return { ...row, day, key_id: key_id ?? '', calls: 1, failed, cached: Number(cached) };
}

/**
 * Replaces calls with their sums, inside a transaction: deletes their rows and adds them to the sums of their day, key
 * and endpoint, so that the books always balance. Returns false, with nothing changed, if any of the calls was removed
 * or is pending again.
 */
export async function archiveCalls(queries: Queries, calls: readonly ArchivedCall[]): Promise<boolean> {
  const { anyOf, forUpdate, records } = queries.dialect;
  const ids = calls.map(({ id }) => id);
  const archivable = await queries.rows<{ readonly id: string }>(
    `SELECT id FROM usage WHERE id ${anyOf('$1')} AND status <> 'pending' ORDER BY id ${forUpdate}`,
    [ids],
  );
  if (archivable.length < ids.length) return false;
  const rows = await queries.rows<DeletedRow>(
    `DELETE FROM usage WHERE id ${anyOf('$1')}
     RETURNING account, created_at, endpoint, key_id, status, cached, credits_charged, credits_refunded`,
    [ids],
  );
  await queries.run(
    `INSERT INTO usage_days (${sumColumns})
     SELECT account, day, endpoint, key_id, ${sums.map((name) => `sum(${name})`).join(', ')}
     FROM ${records('$1', sumTypes)} WHERE true GROUP BY account, day, endpoint, key_id
     ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET
       ${sums.map((name) => `${name} = usage_days.${name} + excluded.${name}`).join(', ')}`,
    [JSON.stringify(rows.map(sumOf))],
  );
  return true;
}
