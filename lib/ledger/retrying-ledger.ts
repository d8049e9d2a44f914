import { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { PeriodicTask } from '../runtime/periodic-task.js';
import type { Balance, Charge, Ending, Grant, Ledger, UsageQuery } from './ledger.js';

/** Milliseconds between attempts at a pending refund. */
const retryMs = 1_000;
/** Milliseconds for which a store that refused an entry counts as not writable. */
const recentMs = 3_000;
/** Maximum pending refunds. Further calls are refunded after the process has ended, as after a crash. */
const maxRemembered = 100_000;
/** Refunds sent to the ledger at a time. */
const atOnce = 200;

type RefundCall = (ledger: Ledger) => Promise<number>;

/** By call id. */
type OwedEntries = Map<string, RefundCall>;

const owedOnFiles = new Map<string, OwedEntries>();

/**
 * Returns the pending refunds of a ledger file in this process. A ledger that is closed on a full disk passes them to
 * the next one, because no other process refunds a call of a running process.
 */
export function owedOn(file: string): OwedEntries {
  const owed: OwedEntries = owedOnFiles.get(file) ?? new Map();
  owedOnFiles.set(file, owed);
  return owed;
}

/**
 * A ledger that never loses a refund. If the store cannot be written (a full disk, a lock), the caller receives the
 * error immediately, and the refund is made once the store is writable again.
 */
export class RetryingLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #owed: OwedEntries;
  /** When the store last refused an entry, and why. */
  #refused: { readonly at: number; readonly cause: StorageError } | undefined;
  readonly #tries: PeriodicTask;

  constructor(ledger: Ledger, clock: Clock, owed: OwedEntries = new Map()) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#owed = owed;
    const work = async () => {
      await this.#settleOwed();
      return this.#owed.size > 0 ? undefined : null;
    };
    this.#tries = new PeriodicTask(clock, retryMs, work, false);
  }

  get owed(): number {
    return this.#owed.size;
  }

  charge(charge: Charge): Promise<void> {
    return this.#charge(charge, () => this.#ledger.charge(charge));
  }

  pay(charge: Charge): Promise<number> {
    return this.#charge(charge, () => this.#ledger.pay(charge));
  }

  settle(id: string, ending: Ending): Promise<number> {
    const settle = (ledger: Ledger) => ledger.settle(id, ending);
    return ending.status === 'ok' ? this.#noted(settle(this.#ledger)) : this.#refund(id, settle);
  }

  refund(id: string): Promise<number> {
    return this.#refund(id, (ledger) => ledger.refund(id));
  }

  grant(grant: Grant): Promise<number> {
    return this.#ledger.grant(grant);
  }

  balance(account: string): Promise<Balance> {
    return this.#ledger.balance(account);
  }

  usage(account: string, query: UsageQuery) {
    return this.#ledger.usage(account, query);
  }

  /**
   * A store at its limit (an almost full disk) accepts one entry and refuses the next, so it counts as refusing for a
   * while.
   */
  async checkWritable(): Promise<void> {
    const refused = this.#refused;
    if (refused !== undefined && elapsed(this.#clock) - refused.at < recentMs) throw refused.cause;
    await this.#ledger.checkWritable();
  }

  async close(): Promise<void> {
    await this.#tries.stop();
    await this.#settleOwed();
    await this.#ledger.close();
  }

  async #charge<T>({ id }: Charge, entry: () => Promise<T>): Promise<T> {
    // A pending refund from an earlier attempt would end the retried call while it runs.
    const owed = this.#owed.get(id);
    this.#owed.delete(id);
    // Refunds left by an earlier ledger of this file.
    if (this.#owed.size > 0) this.#tries.arm();
    try {
      return await this.#noted(entry());
    } catch (cause) {
      if (owed !== undefined) this.#owe(id, owed);
      throw cause;
    }
  }

  async #noted<T>(entry: Promise<T>): Promise<T> {
    try {
      return await entry;
    } catch (cause) {
      if (cause instanceof StorageError) this.#refused = { at: elapsed(this.#clock), cause };
      throw cause;
    }
  }

  async #refund(id: string, refund: RefundCall): Promise<number> {
    try {
      const balance = await this.#noted(refund(this.#ledger));
      this.#owed.delete(id);
      return balance;
    } catch (cause) {
      if (cause instanceof StorageError && this.#owed.size < maxRemembered) this.#owe(id, refund);
      throw cause;
    }
  }

  #owe(id: string, refund: RefundCall): void {
    // The refund of a call whose ending could not be written follows that ending, replaces it, and ends the call in any
    // state.
    this.#owed.set(id, refund);
    this.#tries.arm();
  }

  /** Makes pending refunds until the store fails again. */
  async #settleOwed(): Promise<void> {
    while (this.#owed.size > 0) {
      const some = [...this.#owed].slice(0, atOnce);
      const tries = await Promise.allSettled(some.map(([, refund]) => this.#noted(refund(this.#ledger))));
      let failed = false;
      for (const [at, { status, ...outcome }] of tries.entries()) {
        const stays = status === 'rejected' && 'reason' in outcome && outcome.reason instanceof StorageError;
        failed ||= stays;
        // A call that is not in the ledger was never charged.
        if (!stays) this.#owed.delete(some[at]?.[0] ?? '');
      }
      if (failed) return;
    }
  }
}
