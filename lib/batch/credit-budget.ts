import { ExtractError } from '../errors/extract-error.js';
import type { PaidCalls } from './paid-calls.js';

interface Waiter {
  readonly index: number;
  readonly credits: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The credits that a batch may spend. A price is reserved before the call, so that concurrent calls cannot exceed the
 * limit together. A call that no longer fits waits for those in progress, because a failed call releases its price.
 */
export class CreditBudget {
  readonly #limit: number;
  #taken: number;
  /** Inputs in progress that are not waiting for credits. */
  #working = 0;
  readonly #waiters: Waiter[] = [];

  /** What earlier runs paid for calls that have not restarted yet. */
  readonly #paid: Map<string, number>;

  /** `spent`: what earlier runs of the same batch spent, excluding the calls in `paid`. */
  constructor(limit: number, spent: number, paid: PaidCalls = new Map()) {
    this.#limit = limit;
    this.#paid = new Map(paid);
    this.#taken = [...paid.values()].reduce((sum, credits) => sum + credits, spent);
  }

  enter(): void {
    this.#working += 1;
  }

  leave(): void {
    this.#working -= 1;
    this.#serve();
  }

  /** Returns true if an earlier run paid for a restarted call, so that its price is already reserved. */
  claimPaid(id: string): boolean {
    return this.#paid.delete(id);
  }

  /** Removes a call paid by an earlier run that was refunded and will not restart. */
  drop(id: string): void {
    const credits = this.#paid.get(id);
    if (credits !== undefined && this.#paid.delete(id)) this.release(credits);
  }

  /**
   * Reserves the price of one call. Rejects `insufficient_credits` if the limit would be exceeded whatever happens to
   * the calls in progress.
   */
  take(credits: number, index: number): Promise<void> | undefined {
    if (this.#waiters.length === 0 && this.#taken + credits <= this.#limit) {
      this.#taken += credits;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#waiters.push({ index, credits, resolve, reject });
      this.#waiters.sort((a, b) => a.index - b.index);
      this.#working -= 1;
      this.#serve();
    });
  }

  /** Releases the price of a call that turned out to be free. */
  release(credits: number): void {
    this.#taken -= credits;
    this.#serve();
  }

  #serve(): void {
    for (;;) {
      const first = this.#waiters[0];
      if (first === undefined || this.#taken + first.credits > this.#limit) break;
      this.#waiters.shift();
      this.#taken += first.credits;
      this.#working += 1;
      first.resolve();
    }
    if (this.#working > 0) return;
    // All inputs are waiting, so nothing will be released: the last one has to fail.
    const last = this.#waiters.pop();
    if (last === undefined) return;
    this.#working += 1;
    last.reject(
      new ExtractError(
        'insufficient_credits',
        `The next call costs ${last.credits} credits and would exceed the limit of ${this.#limit}; ${this.#taken} are spent. Raise the limit to continue.`,
      ),
    );
  }
}
