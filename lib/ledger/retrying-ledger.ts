import { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { PeriodicTask } from '../runtime/periodic-task.js';
import type { Balance, Charge, Ending, Grant, Ledger, UsageQuery } from './ledger.js';

/** Milliseconds between tries to give back what could not be given back. */
const retryMs = 1_000;
/** Milliseconds for which a store that refused an entry is not called writable. */
const recentMs = 3_000;
/** Calls that are remembered at most. Further calls are refunded when the process has ended, as after a crash. */
const maxRemembered = 100_000;
/** Calls of one try that the ledger is asked for at once. */
const atOnce = 200;

type GiveBack = () => Promise<number>;

/**
 * A ledger that loses no refund. When the store cannot be written (a full disk, a lock), the caller gets the error at
 * once. The refund follows as soon as the store can be written again.
 */
export class RetryingLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #owed = new Map<string, GiveBack>();
  /** When the store last refused an entry, and why. */
  #refused: { readonly at: number; readonly cause: StorageError } | undefined;
  readonly #tries: PeriodicTask;

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
    const work = async () => {
      await this.#settleOwed();
      return this.#owed.size > 0 ? undefined : null;
    };
    this.#tries = new PeriodicTask(clock, retryMs, work, false);
  }

  /** How many calls are to be given back as soon as that is possible. */
  get owed(): number {
    return this.#owed.size;
  }

  charge(charge: Charge): Promise<void> {
    return this.#noted(this.#ledger.charge(charge));
  }

  pay(charge: Charge): Promise<number> {
    return this.#noted(this.#ledger.pay(charge));
  }

  settle(id: string, ending: Ending): Promise<number> {
    const settle = () => this.#noted(this.#ledger.settle(id, ending));
    return ending.status === 'ok' ? settle() : this.#giveBack(id, settle);
  }

  refund(id: string): Promise<number> {
    return this.#giveBack(id, () => this.#noted(this.#ledger.refund(id)));
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
   * A store on the edge (a disk that is all but full) takes one entry and refuses the next. It counts as refusing for a
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

  async #noted<T>(entry: Promise<T>): Promise<T> {
    try {
      return await entry;
    } catch (cause) {
      if (cause instanceof StorageError) this.#refused = { at: elapsed(this.#clock), cause };
      throw cause;
    }
  }

  async #giveBack(id: string, giveBack: GiveBack): Promise<number> {
    try {
      const balance = await giveBack();
      this.#owed.delete(id);
      return balance;
    } catch (cause) {
      if (cause instanceof StorageError && this.#owed.size < maxRemembered) this.#remember(id, giveBack);
      throw cause;
    }
  }

  #remember(id: string, giveBack: GiveBack): void {
    // A refund of a call whose ending could not be written comes after it. It counts, and ends the call in any state.
    this.#owed.set(id, giveBack);
    this.#tries.arm();
  }

  /** Gives back what is owed, until the store fails again. */
  async #settleOwed(): Promise<void> {
    while (this.#owed.size > 0) {
      const some = [...this.#owed].slice(0, atOnce);
      const tries = await Promise.allSettled(some.map(([, giveBack]) => giveBack()));
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
