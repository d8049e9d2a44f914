import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { MadeCall } from '../../../lib/ledger/call-row.js';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { CallsQuery } from './usage-queries.js';

/**
 * A call that was refused before it was charged: over a limit, unpaid, or with invalid parameters. Its id is the
 * request's; its endpoint is `jobs` for a job that was not created.
 */
export interface RefusedCall extends MadeCall {
  readonly account: string;
  readonly code: ErrorCode;
}

/** A filter of an account's refused calls. */
export interface RefusedQuery
  extends Pick<CallsQuery, 'limit' | 'endpoint' | 'key' | 'code' | 'from' | 'to'> {
  /** Calls before this one. */
  readonly before?: CallPosition | undefined;
}

/** Maximum refused calls stored per account; the oldest are dropped. */
export const maxRefusedCalls = 1_000;

/**
 * The port to calls that are not in the ledger because they were not charged. It stores each account's newest. Money
 * never depends on it: a crash may lose the last second's.
 */
export interface RefusedCalls {
  /** Records a call. Never throws and never waits: an unusable store loses it. */
  note(call: RefusedCall): void;
  /** Returns refused calls of an account, newest first, including all recorded before. */
  list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]>;
  /** Returns one refused call of an account; null if there is none. */
  find(account: string, id: string): Promise<RefusedCall | null>;
  /** Deletes the calls before a time, of all accounts. */
  prune(before: number): Promise<void>;
  /** Resolves when recorded calls are written, or cannot be. */
  flush(): Promise<void>;
}

/** Stores nothing. */
export const noRefusedCalls: RefusedCalls = {
  note: () => undefined,
  list: async () => [],
  find: async () => null,
  prune: async () => undefined,
  flush: async () => undefined,
};
