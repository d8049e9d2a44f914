import { ExtractError } from '../errors/extract-error.js';
import type { UsageQuery, UsageRow } from './ledger.js';

/** A row of the table of calls, as `usageColumns` select it. SQLite has numbers for what is true or false. */
export interface StoredUsageRow extends Omit<UsageRow, 'created_at' | 'cached' | 'api_key'> {
  readonly created_at: number;
  readonly cached: boolean | 0 | 1;
  readonly key_id: string | null;
  readonly key_name: string | null;
}

/** The columns of a call as it is shown. */
export const usageColumns =
  'id, created_at, endpoint, status, error_code, credits_charged, credits_refunded, cached, key_id, key_name, job_id, duration_ms';

/** The row as the contract shows it. */
export function usageRowOf(row: StoredUsageRow): UsageRow {
  return {
    id: row.id,
    created_at: new Date(row.created_at).toISOString(),
    endpoint: row.endpoint,
    status: row.status,
    error_code: row.error_code,
    credits_charged: row.credits_charged,
    credits_refunded: row.credits_refunded,
    cached: Boolean(row.cached),
    api_key: row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '' },
    job_id: row.job_id,
    duration_ms: row.duration_ms,
  };
}

/** Filters of the usage pages. */
export interface CallFilters extends Pick<UsageQuery, 'endpoint' | 'from' | 'to'> {
  readonly status?: UsageRow['status'] | undefined;
  /** Id of the key that called. */
  readonly key?: string | undefined;
  readonly code?: string | undefined;
  /** The platforms whose calls may be seen; all when left out. */
  readonly platforms?: readonly string[] | undefined;
}

/** Calls of some platforms as a condition of SQL with `?`, and its values: each endpoint begins with its platform. */
export function ofPlatforms(platforms: readonly string[]): {
  readonly condition: string;
  readonly values: readonly string[];
} {
  // “0” is the character behind “/”.
  const ranges = platforms.map(() => 'endpoint >= ? AND endpoint < ?').join(' OR ');
  const values = platforms.flatMap((platform) => [`${platform}/`, `${platform}0`]);
  return { condition: ranges === '' ? '1 = 0' : `(${ranges})`, values };
}

/** A bound of the times that are asked for, in milliseconds since 1970. Throws `invalid_parameter`. */
export function timeBound(name: 'from' | 'to', at: string): number {
  const time = Date.parse(at);
  if (Number.isNaN(time)) {
    throw new ExtractError('invalid_parameter', `\`${name}\` must be an ISO 8601 time.`);
  }
  return time;
}

/** An ended call with whose it was. */
export interface ArchivedCall extends UsageRow {
  readonly account: string;
}

/** A call in the order in which they are archived. */
export interface ArchivePosition {
  readonly account: string;
  readonly created: number;
  readonly id: string;
}

/** The position behind a call; null for that before all calls. */
export function archivePositionOf(call: ArchivedCall | null): ArchivePosition {
  return call === null
    ? { account: '', created: 0, id: '' }
    : { account: call.account, created: Date.parse(call.created_at), id: call.id };
}

/** A row of a call that is to be archived. */
export interface ArchivedRow extends StoredUsageRow {
  readonly account: string;
}

/** The archived form of a call, from its row. */
export function archivedCallOf(row: ArchivedRow): ArchivedCall {
  return { account: row.account, ...usageRowOf(row) };
}

/** The credits that an account spent on one endpoint on one day (UTC). */
export interface DaySpend {
  /** `2026-11-21` */
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}
