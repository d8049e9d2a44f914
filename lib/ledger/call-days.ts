import type { Queries } from '../database/queries.js';
import { dayMs } from '../runtime/clock.js';
import { type CallFilters, ofPlatforms } from './call-row.js';

/** True for filters that the sums of days know something of. */
export const areSummed = ({ endpoint, key, status, code, platforms }: CallFilters) =>
  (endpoint ?? key ?? status ?? code ?? platforms) !== undefined;

/**
 * The span of days on which ended calls of an endpoint, a key, a status and some platforms were made, by the sums that are
 * kept; null for none. A long history is not looked through for what was never there, or ended months ago.
 */
export async function daysOfCalls(
  queries: Queries,
  account: string,
  { endpoint, key, status, code, platforms }: CallFilters,
): Promise<{ readonly from: number; readonly to: number } | null> {
  const conditions = ['account = ?'];
  const values = [account];
  const where = (condition: string, ...given: readonly string[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (endpoint !== undefined) where('endpoint = ?', endpoint);
  if (key !== undefined) where('key_id = ?', key);
  if (platforms !== undefined) where(ofPlatforms(platforms).condition, ...ofPlatforms(platforms).values);
  where(status === 'failed' || code !== undefined ? 'failed > 0' : 'calls > 0');
  if (status === 'ok') where('calls > failed');
  let at = 0;
  const found = await queries.first<{ readonly first: number | null; readonly last: number | null }>(
    `SELECT min(day) AS first, max(day) AS last FROM usage_sums
     WHERE ${conditions.join(' AND ').replaceAll('?', () => `$${++at}`)}`,
    values,
  );
  if (found?.first == null || found.last == null) return null;
  return { from: found.first, to: found.last + dayMs };
}
