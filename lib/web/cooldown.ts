import { LRUCache } from 'lru-cache';
import type { ExtractError, RefusedScope } from '../errors/extract-error.js';
import type { ErrorRoute } from '../errors/outcomes.js';
import { type Clock, hourMs } from '../runtime/clock.js';
import { CooldownRefusal } from './cooldown-refusal.js';
import {
  believedCooldown,
  type CooldownState,
  cooldownLeft,
  nextCooldown,
  type Refusal,
  type RefusalDetails,
} from './cooldown-state.js';
import { errorOfRoutes, isRowOf, printOf, withErrorRoute } from './error-routes.js';
import { type PaceStore, unlessUnusable } from './pace-store.js';
import { isBound, type RequestScope, refusedMark, scopeOf } from './refusal-scope.js';

/** Milliseconds for which a read from the store stays valid. A read costs more than the rest of a fast request. */
const pollMs = 20;

export type CooldownStore = Pick<PaceStore, 'find' | 'recordRefusal' | 'recordErrorRoute' | 'recordAnswer'>;

/** Maximum remembered subjects, and accounts, with refusals. */
const maxRemembered = 1000;

/** An account's last refusal, and its cooldown after two subjects in a row were refused. */
interface RefusedAccount {
  readonly subject: string;
  readonly pause: CooldownState | null;
}

/**
 * The pause after a platform's refusal: as long as the platform requested, else `firstMs`, doubled with each further
 * refusal up to a quarter of an hour. If only one subject was refused since the last answer, the pause covers that
 * subject, because the platform may withhold it from visitors. If only one account was refused, it covers that account,
 * so that an account that requests withheld pages waits before the others do. With a store, the pause applies to all
 * processes that share it; if the store fails, to this one.
 */
export class Cooldown {
  readonly #platform: string;
  /** What a refusal during the pause applies to. */
  readonly #scope: RefusedScope;
  readonly #firstMs: number;
  readonly #clock: Clock;
  readonly #store: CooldownStore | undefined;
  #state: CooldownState | null = null;
  /**
   * Fingerprints of subjects with an error page since the platform's last answer, and marks of the subjects that it
   * refused.
   */
  #errorRoutes: readonly string[] = [];
  /** Cooldowns of subjects that were refused in this process. */
  readonly #refused = new LRUCache<string, CooldownState>({ max: maxRemembered });
  /** Accounts refused since their last answer. */
  readonly #accounts = new LRUCache<string, RefusedAccount>({ max: maxRemembered });
  #refreshedAt = Number.NEGATIVE_INFINITY;
  /** The store read in progress, shared by all requests that start meanwhile. */
  #refreshing: Promise<void> | undefined;
  /** A refusal that could not be stored yet. */
  #unpublished: RefusalDetails | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** With `firstMs` 0 there is never a pause. */
  constructor(
    platform: string,
    firstMs: number,
    clock: Clock,
    store?: CooldownStore,
    scope: RefusedScope = 'subject',
  ) {
    this.#platform = platform;
    this.#scope = scope;
    this.#firstMs = firstMs;
    this.#clock = clock;
    this.#store = firstMs === 0 ? undefined : store;
  }

  /** Throws the last refusal during the pause, as known to this process. */
  check(scope?: RequestScope): void {
    const refusal = this.refusal(scope);
    if (refusal !== undefined) throw refusal;
  }

