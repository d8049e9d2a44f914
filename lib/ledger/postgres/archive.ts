import type { Queries } from '../../postgres/queries.js';
import { dayMs } from '../../runtime/clock.js';
import {
  type ArchivedCall,
  type ArchivedRow,
  type ArchivePosition,
  archivedCallOf,
  usageColumns,
} from '../call-row.js';

/** Ended calls made before a time (milliseconds since 1970), behind a position, so many at most. Calls of a job at work stay. */
export async function archivePage(
  queries: Queries,
  before: number,
  { account, created, id }: ArchivePosition,
  limit: number,
): Promise<ArchivedCall[]> {
  const rows = await queries.rows<ArchivedRow>(
    `SELECT account, ${usageColumns} FROM usage
     WHERE status <> 'pending' AND created_at < $1 AND (account, created_at, length(id), id) > ($2, $3, length($4), $4)
       AND NOT EXISTS (SELECT FROM usage AS other WHERE other.job_id = usage.job_id AND other.status = 'pending')
     ORDER BY account, created_at, length(id), id LIMIT $5`,
    [before, account, created, id, limit],
  );
  return rows.map(archivedCallOf);
}

/**
 * Replaces calls by their sums, inside a transaction. Their rows leave the table and are added to those of their day,
 * key and endpoint. The books add up at any instant.
 */
export async function archiveCalls(queries: Queries, calls: readonly ArchivedCall[]): Promise<void> {
  await queries.run(
    `WITH left_behind AS (
       SELECT id FROM usage WHERE id = ANY($1) AND status <> 'pending' ORDER BY id FOR UPDATE
     ), gone AS (
       DELETE FROM usage WHERE id IN (SELECT id FROM left_behind)
       RETURNING account, created_at, endpoint, key_id, status, cached, credits_charged, credits_refunded
     )
     INSERT INTO usage_days (account, day, endpoint, key_id, calls, failed, cached, credits_charged, credits_refunded)
     SELECT account, created_at / $2 * $2 AS day, endpoint, coalesce(key_id, ''), count(*),
       count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE cached), sum(credits_charged), sum(credits_refunded)
     FROM gone GROUP BY account, day, endpoint, coalesce(key_id, '')
     ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET calls = usage_days.calls + excluded.calls,
       failed = usage_days.failed + excluded.failed, cached = usage_days.cached + excluded.cached,
       credits_charged = usage_days.credits_charged + excluded.credits_charged,
       credits_refunded = usage_days.credits_refunded + excluded.credits_refunded`,
    [calls.map(({ id }) => id), dayMs],
  );
}
