import type { Queries } from '../../database/queries.js';
import { ExtractError } from '../../errors/extract-error.js';
import { areSummed, daysOfCalls } from '../call-days.js';
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

/** Which calls are wanted in the order of time; `single` leaves out those that belong to a job. */
interface ByTimeQuery extends CallFilters {
  readonly limit: number;
  readonly single: boolean;
  readonly before?: { readonly at: number; readonly id: string } | undefined;
}

interface Page {
  readonly rows: readonly UsageRow[];
  readonly next: string | null;
}

/** Conditions of a statement, with the values that they name. */
class Conditions {
  readonly texts: string[] = [];
  readonly values: (string | number)[] = [];

  /** Adds a condition whose `?` stand for the values, in their order. */
  add(condition: string, ...values: readonly (string | number)[]): void {
    let next = this.values.length;
    this.texts.push(condition.replaceAll('?', () => `$${++next}`));
    this.values.push(...values);
  }

  get where(): string {
    return this.texts.join(' AND ');
  }
}

function addPlatforms(conditions: Conditions, platforms: CallFilters['platforms']): void {
  if (platforms === undefined) return;
  const { condition, values } = ofPlatforms(platforms);
  conditions.add(condition, ...values);
}

/** Adds the filters of calls. Resolves with false where no call can pass them. Rejects `invalid_parameter`. */
async function addFilters(
  queries: Queries,
  conditions: Conditions,
  account: string,
  filters: CallFilters,
  isLong: boolean,
): Promise<boolean> {
  const { endpoint, status, key, code, from, to, platforms } = filters;
  if (from !== undefined) conditions.add('created_at >= ?', timeBound('from', from));
  if (to !== undefined) conditions.add('created_at < ?', timeBound('to', to));
  // No text in the database holds this character.
  if ([account, endpoint, key, code].some((text) => text?.includes('\0'))) return false;
  if (endpoint !== undefined) conditions.add('endpoint = ?', endpoint);
  if (status !== undefined) conditions.add('status = ?', status);
  if (key !== undefined) conditions.add('key_id = ?', key);
  if (code !== undefined) conditions.add('error_code = ?', code);
  addPlatforms(conditions, platforms);
  if (!isLong || !areSummed(filters)) return true;
  // A long history is not looked through for what was never there, or ended months ago.
  const days = await daysOfCalls(queries, account, filters);
  if (days !== null) conditions.add('created_at >= ? AND created_at < ?', days.from, days.to);
  return days !== null;
}

/**
 * A page of an account's ended calls, and the id that the next page begins after. The newest come first; those of one
 * job in the order of its inputs. Rejects `invalid_cursor` when `before` is no call of this account.
 */
export async function usagePage(queries: Queries, account: string, query: FilteredQuery): Promise<Page> {
  const { job, before } = query;
  const conditions = new Conditions();
  conditions.add('account = ?', account);
  conditions.add(`status <> 'pending'`);
  if (before !== undefined) {
    const last = before.includes('\0') ? undefined : await madeAt(queries, account, before);
    if (last === undefined) throw new ExtractError('invalid_cursor');
    if (job !== undefined) conditions.add('(length(id), id) > (length(?), ?)', before, before);
    else conditions.add('(created_at, length(id), id) < (?, length(?), ?)', last, before, before);
  }
  if (job !== undefined) conditions.add('job_id = ?', job);
  const isThere = await addFilters(queries, conditions, account, query, job === undefined);
  if (!isThere || job?.includes('\0') === true) return { rows: [], next: null };
  // Ids of a job's rows end in the index of their input: shorter ones come first.
  const order = job === undefined ? 'created_at DESC, length(id) DESC, id DESC' : 'length(id), id';
  const found = await queries.rows<StoredUsageRow>(
    `SELECT ${usageColumns} FROM usage WHERE ${conditions.where} ORDER BY ${order} LIMIT ${Math.trunc(query.limit) + 1}`,
    conditions.values,
  );
  const rows = found.slice(0, query.limit).map(usageRowOf);
  return { rows, next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/** Ended calls of an account in the order of time and id, newest first. */
export async function callsByTime(
  queries: Queries,
  account: string,
  query: ByTimeQuery,
): Promise<readonly UsageRow[]> {
  const { before, single, limit } = query;
  const conditions = new Conditions();
  conditions.add('account = ?', account);
  conditions.add(`status <> 'pending'`);
  if (single) conditions.add('job_id IS NULL');
  if (before?.id.includes('\0') === true) throw new ExtractError('invalid_cursor');
  if (before !== undefined) conditions.add('(created_at, id) < (?, ?)', before.at, before.id);
  if (!(await addFilters(queries, conditions, account, query, true))) return [];
  const found = await queries.rows<StoredUsageRow>(
    `SELECT ${usageColumns} FROM usage WHERE ${conditions.where}
     ORDER BY created_at DESC, id DESC LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return found.map(usageRowOf);
}

/** When a call of an account was made; undefined where it has no such one. */
async function madeAt(queries: Queries, account: string, id: string): Promise<number | undefined> {
  const found = await queries.first<{ readonly created_at: number }>(
    'SELECT created_at FROM usage WHERE id = $1 AND account = $2',
    [id, account],
  );
  return found?.created_at;
}

/** One ended call of an account; null when it has no such one. */
export async function usageRow(queries: Queries, account: string, id: string): Promise<UsageRow | null> {
  if (id.includes('\0') || account.includes('\0')) return null;
  const row = await queries.first<StoredUsageRow>(
    `SELECT ${usageColumns} FROM usage WHERE id = $1 AND account = $2 AND status <> 'pending'`,
    [id, account],
  );
  return row === undefined ? null : usageRowOf(row);
}

/** When an account's last ended call was made, in milliseconds since 1970; null when it made none. */
export async function lastEnded(queries: Queries, account: string): Promise<number | null> {
  const found = await queries.first<{ readonly created_at: number }>(
    `SELECT created_at FROM usage WHERE account = $1 AND status <> 'pending'
     ORDER BY created_at DESC, length(id) DESC, id DESC LIMIT 1`,
    [account],
  );
  return found?.created_at ?? null;
}