  /** Returns the last refusal during the pause, as known to this process. */
  refusal(scope: RequestScope = {}): CooldownRefusal | undefined {
    if (this.#state === null && this.#refused.size === 0 && this.#accounts.size === 0) return undefined;
    const now = this.#clock.now();
    if (this.#state !== null) this.#state = believedCooldown(this.#state, now);
    const shared = this.#binds(scope) ? this.#state : null;
    const pauses = [
      shared,
      this.#refused.get(scope.subject ?? ''),
      this.#accounts.get(scope.account ?? '')?.pause,
    ];
    const state = pauses
      .map((pause) => (pause ? believedCooldown(pause, now) : null))
      .find((pause) => cooldownLeft(pause, now) > 0);
    if (!state) return undefined;
    const remainingMs = cooldownLeft(state, now);
    const seconds = Math.ceil(remainingMs / 1000);
    const at = `${new Date(state.refusedAt).toISOString().slice(0, 19)}Z`;
    const clause = `${this.#platform} refused at ${at} and gets the next request in ${seconds} s`;
    return new CooldownRefusal(state.code, clause, state.causes, seconds, { scope: this.#scope });
  }

  #binds(scope: RequestScope): boolean {
    return isBound(scopeOf(this.#errorRoutes), scope);
  }

  /** True if the last refusal is less than an hour old without an answer since, as of the last `lookUp`. */
  refusedLately(scope: RequestScope = {}): boolean {
    if (this.#state === null || !this.#binds(scope)) return false;
    const since = this.#clock.now() - this.#state.refusedAt;
    return since >= 0 && since < hourMs;
  }

  /** Throws the last refusal during the pause, according to any process. */
  async checkShared(scope?: RequestScope): Promise<void> {
    await this.lookUp();
    this.check(scope);
  }

  /** Reads what other processes have recorded. Returns undefined if that was read a moment ago. */
  lookUp(): Promise<void> | undefined {
    const store = this.#store;
    const age = this.#clock.now() - this.#refreshedAt;
    if (store === undefined || (age >= 0 && age < pollMs)) return undefined;
    this.#refreshing ??= this.#refresh(store).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(store: CooldownStore): Promise<void> {
    await this.#writing;
    await this.#tell(store);
    if (this.#unpublished !== undefined) return;
    const pace = await unlessUnusable(store.find(this.#platform));
    // The store works again. Other processes may have been refused meanwhile, so its state is authoritative.
    if (pace === undefined || this.#unpublished !== undefined) return;
    this.#state = pace?.cooldown ?? null;
    this.#errorRoutes = pace?.errorRoutes ?? [];
    this.#refreshedAt = this.#clock.now();
  }

  /**
   * Returns the error for an error page that replaced a subject, considering those that all processes have received.
   */
  recordErrorRoute(error: ErrorRoute, account?: string): ExtractError {
    this.#mark(printOf(error, account));
    return errorOfRoutes(error, this.#errorRoutes);
  }

  /** The account that received all error pages since the last answer; empty if there were several. */
  scopeOfRefusals(account?: string): RequestScope {
    return account !== undefined && isRowOf(account, this.#errorRoutes) ? { account } : {};
  }

  #mark(print: string): void {
    this.#errorRoutes = withErrorRoute(this.#errorRoutes, print);
    this.#write((store) => store.recordErrorRoute(this.#platform, print));
  }

  /**
   * Records a refusal; `cause` is what the platform did. Refusals of concurrent requests count as one. With `scope`,
   * the platform may have refused only that subject.
   */
  recordRefusal(
    code: Refusal,
    retryAfter: number | undefined,
    cause?: string,
    scope: RequestScope = {},
  ): void {
    if (this.#firstMs === 0) return;
    const refusal = { code, retryAfter, firstMs: this.#firstMs, cause };
    const now = this.#clock.now();
    const { subject, account } = scope;
    if (subject !== undefined) {
      this.#refused.set(subject, nextCooldown(this.#refused.get(subject) ?? null, refusal, now));
    }
    if (account !== undefined) {
      const { subject: last, pause = null } = this.#accounts.get(account) ?? {};
      const isSecond = subject === undefined || (last !== undefined && last !== subject);
      const next = isSecond ? nextCooldown(pause, refusal, now) : pause;
      this.#accounts.set(account, { subject: subject ?? '', pause: next });
    }
    const isFirst = this.#state === null && (subject ?? account) !== undefined;
    // A pause for everyone stays one.
    if (isFirst || scopeOf(this.#errorRoutes) !== 'everybody') this.#mark(refusedMark(scope));
    this.#state = nextCooldown(this.#state, refusal, now);
    this.#unpublished = refusal;
    this.#write(async (store) => {
      this.#state = await store.recordRefusal(this.#platform, refusal);
      if (this.#unpublished === refusal) this.#unpublished = undefined;
    });
  }

  /**
   * Records that the platform answered a session that started at `began`. An answer to a request from before the
   * refusal says nothing about the present and does not end the pause. Also ends the series of error pages.
   */
  recordAnswer(began: number, { subject = '', account = '' }: RequestScope = {}): void {
    const refusal = this.#refused.get(subject);
    if (refusal !== undefined && began >= refusal.refusedAt) this.#refused.delete(subject);
    if (began >= (this.#accounts.get(account)?.pause?.refusedAt ?? 0)) this.#accounts.delete(account);
    const endsCooldown = this.#state !== null && began >= this.#state.refusedAt;
    // Without its marks, the pause of one subject or account would apply to everyone.
    const isNarrow = scopeOf(this.#errorRoutes) !== 'everybody';
    if (!endsCooldown && (this.#errorRoutes.length === 0 || isNarrow)) return;
    if (endsCooldown) {
      this.#state = null;
      this.#unpublished = undefined;
    }
    this.#errorRoutes = [];
    this.#write((store) => store.recordAnswer(this.#platform, began));
  }

  /** Resolves once the store has everything this process knows. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #tell(store: CooldownStore): Promise<void> {
    const unpublished = this.#unpublished;
    if (unpublished === undefined) return;
    const published = await unlessUnusable(store.recordRefusal(this.#platform, unpublished));
    if (published !== undefined && this.#unpublished === unpublished) this.#unpublished = undefined;
  }

  #write(work: (store: CooldownStore) => Promise<void>): void {
    const store = this.#store;
    if (store === undefined) return;
    this.#writing = this.#writing.then(() => unlessUnusable(work(store)));
  }
}
