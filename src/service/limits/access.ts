import { ExtractError, withoutStack } from '../../../lib/errors/extract-error.js';
import type { Platform } from '../../../lib/platforms.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { ServerConfig } from '../../config/server-config.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { KeyOwner } from '../accounts/accounts.js';
import type { RefusalNotes } from '../usage/refusal-notes.js';
import { RateLimit } from './rate-limit.js';
import type { SharedCounts } from './shared-counts.js';

/** The parts of a request that identify its sender. */
export interface RequestIdentity {
  readonly headers: { readonly authorization?: string | undefined };
  readonly ip: string;
}

export interface LimitHeaders {
  header(name: string, value: string): unknown;
}

/** Minimum milliseconds for a response that is not a call, after its first chunk (measured 2026-11). */
const answerMs = 0.5;

const bearer = /^bearer +(\S+) *$/i;

const tooMany = (seconds: number) =>
  withoutStack(
    () =>
      new ExtractError('rate_limited', `Too many requests; wait ${seconds} s before the next one.`, {
        retryAfter: seconds,
      }),
  );

/** Waits while too many of the requests counted here are unknown to the other servers. */
async function untilKnown(first: Promise<void>, limit: RateLimit, caller: string): Promise<void> {
  for (let wait: Promise<void> | undefined = first; wait !== undefined; wait = limit.wait(caller)) await wait;
}

/** Pages per minute for one account or address, however few calls the operator allows. */
const minPages = 60;

/**
 * Decides who may call: the key of a request, its account, and how often. Every request with a key passes through
 * it, so a revoked key, an unconfirmed address and an exhausted limit are refused everywhere.
 */
export class Access {
  readonly #accounts: AccountStore;
  readonly #byKey: RateLimit;
  readonly #byAddress: RateLimit;
  readonly #linksByAddress: RateLimit;
  readonly #pages: RateLimit;
  readonly #refusals: RefusalNotes | undefined;
  readonly #local: KeyOwner | undefined;

  /**
   * `refusals` records whose calls are refused here; `counts` shares the limits among all servers; `local` is the owner
   * of every request to a server without keys.
   */
  constructor(
    accounts: AccountStore,
    clock: Clock,
    config: Pick<ServerConfig, 'rateLimit' | 'demoRateLimit'>,
    refusals?: RefusalNotes,
    counts?: SharedCounts,
    local?: KeyOwner,
  ) {
    this.#local = local;
    this.#refusals = refusals;
    this.#accounts = accounts;
    this.#byKey = new RateLimit('key', config.rateLimit, clock, counts);
    this.#byAddress = new RateLimit('demo', config.demoRateLimit, clock, counts);
    this.#linksByAddress = new RateLimit('link', config.demoRateLimit, clock, counts);
    // Each server counts its own pages; they are not worth a message to the others.
    this.#pages = new RateLimit('page', Math.max(config.rateLimit, minPages), clock);
  }

