import type { DaySpend } from '../../../lib/ledger/call-row.js';
import type { UsageQuery } from '../../../lib/ledger/ledger.js';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { UsageRow } from '../../../lib/ledger/usage-row.js';
import type { Platform } from '../../../lib/platforms.js';

/** A filter of an account's ended calls: every given condition must hold. */
export interface CallsQuery extends UsageQuery {
  readonly status?: UsageRow['status'] | undefined;
  /** Id of the API key that called. */
  readonly key?: string | undefined;
  readonly code?: string | undefined;
  /** The platforms whose calls may be seen; all when left out. */
  readonly platforms?: readonly Platform[] | undefined;
}

/** A page of calls, in the order of time. */
export interface CallsByTimeQuery extends Omit<CallsQuery, 'job' | 'before'> {
  /** Without those that belong to a job. */
  readonly single: boolean;
  /** Calls before this position. */
  readonly before?: CallPosition | undefined;
}

/** Ended calls in the order of time, newest first. */
export interface CallsByTimePage {
  readonly rows: readonly UsageRow[];
  /** Where a long history was left before so many were found; null where they were, and at its end. */
  readonly reached: CallPosition | null;
}

/**
 * A page of ended calls, newest first. It may hold fewer than were asked for, and none, before the last one: a long history
 * is looked through a stretch at a time.
 */
export interface CallsPage {
  readonly rows: readonly UsageRow[];
  /** Pass it as `before` for the next page; null on the last. */
  readonly next: string | null;
}

/** Bytes that the store takes, and bytes of the disk that it lies on. */
export interface DiskSpace {
  readonly free: number;
  readonly size: number;
  readonly ledger: number;
  /** 0 without a cache on the disk. */
  readonly cache: number;
}

/**
 * The port to everything that people read about usage: the dashboard, the operator's pages and `GET /v1/usage`. No
 * method changes anything. Each rejects with an error of the catalogue, and what reads histories with `rate_limited` where
 * an account has too many such reads under way.
 */
export interface UsageQueries {
  /** Resolves with a page of an account's ended calls; rejects `invalid_cursor` when `before` is no call of it. */
  listCalls(account: string, query: CallsQuery): Promise<CallsPage>;
  /** Resolves with ended calls of an account in the order of time and id, newest first. */
  listCallsByTime(account: string, query: CallsByTimeQuery): Promise<CallsByTimePage>;
  /** Resolves with one ended call of an account; null when the account has no such call. */
  findCall(account: string, id: string): Promise<UsageRow | null>;
  /**
   * Resolves with sums over the ended calls of an account from `from` to before `to` (milliseconds since 1970). They
   * are in the order of day and endpoint. `listCalls` and `sumByDay` always agree, but for calls that were archived:
   * their sums stay.
   */
  sumByDay(account: string, from: number, to: number): Promise<readonly DaySpend[]>;
  /** Resolves with a key's charges in credits in the calendar month (UTC) of a time in milliseconds since 1970. */
  sumKeyMonth(key: string, at: number): Promise<number>;
  /** Resolves with the time of an account's last ended call (ISO 8601 UTC); null when it made none. */
  findLastCallAt(account: string): Promise<string | null>;
  /** Resolves with the space that the store takes and has left; rejects where it cannot be measured. */
  measureDiskSpace(): Promise<DiskSpace>;
}
