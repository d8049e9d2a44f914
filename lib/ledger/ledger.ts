import type { ErrorCode } from '../errors/extract-error.js';
import type { ChargedKey } from './key-limit.js';
import type { Measures, UsageRow } from './usage-row.js';

/** The account that exists by itself where there is no server: the one of commands and of the library. */
export const localAccount = 'local';

/** An API key without its secret. */
export interface KeyName {
  /** Its id. */
  readonly id: string;
  /** The name that its owner gave it. */
  readonly name: string;
}

/** A call to be charged. */
export interface Charge {
  /** Request id, or job id and index: unique for ever, so nothing is charged twice. */
  readonly id: string;
  /** Account that pays. */
  readonly account: string;
  /** Endpoint path, such as `maps/place`. */
  readonly endpoint: string;
  /** The price. */
  readonly credits: number;
  /** True when the call needs an account that has bought credits (`fresh=true`). */
  readonly needsPack: boolean;
  /** When the call was made, in milliseconds since 1970. */
  readonly at: number;
  /** The API key it came with, and what that may spend a month. */
  readonly key?: ChargedKey | undefined;
  /** The job it is part of. */
  readonly job?: string | undefined;
  /**
   * True for work that a killed process or a failed try may have begun before. The row becomes pending again, with
   * its price taken once, whatever its state was. Only for an id whose caller knows that nobody else is at work on
   * it.
   */
  readonly resumes?: boolean | undefined;
  /** The measurements of a call that is answered already, which `pay` ends as well. */
  readonly measures?: Partial<Measures> | undefined;
}

/** How a charged call ended. */
export type Ending = {
  /** Its measurements; left out where nobody made them. */
  readonly measures?: Partial<Measures> | undefined;
} & (
  | {
      /** With an answer. */
      readonly status: 'ok';
      /** True when the answer came from the cache. */
      readonly cached: boolean;
    }
  | {
      /** Without an answer: the price is given back. */
      readonly status: 'failed';
      /** Why; null when the caller gave the call up. */
      readonly code: ErrorCode | null;
    }
);

/** The credits of an account. */
export interface Balance {
  /** Id of the account. */
  readonly account: string;
  /** Credits that can be spent. */
  readonly credits: number;
  /** True once a pack was bought: what `fresh=true` needs. */
  readonly bought: boolean;
}

/** The filter of a list of an account's calls. */
export interface UsageQuery {
  /** Rows at most. */
  readonly limit: number;
  /** Rows before this one: `next` of the previous page. */
  readonly before?: string | undefined;
  /** Inclusive lower bound of `created_at`, ISO 8601 UTC. */
  readonly from?: string | undefined;
  /** Exclusive upper bound of `created_at`, ISO 8601 UTC. */
  readonly to?: string | undefined;
  /** Calls of one endpoint, by its path. */
  readonly endpoint?: string | undefined;
  /** Calls of one job, by its id. */
  readonly job?: string | undefined;
}

/** Credits that came in. */
export interface Grant {
  /** Unique for ever, so nothing is granted twice. */
  readonly id: string;
  /** Account that gets them. */
  readonly account: string;
  /** How many. */
  readonly credits: number;
  /** Bought, or given once to try the service. */
  readonly kind: 'pack' | 'trial';
  /** When they came in, ISO 8601 UTC. */
  readonly at: string;
}

/**
 * The port to the money. One rule holds. The price is charged before the work, in the transaction that checks the
 * balance. A failed call gives it back in full, once. Credits granted minus credits charged is the balance, at any
 * instant and after any crash. Each method resolves when what it did is on the disk. It rejects with a `StorageError`
 * when the store is unusable, whose `fault` says why.
 */
export interface Ledger {
  /**
   * Takes the price. Rejects, with nothing charged, `fresh_not_available` and `insufficient_credits` (of the account,
   * or of the key's month). Rejects `internal_error` for an id that is there already. A charge that `resumes` takes
   * over such a row as it is. It charges a row again whose price was given back.
   */
  charge(charge: Charge): Promise<void>;
  /**
   * `charge` and `settle` in one, for a call whose answer is there already (`cached`): the row never waits. Returns
   * the balance. Rejects as `charge` does.
   */
  pay(charge: Charge): Promise<number>;
  /**
   * Ends a charged call, giving the price back when it failed, and returns the balance. A row that has ended
   * stays as it is. Rejects `internal_error` for an answer whose price was given back before.
   */
  settle(id: string, ending: Ending): Promise<number>;
  /**
   * Gives back the price of a call whose answer reached nobody, as if it had been given up; once. A call that
   * failed stays as it is. Returns the balance.
   */
  refund(id: string): Promise<number>;
  /** Adds credits; a grant whose id is there already changes nothing. Returns the balance. */
  grant(grant: Grant): Promise<number>;
  /** The account's balance; an account that is not known has 0. */
  balance(account: string): Promise<Balance>;
  /** Ended calls, newest first. */
  usage(
    account: string,
    query: UsageQuery,
  ): Promise<{
    /** The calls. */
    rows: readonly UsageRow[];
    /** Pass it as `before` for the next page; null on the last. */
    next: string | null;
  }>;
  /**
   * Writes to the store and leaves the books as they are. Rejects where an entry could not be made now, or where what
   * is written would be lost.
   */
  checkWritable(): Promise<void>;
  /** Finishes what is being written and lets go of the file. */
  close(): Promise<void>;
}
