import type { ErrorCode } from '../errors.js';

/** A call to be charged. */
export interface Charge {
  /** Request id, or job id and index: unique for ever, so nothing is charged twice. */
  readonly id: string;
  readonly account: string;
  /** Endpoint path, such as `maps/place`. */
  readonly endpoint: string;
  readonly credits: number;
  /** True when the call needs an account that has bought credits (`fresh=true`). */
  readonly needsPack: boolean;
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
  readonly key?: { readonly id: string; readonly name: string } | undefined;
  readonly job?: string | undefined;
  /**
   * True for work that may have been begun before, by a process that was killed or in a try that failed: whatever
   * state the row is in, it is pending again with its price taken once. Only for an id whose caller knows that
   * nobody else is at work on it.
   */
  readonly resumes?: boolean | undefined;
}

/** How a charged call ended. */
export type Ending =
  | { readonly status: 'ok'; readonly cached: boolean }
  /** `code` is null when the caller gave the call up. */
  | { readonly status: 'failed'; readonly code: ErrorCode | null };

export interface Balance {
  readonly account: string;
  readonly credits: number;
  /** True once a pack was bought: what `fresh=true` needs. */
  readonly bought: boolean;
}

/** A row of the usage ledger, as the contract shows it. */
export interface UsageRow {
  readonly id: string;
  readonly created_at: string;
  readonly endpoint: string;
  readonly status: 'ok' | 'failed';
  readonly error_code: string | null;
  readonly credits_charged: number;
  readonly credits_refunded: number;
  readonly cached: boolean;
  readonly api_key: { readonly id: string; readonly name: string } | null;
  readonly job_id: string | null;
}

export interface UsageQuery {
  readonly limit: number;
  /** Rows before this one: `next` of the previous page. */
  readonly before?: string | undefined;
  /** Inclusive lower and exclusive upper bound of `created_at`, ISO 8601 UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly job?: string | undefined;
}

/** Credits that came in. */
export interface Grant {
  /** Unique for ever, so nothing is granted twice. */
  readonly id: string;
  readonly account: string;
  readonly credits: number;
  readonly kind: 'pack' | 'trial';
  readonly at: string;
}

/**
 * The port to the money. One rule: the price is charged before the work, in the transaction that checks the
 * balance, and given back in full, once, when the call fails. Credits granted minus credits charged is the
 * balance, at any instant and after any crash. Each method resolves when what it did is on the disk.
 */
export interface Ledger {
  /**
   * Takes the price. Rejects, with nothing charged, `insufficient_credits`, `fresh_not_available`, and for an
   * id that is there already `internal_error`, unless the charge `resumes`: then a row whose price is held or
   * was spent is taken over as it is, and one whose price was given back is charged again.
   */
  charge(charge: Charge): Promise<void>;
  /**
   * `charge` and `settle` in one, for a call whose answer is there already (`cached`): the row never waits. Tells
   * what `prepare` makes of the balance. It runs once the entry is made, while that is brought to the disk, so that
   * the time is used; it must not throw. Rejects as `charge` does.
   */
  pay<Told>(charge: Charge, prepare: (balance: number) => Told): Promise<Told>;
  /**
   * Ends a charged call, giving the price back when it failed, and tells the balance. A row that has ended
   * stays as it is, whatever it is told again.
   */
  settle(id: string, ending: Ending): Promise<number>;
  /**
   * Gives back the price of a call whose answer reached nobody, as if it had been given up; once. A call that
   * failed stays as it is. Tells the balance.
   */
  undo(id: string): Promise<number>;
  /** Adds credits; a grant whose id is there already changes nothing. Tells the balance. */
  grant(grant: Grant): Promise<number>;
  /** The account's balance; an account that is not known has 0. */
  balance(account: string): Promise<Balance>;
  /** Ended calls, newest first, with the id to go on from (null on the last page). */
  usage(account: string, query: UsageQuery): Promise<{ rows: readonly UsageRow[]; next: string | null }>;
  /** Finishes what is being written and lets go of the file. */
  close(): Promise<void>;
}
