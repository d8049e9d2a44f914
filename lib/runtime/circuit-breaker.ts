import { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from './clock.js';
import { withTimeout } from './with-timeout.js';

/** Milliseconds that a caller waits for the store, and for which an unreachable store is not used. */
const waitMs = 5_000;
const restMs = 5_000;

const unreachable = () =>
  new StorageError('unreachable', 'The store did not respond in time. Try again in a moment.', {
    retryAfter: restMs / 1000,
  });

/**
 * Protects calls from an optional store. A call waits at most five seconds for it. Once it is unreachable, calls fail
 * immediately for the next five seconds.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects with the work's error, or with a `StorageError` (`unreachable`) instead of waiting. */
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
