import { LRUCache } from 'lru-cache';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';
import { CountExchange, type CountedWindow } from './count-exchange.js';
import type { SharedCounts } from './shared-counts.js';

export interface RateLimitState {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** Milliseconds of a window. */
export const windowMs = 60_000;

/** Maximum windows in memory; the least recently used one is evicted. */
const maxCallers = 50_000;

/** The share of the quota that a process admits before the others know of it. */
const aheadShare = 0.02;

/**
 * Limits each caller's requests per minute, in windows that start with the caller's first request. With `counts` all
 * servers share the limit: each reports its own counts within a quarter of a second.
 */
export class RateLimit {
  readonly policy: string;
  readonly #name: string;
  readonly #quota: number;
  readonly #clock: Clock;
  // With `max` it would allocate everything in advance: four milliseconds and a megabyte per limit.
  readonly #windows = new LRUCache<string, CountedWindow>({
    maxSize: maxCallers,
    sizeCalculation: () => 1,
  });
  readonly #exchange: CountExchange | undefined;

  /** `name` is the policy's name in the headers. */
  constructor(name: string, quota: number, clock: Clock, counts?: SharedCounts) {
    this.#name = name;
    this.#quota = quota;
    this.#clock = clock;
    this.policy = `"${name}";q=${quota};w=${windowMs / 1000}`;
    this.#exchange = counts && new CountExchange(name, counts, clock);
  }

  /**
   * Await it before `take`, repeatedly until it is undefined. Defined while too many admitted requests are unknown to
   * other servers. Resolves once they were reported, or cannot be.
   */
  wait(caller: string): Promise<void> | undefined {
    const window = this.#exchange && this.#windows.peek(caller);
    if (window === undefined || window.used >= this.#quota) return undefined;
    const isAhead = window.unsent + window.sending >= Math.max(1, this.#quota * aheadShare);
    return isAhead && elapsed(this.#clock) < window.ends ? this.#exchange?.settle() : undefined;
  }

  /** Counts a request. A refused one does not count. */
  take(caller: string): RateLimitState {
    const now = Math.floor(elapsed(this.#clock));
    let window = this.#windows.get(caller);
    // If a clock without `elapsed` was set back, a caller waits at most one window.
    if (window === undefined || now >= window.ends || window.ends - now > windowMs) {
      window = { used: 0, ends: now + windowMs, unsent: 0, sending: 0, began: null };
      this.#windows.set(caller, window);
    }
    const allowed = window.used < this.#quota;
    if (allowed) {
      window.used += 1;
      this.#exchange?.note(caller, window);
    }
    return {
      allowed,
      remaining: Math.max(0, this.#quota - window.used),
      seconds: Math.ceil((window.ends - now) / 1000),
    };
  }

  headerOf({ remaining, seconds }: RateLimitState): string {
    return `"${this.#name}";r=${remaining};t=${seconds}`;
  }
}
