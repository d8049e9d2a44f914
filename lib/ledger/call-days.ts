import type { Queries } from '../database/queries.js';
import { dayMs } from '../runtime/clock.js';
import type { CallFilters } from './call-filters.js';
import { Conditions } from './conditions.js';

/** True for filters that the sums of days know something of. */
export const areSummed = ({ endpoint, key, status, code, platforms }: CallFilters) =>
  (endpoint ?? key ?? status ?? code ?? platforms) !== undefined;

/**
 * The span of days on which ended calls of an endpoint, a key, a status and some platforms were made, by the sums
 * that are kept; null for none. It saves a search through a long history for calls that were never made, or ended
 * months ago.
 */
export async function daysOfCalls(
  queries: Queries,
  account: string,
  { endpoint, key, status, code, platforms }: CallFilters,
): Promise<{ readonly from: number; readonly to: number } | null> {
  const conditions = new Conditions();
  conditions.add('account = ?', account);
  if (endpoint !== undefined) conditions.add('endpoint = ?', endpoint);
  if (key !== undefined) conditions.add('key_id = ?', key);
  conditions.addPlatforms(platforms);
  conditions.add(status === 'failed' || code !== undefined ? 'failed > 0' : 'calls > 0');
  if (status === 'ok') conditions.add('calls > failed');
  const found = await queries.first<{ readonly first: number | null; readonly last: number | null }>(
    `SELECT min(day) AS first, max(day) AS last FROM usage_sums
     WHERE ${conditions.where}`,
    conditions.values,
  );
  if (found?.first == null || found.last == null) return null;
  return { from: found.first, to: found.last + dayMs };
}
