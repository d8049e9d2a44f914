import type { Database } from '../../database/sqlite/driver.js';
import { ExtractError } from '../../errors/extract-error.js';
import {
  type CallFilters,
  ofPlatforms,
  type StoredUsageRow,
  timeBound,
  usageColumns,
  usageRowOf,
} from '../call-row.js';
import type { UsageQuery, UsageRow } from '../ledger.js';

type FilteredQuery = UsageQuery & CallFilters;

/** The filters as conditions of SQL, with their values. Throws `invalid_parameter`. */
export function filterConditions({ endpoint, status, key, code, from, to, platforms }: CallFilters) {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const where = (condition: string, ...given: readonly (string | number)[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (endpoint !== undefined) where('endpoint = ?', endpoint);
  if (status !== undefined) where('status = ?', status);
  if (key !== undefined) where('key_id = ?', key);
  if (code !== undefined) where('error_code = ?', code);
  if (from !== undefined) where('created_at >= ?', timeBound('from', from));
  if (to !== undefined) where('created_at < ?', timeBound('to', to));
  if (platforms !== undefined) {
    const shown = ofPlatforms(platforms);
    where(shown.condition, ...shown.values);
  }
  return { conditions, values };
}

/**
 * A page of an account's ended calls, and the id that the next page begins after. The newest come first; those of one
 * job in the order of its inputs. Throws `invalid_cursor` when `before` is no call of this account.
 */
export function usagePage(
  db: Database,
  account: string,
  query: FilteredQuery,
): { rows: readonly UsageRow[]; next: string | null } {
  // The rows of a job are few and have an index. Those of the account would be looked through for them.
  const filters = filterConditions(query);
  const own = [query.job === undefined ? 'account = ?' : '+account = ?', `status <> 'pending'`];
  const conditions = [...own, ...filters.conditions];
  const values: (string | number)[] = [account, ...filters.values];
  const where = (condition: string, ...given: readonly (string | number)[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.job !== undefined) where('job_id = ?', query.job);
  if (query.before !== undefined) {
    const last = db
      .prepare<[string, string], { created_at: number }>(
        'SELECT created_at FROM usage WHERE id = ? AND account = ?',
      )
      .get(query.before, account);
    if (last === undefined) throw new ExtractError('invalid_cursor');
    if (query.job !== undefined) where('(length(id), id) > (length(?), ?)', query.before, query.before);
    else
      where(`(created_at, length(id), id) < (?, length(?), ?)`, last.created_at, query.before, query.before);
  }
  // Ids of a job's rows end in the index of their input: shorter ones come first.
  const order = query.job === undefined ? 'created_at DESC, length(id) DESC, id DESC' : 'length(id), id';
  const found = db
    .prepare<(string | number)[], StoredUsageRow>(
      `SELECT ${usageColumns} FROM usage WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`,
    )
    .all(...values, query.limit + 1);
  const rows = found.slice(0, query.limit).map(usageRowOf);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/** One ended call of an account; null when it has no such one. */
export function usageRow(db: Database, account: string, id: string): UsageRow | null {
  const row = db
    .prepare<[string, string], StoredUsageRow>(
      `SELECT ${usageColumns} FROM usage WHERE id = ? AND account = ? AND status <> 'pending'`,
    )
    .get(id, account);
  return row === undefined ? null : usageRowOf(row);
}
