import type { ErrorCode } from '../errors/extract-error.js';
import type { ChargedKey } from './key-limit.js';
import type { Measures, UsageRow } from './usage-row.js';

/** The account of commands and the library, which exists without a server. */
export const localAccount = 'local';

/** An API key without its secret. */
export interface KeyName {
  /** Its id. */
  readonly id: string;
  /** The name chosen by its owner. */
  readonly name: string;
}

/** A call to be charged. */
export interface Charge {
  /** Request id, or job id and index. Globally unique, so a call is never charged twice. */
  readonly id: string;
  /** Account that pays. */
  readonly account: string;
  /** Endpoint path, such as `maps/place`. */
  readonly endpoint: string;
  /** The price. */
  readonly credits: number;
  /** True if the call requires an account that has bought credits (`fresh=true`). */
  readonly needsPack: boolean;
  /** When the call was made, in milliseconds since 1970. */
  readonly at: number;
  /** The API key used, with its spending limit. */
  readonly key?: ChargedKey | undefined;
  /** Id of the job that the call is part of. */
  readonly job?: string | undefined;
  /**
   * True for work that a killed process or a failed attempt may have started. The row becomes pending again from any
   * state, and its price is taken only once. Only for an id that no other process works on.
   */
  readonly resumes?: boolean | undefined;
  /** The measurements of a call that is already answered and that `pay` also ends. */
  readonly measures?: Partial<Measures> | undefined;
}

/** How a charged call ended. */
export type Ending = {
  /** Its measurements. Undefined if there are none. */
  readonly measures?: Partial<Measures> | undefined;
} & (
  | {
      /** The call was answered. */
      readonly status: 'ok';
      /** True if the answer came from the cache. */
      readonly cached: boolean;
    }
  | {
      /** The call failed and its price is refunded. */
      readonly status: 'failed';
      /** Why it failed. Null if the caller cancelled the call. */
      readonly code: ErrorCode | null;
    }
);

/** The credits of an account. */
export interface Balance {
  /** Id of the account. */
  readonly account: string;
  /** Credits available to spend. */
  readonly credits: number;
  /** True once a pack was bought, as `fresh=true` requires. */
  readonly bought: boolean;
}

/** The filter of a list of an account's calls. */
export interface UsageQuery {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Returns rows older than this one: `next` of the previous page. */
  readonly before?: string | undefined;
  /** Inclusive lower bound of `created_at`, ISO 8601 UTC. */
  readonly from?: string | undefined;
  /** Exclusive upper bound of `created_at`, ISO 8601 UTC. */
  readonly to?: string | undefined;
  /** Only calls of this endpoint path. */
  readonly endpoint?: string | undefined;
  /** Only calls of the job with this id. */
  readonly job?: string | undefined;
}

/** Credits to add. */
export interface Grant {
  /** Globally unique, so a grant is never made twice. */
  readonly id: string;
  /** Account that receives them. */
  readonly account: string;
  /** How many. */
  readonly credits: number;
  /** Bought, or granted once to try the service. */
  readonly kind: 'pack' | 'trial';
  /** When they were granted, ISO 8601 UTC. */
  readonly at: string;
}

/**
 * The money. The price is charged before the work, in the transaction that checks the balance. A failed call is
 * refunded in full, once. Credits granted minus credits charged equals the balance at every moment and after any crash.
 * Each method resolves once its change is on disk. It rejects with a `StorageError` if the store is unusable; its
 * `fault` says why.
 */
export interface Ledger {
  /**
   * Takes the price. Rejects `fresh_not_available` or `insufficient_credits` (of the account, or of the key's month)
   * with nothing charged. Rejects `internal_error` for an id that already exists. A charge that `resumes` continues the
   * existing row, and charges it again if it was refunded.
   */
  charge(charge: Charge): Promise<void>;
  /**
   * Charges and settles a call that is already answered (`cached`), so that its row is never pending. Returns the
   * balance. Rejects as `charge` does.
   */
  pay(charge: Charge): Promise<number>;
  /**
   * Ends a charged call, refunding the price if it failed, and returns the balance. Does nothing to a row that has
   * ended. Rejects `internal_error` for an answer whose price was already refunded.
   */
  settle(id: string, ending: Ending): Promise<number>;
  /**
   * Refunds, once, a call whose answer reached no client, as if it had been cancelled. Does nothing to a failed call.
   * Returns the balance.
   */
  refund(id: string): Promise<number>;
  /** Adds credits. Does nothing if the grant's id exists. Returns the balance. */
  grant(grant: Grant): Promise<number>;
  /** Returns the account's balance; 0 for an unknown account. */
  balance(account: string): Promise<Balance>;
  /** Returns ended calls, newest first. */
  usage(
    account: string,
    query: UsageQuery,
  ): Promise<{
    /** The calls. */
    rows: readonly UsageRow[];
    /** Pass it as `before` to get the next page. Null on the last page. */
    next: string | null;
  }>;
  /** Writes to the store without changing the books. Rejects if an entry could not be written now, or would be lost. */
  checkWritable(): Promise<void>;
  /** Finishes pending writes and closes the file. */
  close(): Promise<void>;
}
