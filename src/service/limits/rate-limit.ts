import { LRUCache } from 'lru-cache';
import { type Clock, elapsed } from '../../../lib/runtime/clock.js';
import { CountExchange, type CountedWindow } from './count-exchange.js';
import type { SharedCounts } from './shared-counts.js';

/** The requests left to a caller in the current window. */
export interface RateLimitState {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** Milliseconds of a window. */
export const windowMs = 60_000;

/** Windows in memory at most; the least recently used one makes room. */
const maxCallers = 50_000;

/** Part of the quota that a process lets pass before the others know of it. */
const aheadShare = 0.02;

/**
 * So many requests a minute for each caller, in windows that begin with the caller's first request. With `counts` they
 * are those of all servers. Each counts for itself, and tells the others within a quarter of a second.
 */
export class RateLimit {
  /** The `RateLimit-Policy` header. */
  readonly policy: string;
  readonly #name: string;
  readonly #quota: number;
  readonly #clock: Clock;
  // With `max` it would take the room of all of them at once: four milliseconds and a megabyte of each limit.
  readonly #windows = new LRUCache<string, CountedWindow>({
    maxSize: maxCallers,
    sizeCalculation: () => 1,
  });
  readonly #exchange: CountExchange | undefined;

  /** `name` is what the headers call the policy. */
  constructor(name: string, quota: number, clock: Clock, counts?: SharedCounts) {
    this.#name = name;
    this.#quota = quota;
    this.#clock = clock;
    this.policy = `"${name}";q=${quota};w=${windowMs / 1000}`;
    this.#exchange = counts && new CountExchange(name, counts, clock);
  }

  /**
   * Callers await it before `take`, again and again until it is undefined: it is defined while other servers do not
   * know of too many requests that passed here. It resolves when they know, or cannot be told.
   */
  wait(caller: string): Promise<void> | undefined {
    const window = this.#exchange && this.#windows.peek(caller);
    if (window === undefined || window.used >= this.#quota) return undefined;
    const isAhead = window.unsent + window.sending >= Math.max(1, this.#quota * aheadShare);
    return isAhead && elapsed(this.#clock) < window.ends ? this.#exchange?.settle() : undefined;
  }

  /** Counts a request. One that is not allowed does not count. */
  take(caller: string): RateLimitState {
    const now = Math.floor(elapsed(this.#clock));
    let window = this.#windows.get(caller);
    // After a clock without `elapsed` was set back, a caller waits no longer than one window.
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

  /** The `RateLimit` header. */
  headerOf({ remaining, seconds }: RateLimitState): string {
    return `"${this.#name}";r=${remaining};t=${seconds}`;
  }
}
