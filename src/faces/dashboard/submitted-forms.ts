import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';

const kind = 'form';
const lifetimeMs = 24 * 3_600_000;
/** Milliseconds to remember a result; a browser only shows the response to the last click. */
const resultMs = 60_000;

interface FormRequest {
  readonly url: string;
  readonly body: unknown;
}

/** Identifies a form by its token, which is unique to a page; null if the body has none. */
function digestOf({ url, body }: FormRequest): string | null {
  const { _csrf: token } = (body ?? {}) as { readonly _csrf?: unknown };
  if (typeof token !== 'string') return null;
  return createHash('sha256')
    .update(`${url}\0${JSON.stringify(body)}`)
    .digest('base64url');
}

/** Remembers accepted forms, so that a double click or a reload changes nothing. */
export class SubmittedForms {
  readonly #expiringStore: ExpiringStore | undefined;
  readonly #taken = new LRUCache<string, true>({ max: 10_000 });
  readonly #results: LRUCache<string, Promise<unknown>>;

  constructor(expiringStore: ExpiringStore | undefined, clock: Clock) {
    this.#expiringStore = expiringStore;
    this.#results = new LRUCache({ max: 50, ttl: resultMs, ttlResolution: 0, perf: clock });
  }

  /** Performs a form's action. The same form within a minute shares the result, unless it was a rejection. */
  async shared<Result>(request: FormRequest, act: () => Promise<Result>): Promise<Result> {
    const digest = digestOf(request);
    if (digest === null) return act();
    const before = this.#results.get(digest);
    if (before !== undefined) return before as Promise<Result>;
    const result = act();
    this.#results.set(digest, result);
    result.catch(() => this.#results.delete(digest));
    return result;
  }

  /**
   * Performs an action once. Resolves with undefined if the form is repeated after a minute. A rejected form may be
   * sent again.
   */
  async once<Result>(request: FormRequest, act: () => Promise<Result>): Promise<Result | undefined> {
    const digest = digestOf(request);
    return digest === null ? act() : this.shared(request, () => this.#claimed(digest, act));
  }

  /** Performs an action once, and returns its result once, so that a reload never shows a secret again. */
  async secretly<Result>(request: FormRequest, act: () => Promise<Result>): Promise<Result | undefined> {
    const digest = digestOf(request);
    if (digest === null) return act();
    let isFirst = false;
    try {
      const result = await this.shared(request, () => {
        isFirst = true;
        return this.#claimed(digest, act);
      });
      return isFirst ? result : undefined;
    } finally {
      this.#results.delete(digest);
    }
  }

  /** True for a form that this server has accepted within the last minute. */
  has(request: FormRequest): boolean {
    const digest = digestOf(request);
    return digest !== null && this.#results.has(digest);
  }

  async #claimed<Result>(digest: string, act: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#claim(digest))) return undefined;
    try {
      return await act();
    } catch (error) {
      await this.#release(digest);
      throw error;
    }
  }

  /** Claims a form among all servers, or within this one if it is the only one. */
  async #claim(digest: string): Promise<boolean> {
    if (this.#expiringStore !== undefined) return this.#expiringStore.claim(kind, digest, lifetimeMs);
    if (this.#taken.has(digest)) return false;
    this.#taken.set(digest, true);
    return true;
  }

  async #release(digest: string): Promise<void> {
    if (this.#expiringStore !== undefined) await this.#expiringStore.delete(kind, digest);
    else this.#taken.delete(digest);
  }
}
