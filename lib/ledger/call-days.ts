import type { Queries } from '../database/queries.js';
import { dayMs } from '../runtime/clock.js';
import type { CallFilters } from './call-filters.js';
import { WhereClause } from './where-clause.js';

/** Returns true if daily sums can narrow down these filters. */
export const areSummed = ({ endpoint, key, status, code, platforms }: CallFilters) =>
  (endpoint ?? key ?? status ?? code ?? platforms) !== undefined;

/**
 * Returns the first and last day with ended calls of this endpoint, key, status and platforms, from the daily sums;
 * null for none. Avoids searching a long history for calls that were never made, or ended months ago.
 */
export async function daysOfCalls(
  queries: Queries,
  account: string,
  { endpoint, key, status, code, platforms }: CallFilters,
): Promise<{ readonly from: number; readonly to: number } | null> {
  const where = new WhereClause();
  where.add('account = ?', account);
  if (endpoint !== undefined) where.add('endpoint = ?', endpoint);
  if (key !== undefined) where.add('key_id = ?', key);
  where.addPlatforms(platforms);
  where.add(status === 'failed' || code !== undefined ? 'failed > 0' : 'calls > 0');
  if (status === 'ok') where.add('calls > failed');
  const span = await queries.first<{ readonly first: number | null; readonly last: number | null }>(
    `SELECT min(day) AS first, max(day) AS last FROM usage_sums
     WHERE ${where.where}`,
    where.values,
  );
  if (span?.first == null || span.last == null) return null;
  return { from: span.first, to: span.last + dayMs };
}
