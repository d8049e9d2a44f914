import { ExtractError } from '../errors/extract-error.js';
import type { PaidCalls } from './paid-calls.js';

interface Waiter {
  readonly index: number;
  readonly credits: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The credits that a batch may spend. A price is set aside before the call, so that calls under way together cannot
 * pass the limit. One that no longer fits waits for those under way, since a failed one gives its price back.
 */
export class CreditBudget {
  readonly #limit: number;
  #taken: number;
  /** Inputs that hold something or are at work, and do not wait. */
  #working = 0;
  readonly #waiters: Waiter[] = [];

  /** What earlier runs paid for calls that were not begun again so far. */
  readonly #paid: Map<string, number>;

  /** `spent`: what earlier runs of the same batch have spent of it, without the calls that they left `paid`. */
  constructor(limit: number, spent: number, paid: PaidCalls = new Map()) {
    this.#limit = limit;
    this.#paid = new Map(paid);
    this.#taken = [...paid.values()].reduce((sum, credits) => sum + credits, spent);
  }

  /** An input is begun. */
  enter(): void {
    this.#working += 1;
  }

  /** An input has ended. */
  leave(): void {
    this.#working -= 1;
    this.#serve();
  }

  /** Whether an earlier run paid for a call that is begun again: its price is set aside since then. */
  takeUp(id: string): boolean {
    return this.#paid.delete(id);
  }

  /** A call that an earlier run paid for is given back, and not begun again. */
  drop(id: string): void {
    const credits = this.#paid.get(id);
    if (credits !== undefined && this.#paid.delete(id)) this.giveBack(credits);
  }

  /**
   * Sets the price of one call of an input aside. Rejects `insufficient_credits` when the limit would be passed
   * whatever becomes of the calls under way.
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

  /** A call cost nothing in the end. */
  giveBack(credits: number): void {
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
    // Nobody is left who could give anything back, but those who wait: the last of them has to.
    const last = this.#waiters.pop();
    if (last === undefined) return;
    this.#working += 1;
    last.reject(
      new ExtractError(
        'insufficient_credits',
        `The next call costs ${last.credits} credits and would pass the limit of ${this.#limit}; ${this.#taken} are spent. Raise the limit to go on.`,
      ),
    );
  }
}
