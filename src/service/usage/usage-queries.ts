import type { CallFilters } from '../../../lib/ledger/call-filters.js';
import type { DaySpend } from '../../../lib/ledger/call-row.js';
import type { UsageQuery } from '../../../lib/ledger/ledger.js';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { UsageRow } from '../../../lib/ledger/usage-row.js';
import type { Platform } from '../../../lib/platforms.js';

/** A filter of an account's ended calls. Conditions are combined with AND. */
export interface CallsQuery extends UsageQuery, Pick<CallFilters, 'status' | 'key' | 'code'> {
  /** The platforms whose calls may be seen; by default all. */
  readonly platforms?: readonly Platform[] | undefined;
}

export interface CallsByTimeQuery extends Omit<CallsQuery, 'job' | 'before'> {
  /** Excludes the calls of jobs. */
  readonly single: boolean;
  /** Calls before this position. */
  readonly before?: CallPosition | undefined;
}

export interface CallsByTimePage {
  readonly rows: readonly UsageRow[];
  /** The position at which the search of a long history stopped early; null if it found enough, and at the end. */
  readonly position: CallPosition | null;
}

/**
 * A page of ended calls, newest first. Before the last page it may have fewer calls than requested, even none, because
 * a long history is searched in batches.
 */
export interface CallsPage {
  readonly rows: readonly UsageRow[];
  /** The next page's `before`; null on the last page. */
  readonly next: string | null;
}

/** Bytes used by the store, and bytes of its disk. */
export interface DiskSpace {
  readonly free: number;
  readonly size: number;
  readonly ledger: number;
  /** 0 without a cache on disk. */
  readonly cache: number;
}

/**
 * Everything that people read about usage: the dashboard, the operator's pages and `GET /v1/usage`. Methods change
 * nothing. Each rejects with an error of the catalogue; reads of histories reject `rate_limited` if the account has too
 * many running.
 */
export interface UsageQueries {
  /** Returns a page of an account's ended calls. Rejects `invalid_cursor` if `before` is not one of its calls. */
  listCalls(account: string, query: CallsQuery): Promise<CallsPage>;
  /** Returns an account's ended calls by time and id, newest first. */
  listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage>;
  /** Returns one ended call of an account; null for none. */
  findCall(account: string, id: string): Promise<UsageRow | null>;
  /**
   * Returns sums over an account's ended calls from `from` until before `to` (milliseconds since 1970), by day and
   * endpoint. `listCalls` and `sumByDay` always agree, except for archived calls, of which only sums remain.
   */
  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]>;
  /** Returns the credits charged to a key in the calendar month (UTC) of a time in milliseconds since 1970. */
  sumKeyMonth(key: string, at: number): Promise<number>;
  /** Returns the time of an account's last ended call (ISO 8601 UTC); null for none. */
  findLastCallAt(account: string): Promise<string | null>;
  /** Returns the store's used and free space. Rejects if it cannot be measured. */
  measureDiskSpace(): Promise<DiskSpace>;
}
