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

interface Page {
  readonly rows: readonly UsageRow[];
  readonly next: string | null;
}

/** When a call of the account was made. Throws `invalid_cursor` for one that it has not. */
function madeAt(db: Database, account: string, id: string): number {
  const found = db
    .prepare<[string, string], { created_at: number }>(
      'SELECT created_at FROM usage WHERE id = ? AND account = ?',
    )
    .get(id, account);
  if (found === undefined) throw new ExtractError('invalid_cursor');
  return found.created_at;
}

function selectPage(
  db: Database,
  conditions: readonly string[],
  values: readonly (string | number)[],
  order: string,
  limit: number,
): Page {
  const found = db
    .prepare<(string | number)[], StoredUsageRow>(
      `SELECT ${usageColumns} FROM usage WHERE ${[`status <> 'pending'`, ...conditions].join(' AND ')} ORDER BY ${order} LIMIT ?`,
    )
    .all(...values, limit + 1);
  const rows = found.slice(0, limit).map(usageRowOf);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * A page of the ended calls of an account's job, in the order of its inputs, and the id that the next page begins after.
 * Throws `invalid_cursor` when `before` is no call of this account.
 */
function jobUsagePage(db: Database, account: string, query: FilteredQuery & { readonly job: string }): Page {
  // The rows of a job are few and have an index. Those of the account would be looked through for them.
  const { conditions, values } = filterConditions(query);
  const own = ['+account = ?', 'job_id = ?', ...conditions];
  const given = [account, query.job, ...values];
  if (query.before !== undefined) {
    madeAt(db, account, query.before);
    own.push('(length(id), id) > (length(?), ?)');
    given.push(query.before, query.before);
  }
  // Their ids end in the index of their input: shorter ones come first.
  return selectPage(db, own, given, 'length(id), id', query.limit);
}

/** A page of an account's ended calls, newest first, or of those of one job. Throws as its parts do. */
export function usagePage(db: Database, account: string, query: FilteredQuery): Page {
  const { job } = query;
  if (job !== undefined) return jobUsagePage(db, account, { ...query, job });
  const { rows, next } = usagePiece(db, account, query, null);
  return { rows, next };
}

/** A part of an account's history that was looked through. */
export interface UsagePiece extends Page {
  /** The last call that was looked at, to go on behind it; null at the end of the history. */
  readonly reached: string | null;
}

/**
 * A page of an account's ended calls, newest first, among so many of its rows, and a few more of the same moment; among
 * all for null. Throws `invalid_cursor` when `before` is no call of this account.
 */
export function usagePiece(
  db: Database,
  account: string,
  query: FilteredQuery,
  rows: number | null,
): UsagePiece {
  const { from, to, before, limit, ...filters } = query;
  const { conditions, values } = filterConditions(filters);
  const own = ['account = ?', ...conditions];
  const given: (string | number)[] = [account, ...values];
  const where = (condition: string, ...more: readonly (string | number)[]) => {
    own.push(condition);
    given.push(...more);
  };
  // One bound on each side: of two SQLite might begin at the wider one.
  let upper = to === undefined ? Number.MAX_SAFE_INTEGER : timeBound('to', to);
  const last = before === undefined ? upper : madeAt(db, account, before);
  if (before === undefined || upper <= last) where('created_at < ?', upper);
  else {
    where('(created_at, length(id), id) < (?, length(?), ?)', last, before, before);
    upper = last;
  }
  const edge = rows === null ? null : edgeOf(db, account, upper, rows);
  const lower = Math.max(from === undefined ? 0 : timeBound('from', from), edge?.created_at ?? 0);
  where('created_at >= ?', lower);
  const page = selectPage(db, own, given, 'created_at DESC, length(id) DESC, id DESC', limit);
  return { ...page, reached: edge === null || edge.created_at < lower ? null : edge.id };
}

/** The last call of the moment that is so many rows before a time; null where there are fewer. */
function edgeOf(db: Database, account: string, upper: number, rows: number) {
  const at = db
    .prepare<[string, number, number], number>(
      'SELECT created_at FROM usage WHERE account = ? AND created_at < ? ORDER BY created_at DESC LIMIT 1 OFFSET ?',
    )
    .pluck()
    .get(account, upper, rows);
  if (at === undefined) return null;
  const last = db
    .prepare<[string, number], { readonly id: string; readonly created_at: number }>(
      'SELECT id, created_at FROM usage WHERE account = ? AND created_at = ? ORDER BY length(id), id LIMIT 1',
    )
    .get(account, at);
  return last ?? null;
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
