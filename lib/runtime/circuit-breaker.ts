import { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from './clock.js';
import { withTimeout } from './with-timeout.js';

/** Milliseconds that a caller waits for the store, and for which a store that cannot be reached is left alone. */
const waitMs = 5_000;
const restMs = 5_000;

const unreachable = () =>
  new StorageError('unreachable', 'The store did not answer in time. Call again in a moment.', {
    retryAfter: restMs / 1000,
  });

/**
 * Stands before a store that a call can do without. A call waits five seconds for it at most. Once it could not be
 * reached, all calls of the next five seconds are told so at once. Each would wait as long again.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work. Rejects with its error, and with a `StorageError` (`unreachable`) in place of waiting. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (elapsed(this.#clock) < this.#openUntil) throw unreachable();
    try {
      return await withTimeout(work(), waitMs, this.#clock, unreachable);
    } catch (error) {
      if (error instanceof StorageError && error.fault === 'unreachable') {
        this.#openUntil = elapsed(this.#clock) + restMs;
      }
      throw error;
    }
  }
}
