import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { MadeCall } from '../../../lib/ledger/call-row.js';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { CallsQuery } from './usage-queries.js';

/**
 * A call that was refused before it was charged: beyond a limit, not paid for, with parameters that are wrong. Its id
 * is that of the request; its endpoint is `jobs` for a job that was not made.
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

/** Refused calls of one account that are kept; the oldest go. */
export const maxRefusedCalls = 1_000;

/**
 * The port to calls that the ledger does not hold, as they were not charged. It holds each account's newest. Money never depends on it: a crash may lose those of the last second.
 */
export interface RefusedCalls {
  /** Remembers a call. Never throws and never waits: a store that cannot be used loses it. */
  note(call: RefusedCall): void;
  /** Resolves with refused calls of an account, newest first, those that were noted before included. */
  list(account: string, query: RefusedQuery): Promise<readonly RefusedCall[]>;
  /** Resolves with one refused call of an account; null when it has no such one. */
  find(account: string, id: string): Promise<RefusedCall | null>;
  /** Deletes the calls before a time, of all accounts. */
  prune(before: number): Promise<void>;
  /** Resolves when what was noted is written, or cannot be. */
  flush(): Promise<void>;
}

/** Keeps none. */
export const noRefusedCalls: RefusedCalls = {
  note: () => undefined,
  list: async () => [],
  find: async () => null,
  prune: async () => undefined,
  flush: async () => undefined,
};
