import { ExtractError, problemOf } from '../errors/extract-error.js';
import { ErrorRoute } from '../errors/outcomes.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { Cooldown, isRefusal } from './cooldown.js';
import type { Refusal } from './cooldown-state.js';
import { Pace } from './pace.js';
import { type PaceStore, reserveIn } from './pace-store.js';
import type { PlatformCounter } from './platform-counts.js';

/** How a platform is asked: by plain requests, or by the pages of a browser. */
export type Client = 'plain' | 'browser';

export interface ThrottleOptions {
  /** Milliseconds between the starts of two requests. */
  readonly ms: number;
  /** Requests at once. */
  readonly concurrency: number;
  readonly cooldownMs: number;
  readonly clock: Clock;
  readonly paceStore?: PaceStore | undefined;
  /** Counts what is asked of the platform. */
  readonly counter: PlatformCounter;
}

/**
 * Holds requests to one platform back. Plain requests and the browser keep one pace. Each has a cool-down of its own,
 * as a platform that refuses plain requests may show a browser the page.
 */
export class Throttle {
  readonly #pace: Pace;
  readonly #cooldowns: Readonly<Record<Client, Cooldown>>;
  readonly #clock: Clock;
  readonly #counter: PlatformCounter;

  constructor(platform: string, { ms, concurrency, cooldownMs, clock, paceStore, counter }: ThrottleOptions) {
    this.#clock = clock;
    this.#counter = counter;
    this.#pace = new Pace(ms, concurrency, clock, reserveIn(paceStore, platform, ms, clock));
    this.#cooldowns = {
      plain: new Cooldown(platform, cooldownMs, clock, paceStore),
      browser: new Cooldown(`${platform} in a browser`, cooldownMs, clock, paceStore),
    };
  }

  /** Begins a session. Throws the last refusal during a cool-down, as far as this process knows of one. */
  open(client: Client): ThrottledSession {
    const { plain, browser } = this.#cooldowns;
    const [own, other] = client === 'plain' ? [plain, browser] : [browser, plain];
    own.check();
    return new ThrottledSession({ pace: this.#pace, own, other, clock: this.#clock, counter: this.#counter });
  }

  /** Resolves when the store knows of every refusal and answer. */
  async written(): Promise<void> {
    await Promise.all(Object.values(this.#cooldowns).map((one) => one.written()));
  }
}

interface SessionParts {
  readonly pace: Pace;
  readonly own: Cooldown;
  readonly other: Cooldown;
  readonly clock: Clock;
  readonly counter: PlatformCounter;
}

const slowDown = 'platform_rate_limited';

/** The requests of one session under the platform's throttle. */
export class ThrottledSession {
  readonly #pace: Pace;
  readonly #own: Cooldown;
  readonly #other: Cooldown;
  readonly #counter: PlatformCounter;
  readonly #began: number;
  /** True after the cool-down stopped a request: its error must not count as another refusal. */
  #stoppedByCooldown = false;
  /** Seconds that an answer asked to wait for. */
  #slowDown: number | undefined;

  constructor({ pace, own, other, clock, counter }: SessionParts) {
    this.#counter = counter;
    this.#pace = pace;
    this.#own = own;
    this.#other = other;
    this.#began = clock.now();
  }

  /** Throws the last refusal during a cool-down, as far as any process knows of one. */
  async check(): Promise<void> {
    try {
      await this.#own.checkShared();
    } catch (refusal) {
      this.#stoppedByCooldown = true;
      throw refusal;
    }
  }

  /** Does the work of one request when it is its turn. A cool-down stops it, also one that began while it was queued. */
  run<T>(work: () => Promise<T>, signal: CallSignal): Promise<T> {
    const counted = () => {
      this.#counter.addRequest();
      return work();
    };
    return this.#pace.run(counted, signal, () => this.check());
  }

  /** Counts bytes of a body, as they were sent. */
  addBytes(bytes: number): void {
    this.#counter.addBytes(bytes);
  }

  /**
   * Keeps the seconds that an answer asked to wait for. They hold even where the reader gets by without that page, as a
   * list does without its items' own.
   */
  noteSlowDown(seconds: number): void {
    this.#slowDown = seconds;
  }

  /** Records how the session ended. Returns the error that it comes to after the sessions before. */
  end(ended: unknown): unknown {
    if (this.#stoppedByCooldown) return ended;
    const error = ended instanceof ErrorRoute ? this.#own.recordErrorRoute(ended) : ended;
    if (isRefusal(error)) this.#recordRefusal(error.code, error.retryAfter, problemOf(error));
    else if (this.#slowDown !== undefined) {
      this.#recordRefusal(slowDown, this.#slowDown, problemOf(new ExtractError(slowDown)));
    } else if (error === undefined || (error instanceof ExtractError && error.type === 'not_found')) {
      // A page that says “there is no such thing” is an answer too.
      this.#own.recordAnswer(this.#began);
    }
    return error;
  }

  #recordRefusal(code: Refusal, retryAfter: number | undefined, cause: string): void {
    this.#counter.addRefusal();
    this.#own.recordRefusal(code, retryAfter, cause);
    // A time that the platform names holds for everybody who asks from this address.
    if (retryAfter !== undefined) this.#other.recordRefusal(code, retryAfter, cause);
  }
}