  /**
   * Resolves with the owner of the request's key. Rejects `missing_api_key`, `invalid_api_key`, `revoked_api_key`,
   * `rate_limited`, `email_not_verified`, and `platform_not_allowed` for a key that may not call `platform`.
   */
  async admit(
    request: Pick<RequestIdentity, 'headers'>,
    reply: LimitHeaders,
    platform?: Platform,
  ): Promise<KeyOwner> {
    const owner = await this.ownerOf(request);
    // Requests that are not calls take turns, refused ones too, because one account may send hundreds at a time.
    if (platform === undefined) await accountTurns.next(owner.account, answerMs);
    else accountTurns.recordCall(owner.account);
    const wait = this.#byKey.wait(owner.key.id);
    if (wait !== undefined) await untilKnown(wait, this.#byKey, owner.key.id);
    this.admitOwner(owner, reply, platform);
    return owner;
  }

  /** Like `admit`, for a key whose owner is known. Throws `rate_limited`, and the permission errors of `admit`. */
  admitOwner(owner: KeyOwner, reply: LimitHeaders, platform?: Platform): void {
    const admit = () => this.#admitOwner(owner, reply, platform);
    if (this.#refusals === undefined) admit();
    else this.#refusals.under(owner, admit);
  }

  #admitOwner(owner: KeyOwner, reply: LimitHeaders, platform?: Platform): void {
    this.#count(reply, this.#byKey, owner.key.id);
    if (!owner.verified) {
      throw new ExtractError(
        'email_not_verified',
        'Click the link in the confirmation e-mail first; the trial credits come with it.',
        { next: '' },
      );
    }
    if (platform !== undefined) this.checkPlatform(owner, platform);
  }

  checkPlatform({ platforms }: Pick<KeyOwner, 'platforms'>, platform: Platform): void {
    if (platforms?.includes(platform) !== false) return;
    throw new ExtractError(
      'platform_not_allowed',
      `The API key may not call ${platform}, only ${platforms.join(', ')}.`,
    );
  }

  /** Admits a demo call, which needs no key; an unusable key counts as none. Rejects `rate_limited`. */
  async admitDemo(request: RequestIdentity, reply: LimitHeaders): Promise<KeyOwner | null> {
    const owner = await this.#ownerOrNone(request);
    const [limit, caller] =
      owner === null ? ([this.#byAddress, request.ip] as const) : ([this.#byKey, owner.key.id] as const);
    const wait = limit.wait(caller);
    if (wait !== undefined) await untilKnown(wait, limit, caller);
    this.#count(reply, limit, caller);
    return owner;
  }

  /**
   * Admits a read of a shared link, which needs no key: it is counted per address, whether or not the link exists, and
   * waits for its turn. Rejects `rate_limited`.
   */
  async admitLink({ ip }: Pick<RequestIdentity, 'ip'>, reply: LimitHeaders): Promise<void> {
    const wait = this.#linksByAddress.wait(ip);
    if (wait !== undefined) await untilKnown(wait, this.#linksByAddress, ip);
    this.#count(reply, this.#linksByAddress, ip);
    await accountTurns.next(ip, answerMs);
  }

  /**
   * Counts a page that is not a call, for an account name or an address. It waits for its turn, so that calls go first.
   * Rejects `rate_limited`.
   */
  async admitPage(caller: string, pageMs = answerMs): Promise<void> {
    const { allowed, seconds } = this.#pages.take(caller);
    if (!allowed) throw tooMany(seconds);
    await accountTurns.next(caller, pageMs);
  }

  /** Like `admitPage`, with or without a key; the keys of an account are counted together. */
  async admitMessage(request: RequestIdentity): Promise<void> {
    await this.admitPage((await this.#ownerOrNone(request))?.account ?? request.ip);
  }

  /** Resolves with the platforms that the request's key is limited to; null without a limit or a usable key. */
  async platformsOf(request: Pick<RequestIdentity, 'headers'>): Promise<KeyOwner['platforms']> {
    return (await this.#ownerOrNone(request))?.platforms ?? null;
  }

  async #ownerOrNone(request: Pick<RequestIdentity, 'headers'>): Promise<KeyOwner | null> {
    try {
      return await this.ownerOf(request);
    } catch (error) {
      if (error instanceof ExtractError && error.type === 'authentication') return null;
      throw error;
    }
  }

  /** Resolves with the current owner of the request's key, without counting. Rejects with the key errors of `admit`. */
  async ownerOf(request: Pick<RequestIdentity, 'headers'>): Promise<KeyOwner> {
    if (this.#local !== undefined) return this.#local;
    const { authorization } = request.headers;
    if (authorization === undefined) throw new ExtractError('missing_api_key');
    const secret = bearer.exec(authorization)?.[1];
    if (secret === undefined) {
      throw new ExtractError(
        'invalid_api_key',
        'The Authorization header must be “Bearer”, a space and the API key.',
      );
    }
    return this.#accounts.authenticate(secret);
  }

  #count(reply: LimitHeaders, limit: RateLimit, caller: string): void {
    const state = limit.take(caller);
    reply.header('RateLimit-Policy', limit.policy);
    reply.header('RateLimit', limit.headerOf(state));
    if (state.allowed) return;
    throw tooMany(state.seconds);
  }
}
