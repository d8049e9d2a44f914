import type { Queries } from '../database/queries.js';
import { ExtractError } from '../errors/extract-error.js';
import { dayMs } from '../runtime/clock.js';
import { type CallFilters, timeBound } from './call-filters.js';
import { type StoredUsageRow, usageColumns, usageRowOf } from './call-row.js';
import type { UsageQuery } from './ledger.js';
import type { UsageRow } from './usage-row.js';
import { WhereClause } from './where-clause.js';

/** Returns true if daily sums can narrow down these filters. */
const areSummed = ({ endpoint, key, status, code, platforms }: CallFilters) =>
  (endpoint ?? key ?? status ?? code ?? platforms) !== undefined;

/**
 * Returns the first and last day with ended calls of this endpoint, key, status and platforms, from the daily sums;
 * null for none. Avoids searching a long history for calls that were never made, or ended months ago.
 */
async function daysOfCalls(
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

type FilteredQuery = UsageQuery & CallFilters;

/** A position among an account's calls, newest first. */
export interface CallPosition {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** Milliseconds since 1970, excluding the end. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The query of one page of history, newest first. */
export interface PieceQuery extends CallFilters {
  /** Replaces `from` and `to`. */
  readonly span: TimeSpan;
  readonly limit: number;
  /** Calls before this one. */
  readonly before?: CallPosition | undefined;
  /** The order of calls of the same moment: by input (the index ends the id) or by id. */
  readonly order: 'input' | 'id';
  readonly single?: boolean | undefined;
}

export interface UsagePiece {
  readonly rows: readonly UsageRow[];
  /** The last call examined, to continue after it; null at the end of the history. */
  readonly position: CallPosition | null;
}

/** A page of ended calls, and the id that the next page starts after. */
export interface UsagePage {
  readonly rows: readonly UsageRow[];
  readonly next: string | null;
}

/** The order of calls of the same moment. The shorter ids of a job's inputs come first. */
const ties = {
  input: (id: string) => [`length(${id})`, id],
  id: (id: string) => [id],
};

function spanOf({ from, to }: CallFilters): TimeSpan {
  return {
    from: from === undefined ? 0 : timeBound('from', from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : timeBound('to', to),
  };
}

/** Narrows the requested times to the days with matching calls; null for none. Rejects `invalid_parameter`. */
export async function spanOfCalls(
  queries: Queries,
  account: string,
  filters: CallFilters,
): Promise<TimeSpan | null> {
  const { from, to } = spanOf(filters);
  if (!areSummed(filters)) return { from, to };
  const days = await daysOfCalls(queries, account, filters);
  return days === null ? null : { from: Math.max(from, days.from), to: Math.min(to, days.to) };
}

/** Rejects `invalid_cursor` if the account has no such call. */
export async function positionOfCall(queries: Queries, account: string, id: string): Promise<CallPosition> {
  const anchor = await queries.first<{ readonly at: number }>(
    'SELECT created_at AS at FROM usage WHERE id = $1 AND account = $2',
    [id, account],
  );
  if (anchor === undefined) throw new ExtractError('invalid_cursor');
  return { at: anchor.at, id };
}

function addFilters(where: WhereClause, { endpoint, status, key, code, platforms }: CallFilters): void {
  where.add(`status <> 'pending'`);
  if (endpoint !== undefined) where.add('endpoint = ?', endpoint);
  if (status !== undefined) where.add('status = ?', status);
  if (key !== undefined) where.add('key_id = ?', key);
  if (code !== undefined) where.add('error_code = ?', code);
  where.addPlatforms(platforms);
}

async function rowsOf(
  queries: Queries,
  where: WhereClause,
  order: string,
  limit: number,
): Promise<readonly UsageRow[]> {
  const rows = await queries.rows<StoredUsageRow>(
    `SELECT ${usageColumns()} FROM usage WHERE ${where.where} ORDER BY ${order} LIMIT ${where.value(Math.trunc(limit))}`,
    where.values,
  );
  return rows.map(usageRowOf);
}

/** Builds a page from rows that were requested with one more than `limit`. */
function pageOf(candidates: readonly UsageRow[], limit: number): UsagePage {
  const rows = candidates.slice(0, limit);
  return { rows, next: candidates.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * Returns an account's ended calls, newest first, searching at most this many rows, plus rows of the same
 * millisecond; null searches all.
 */
export async function usagePiece(
  queries: Queries,
  account: string,
  { span, limit, before, order, single, ...filters }: PieceQuery,
  rows: number | null,
): Promise<UsagePiece> {
  const tie = ties[order];
  const where = new WhereClause();
  where.add('account = ?', account);
  // One bound on each side: with two, SQLite might use the wider one.
  const upper = Math.min(span.to, before?.at ?? span.to);
  if (before === undefined || span.to <= before.at) where.add('created_at < ?', upper);
  else {
    const last = [where.value(before.at), ...tie(where.value(before.id))];
    where.add(`(created_at, ${tie('id').join(', ')}) < (${last.join(', ')})`);
  }
  const edge = rows === null ? null : await edgeOf(queries, account, upper, rows, order);
  const lower = Math.max(span.from, edge?.at ?? span.from);
  where.add('created_at >= ?', lower);
  if (single === true) where.add('job_id IS NULL');
  addFilters(where, filters);
  const by = ['created_at', ...tie('id')].map((column) => `${column} DESC`).join(', ');
  const page = await rowsOf(queries, where, by, limit);
  return { rows: page, position: edge === null || edge.at < lower ? null : edge };
}

/** Returns the last call of the moment that lies this many rows before a time; null if there are fewer. */
async function edgeOf(
  queries: Queries,
  account: string,
  upper: number,
  rows: number,
  order: PieceQuery['order'],
): Promise<CallPosition | null> {
  const moment = await queries.first<{ readonly at: number }>(
    'SELECT created_at AS at FROM usage WHERE account = $1 AND created_at < $2 ORDER BY created_at DESC LIMIT 1 OFFSET $3',
    [account, upper, rows],
  );
  if (moment === undefined) return null;
  const last = await queries.first<CallPosition>(
    `SELECT created_at AS at, id FROM usage WHERE account = $1 AND created_at = $2 ORDER BY ${ties[order]('id').join(', ')} LIMIT 1`,
    [account, moment.at],
  );
  return last ?? null;
}

/** Returns a page of a job's ended calls, in input order. Rejects `invalid_cursor`. */
async function jobUsagePage(
  queries: Queries,
  account: string,
  query: FilteredQuery & { readonly job: string },
): Promise<UsagePage> {
  const { job, before, limit } = query;
  const { from, to } = spanOf(query);
  const where = new WhereClause();
  // A job's rows are few and indexed. With the account's index, SQLite would search all of the account's rows.
  where.add(`account || '' = ?`, account);
  where.add('job_id = ?', job);
  where.add('created_at >= ? AND created_at < ?', from, to);
  addFilters(where, query);
  const order = ties.input('id').join(', ');
  if (before !== undefined) {
    const { id } = await positionOfCall(queries, account, before);
    where.add(`(${order}) > (${ties.input(where.value(id)).join(', ')})`);
  }
  return pageOf(await rowsOf(queries, where, order, limit + 1), limit);
}

/**
 * Returns a page of an account's ended calls: newest first, or in input order for one job. Rejects `invalid_cursor` if
 * `before` is not a call of this account, and `invalid_parameter`.
 */
export async function usagePage(queries: Queries, account: string, query: FilteredQuery): Promise<UsagePage> {
  const { job, before: id, limit } = query;
  if (job !== undefined) return jobUsagePage(queries, account, { ...query, job });
  const before = id === undefined ? undefined : await positionOfCall(queries, account, id);
  const span = await spanOfCalls(queries, account, query);
  if (span === null) return { rows: [], next: null };
  const filter = { ...query, span, before, order: 'input', limit: limit + 1 } as const;
  const { rows } = await usagePiece(queries, account, filter, null);
  return pageOf(rows, limit);
}

/** Returns one ended call of an account; null for none. */
export async function usageRow(queries: Queries, account: string, id: string): Promise<UsageRow | null> {
  const row = await queries.first<StoredUsageRow>(
    `SELECT ${usageColumns()} FROM usage WHERE id = $1 AND account = $2 AND status <> 'pending'`,
    [id, account],
  );
  return row === undefined ? null : usageRowOf(row);
}
