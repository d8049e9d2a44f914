import type { CallFilters } from '../../../lib/ledger/call-filters.js';
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
