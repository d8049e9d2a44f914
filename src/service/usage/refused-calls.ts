import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { RequestedCall } from '../../../lib/ledger/call-row.js';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { CallsQuery } from './usage-queries.js';

/**
 * A call that was refused before it was charged: over a limit, unpaid, or with invalid parameters. Its id is the
 * request's; its endpoint is `jobs` for a job that was not created.
 */
export interface RefusedCall extends RequestedCall {
  readonly account: string;
  readonly code: ErrorCode;
}

export interface RefusedQuery
  extends Pick<CallsQuery, 'limit' | 'endpoint' | 'key' | 'code' | 'from' | 'to'> {
  readonly before?: CallPosition | undefined;
}

/** Maximum refused calls stored per account; the oldest are dropped. */
export const maxRefusedCalls = 1_000;

/**
 * Calls that are not in the ledger because they were not charged, each account's newest. No money depends on them: a
 * crash may lose the last second's.
 */
export interface RefusedCalls {
  /** Records a call. Never throws and never waits: an unusable store loses it. */
  note(call: RefusedCall): void;
  /** Returns an account's refused calls, newest first, including all recorded before. */
  list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]>;
  /** Returns one refused call of an account; null for none. */
  find(account: string, id: string): Promise<RefusedCall | null>;
  /** Deletes all accounts' calls before a time. */
  prune(before: number): Promise<void>;
  /** Resolves when recorded calls are written, or cannot be. */
  flush(): Promise<void>;
}

export const noRefusedCalls: RefusedCalls = {
  note: () => undefined,
  list: async () => [],
  find: async () => null,
  prune: async () => undefined,
  flush: async () => undefined,
};
