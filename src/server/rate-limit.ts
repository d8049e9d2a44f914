import { LRUCache } from 'lru-cache';
import { type Clock, elapsed } from '../../lib/runtime/clock.js';

/** What is left to a caller in the current window. */
export interface RateLimitState {
  readonly allowed: boolean;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

interface Window {
  used: number;
  readonly ends: number;
}

const windowMs = 60_000;

/** Windows in memory at most; the least recently used one makes room. */
const maxCallers = 50_000;

/** So many requests a minute for each caller, in windows that begin with the caller's first request. */
export class RateLimit {
  /** The `RateLimit-Policy` header. */
  readonly policy: string;
  readonly #name: string;
  readonly #quota: number;
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, Window>({ max: maxCallers });

  /** `name` is what the headers call the policy. */
  constructor(name: string, quota: number, clock: Clock) {
    this.#name = name;
    this.#quota = quota;
    this.#clock = clock;
    this.policy = `"${name}";q=${quota};w=${windowMs / 1000}`;
  }

  /** Counts a request. One that is not allowed does not count. */
  take(caller: string): RateLimitState {
    const now = Math.floor(elapsed(this.#clock));
    let window = this.#windows.get(caller);
    // After a clock without `elapsed` was set back, a caller waits no longer than one window.
    if (window === undefined || now >= window.ends || window.ends - now > windowMs) {
      window = { used: 0, ends: now + windowMs };
      this.#windows.set(caller, window);
    }
    const allowed = window.used < this.#quota;
    if (allowed) window.used += 1;
    return {
      allowed,
      remaining: this.#quota - window.used,
      seconds: Math.ceil((window.ends - now) / 1000),
    };
  }

  /** The `RateLimit` header. */
  headerOf({ remaining, seconds }: RateLimitState): string {
    return `"${this.#name}";r=${remaining};t=${seconds}`;
  }
}
