import { type Columns, type RowOf, recordColumns } from '../database/columns.js';
import type { Charge } from './ledger.js';
import { type Measures, type UsageRow, usageRow } from './usage-row.js';

/** The columns of the table of calls. Times are milliseconds since 1970. */
export const callColumns = {
  id: 'id',
  account: 'id',
  created_at: 'integer',
  charged_at: 'integer',
  endpoint: 'id',
  status: 'id',
  error_code: 'id?',
  credits_charged: 'integer',
  credits_refunded: 'integer',
  cached: 'flag',
  key_id: 'id?',
  key_name: 'text?',
  job_id: 'id?',
  owner: 'id?',
  duration_ms: 'integer?',
} as const satisfies Columns;

const { id, account, created_at, endpoint, key_id, key_name, duration_ms } = callColumns;

/** The columns of every call, charged or refused. */
export const requestColumns = { id, account, created_at, endpoint, key_id, key_name, duration_ms };

export interface CallRow extends RowOf<typeof callColumns> {
  readonly status: 'pending' | 'ok' | 'failed';
}

export const callRecord = recordColumns(callColumns);

export const rowColumns = Object.keys(callColumns).join(', ');

/** The measurements of a call without any. */
export const unmeasured: Measures = { duration_ms: null };

const measured = Object.keys(unmeasured) as (keyof Measures)[];

/** The columns that SQLite needs for an answered call. Status and `cached` are the same for all of them. */
export const paidColumns = [
  ...[
    'id',
    'account',
    'created_at',
    'charged_at',
    'endpoint',
    'credits_charged',
    'key_id',
    'key_name',
    'job_id',
  ],
  ...measured,
].join(', ');

/** The values of those columns. With every column an entry would take a quarter longer (2026-11). */
export function paidValues(
  { id, account, at, endpoint, credits, key, job, measures }: Charge,
  now: number,
): readonly (string | number | null)[] {
  const values = [id, account, at, now, endpoint, credits];
  return [
    ...values,
    key?.id ?? null,
    key?.name ?? null,
    job ?? null,
    ...measured.map((name) => measures?.[name] ?? null),
  ];
}

/** A row as selected by `usageColumns`. SQLite stores booleans as numbers. */
export interface StoredUsageRow extends Omit<UsageRow, 'created_at' | 'cached' | 'api_key'> {
  readonly created_at: number;
  readonly cached: boolean | 0 | 1;
  readonly api_key: string | null;
  readonly key_name: string | null;
}

/** The columns of a call as shown to its account, in member order. */
export const usageColumns = () =>
  Object.keys(usageRow.shape).join(', ').replace('api_key', 'key_id AS api_key, key_name');

export function usageRowOf({ key_name, ...row }: StoredUsageRow): UsageRow {
  return {
    ...row,
    created_at: new Date(row.created_at).toISOString(),
    cached: Boolean(row.cached),
    api_key: row.api_key === null ? null : { id: row.api_key, name: key_name ?? '' },
  };
}

/** Converts a row from a server. Servers of earlier versions send no measurements. */
export function servedRow(row: UsageRow): UsageRow {
  return { ...unmeasured, ...row };
}

export type RequestedCall = Pick<UsageRow, 'id' | 'created_at' | 'endpoint' | 'api_key'> & Measures;

/** Returns a call as a row, from the charge that it would have had. */
export function requestedCall(
  { id, endpoint, at, key }: Pick<Charge, 'id' | 'endpoint' | 'at' | 'key'>,
  measures: Measures,
): RequestedCall {
  return {
    ...{ id, endpoint, ...measures },
    created_at: new Date(at).toISOString(),
    api_key: key === undefined ? null : { id: key.id, name: key.name },
  };
}

export interface ArchivedCall extends UsageRow {
  readonly account: string;
}

/** The position of a call in archiving order. */
export interface UsageArchivePosition {
  readonly account: string;
  readonly created: number;
  readonly id: string;
}

/** Returns the position after a call; null for the position before all calls. */
export function usageArchivePositionOf(call: ArchivedCall | null): UsageArchivePosition {
  return call === null
    ? { account: '', created: 0, id: '' }
    : { account: call.account, created: Date.parse(call.created_at), id: call.id };
}

export interface ArchivedRow extends StoredUsageRow {
  readonly account: string;
}

export function archivedCallOf({ account, ...row }: ArchivedRow): ArchivedCall {
  return { account, ...usageRowOf(row) };
}

/** The credits that an account spent on an endpoint on one day (UTC). */
export interface DaySpend {
  /** `2026-11-21` */
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}
