import { ExtractError } from '../errors/extract-error.js';
import { type Clock, elapsed } from './clock.js';

/** A rest is so many times as long as the work before it. */
const restRatio = 2;
/** Milliseconds that a rest takes at most. */
const maxRestMs = 2_000;

interface Line {
  /** Resolves when the next of the account may begin. */
  free: Promise<void>;
  count: number;
}

/**
 * Runs the work of each account one after the other, beside that of others, and refuses what is too much. By a clock, an
 * account rests after each piece, twice as long as that took: it has a third of the time at most.
 */
export class AccountTurns {
  readonly #lines = new Map<string, Line>();
  readonly #maxWaiting: number;
  readonly #refusal: string;
  readonly #clock: Clock | undefined;
  readonly #minRestMs: number;

  /**
   * At most `maxWaiting` of one account wait; further ones are refused, and `refusal` says what to do. A rest takes `minRestMs`
   * at least, for work of which more comes later.
   */
  constructor(maxWaiting: number, refusal: string, clock?: Clock, minRestMs = 0) {
    this.#clock = clock;
    this.#minRestMs = minRestMs;
    this.#maxWaiting = maxWaiting;
    this.#refusal = refusal;
  }

  /** Rejects `rate_limited`, and as the work does. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(account) ?? { free: Promise.resolve(), count: 0 };
    if (line.count > this.#maxWaiting) {
      throw new ExtractError('rate_limited', this.#refusal, { retryAfter: 1 });
    }
    this.#lines.set(account, line);
    line.count += 1;
    const turn = line.free;
    let rest: () => void = () => undefined;
    line.free = new Promise((resolve) => {
      rest = resolve;
    });
    await turn;
    const began = this.#elapsed();
    try {
      return await work();
    } finally {
      line.count -= 1;
      this.#afterRest(this.#elapsed() - began, () => {
        rest();
        if (line.count === 0) this.#lines.delete(account);
      });
    }
  }

  #elapsed(): number {
    return this.#clock === undefined ? 0 : elapsed(this.#clock);
  }

  #afterRest(took: number, next: () => void): void {
    const restMs = Math.min(Math.max(restRatio * took, this.#minRestMs), maxRestMs);
    // A command waits for it: nothing else may hold one whose next piece waits for its turn.
    if (took > 0) this.#clock?.alarm(restMs, next);
    else next();
  }
}
