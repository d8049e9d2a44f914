import type { Signal } from './abort.js';
import { type Asked, asked, bindingOf, cacheKey } from './asked.js';
import type { CachedAnswer, CacheStore } from './cache/cache-store.js';
import type { SingleFlight } from './cache/single-flight.js';
import type { Clock } from './clock.js';
import { openCursor, type Place, sealCursor, start } from './cursor.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './envelope.js';
import { ExtractError } from './errors.js';
import type { Charge, Ledger } from './ledger/ledger.js';
import type { Json } from './read/json.js';
import { type Fetched, fetchAnswer, type Question } from './reading.js';

import type { PageSource, Platform } from './web/page-source.js';

/** Sample pages for one question: which identity they are about, and the source that serves them. */
export interface Sample {
  readonly identity: Readonly<Record<string, Json>>;
  readonly pages: PageSource;
}

/** What the road of a call leans on. Each is opened when first needed, so that a call loads what it uses. */
export interface Services {
  readonly clock: Clock;
  readonly docsBase: string;
  /** Milliseconds after which a read is given up: `platform_timeout`. */
  readonly deadlineMs: number;
  readonly flights: SingleFlight<Fetched>;
  readonly ledger: Ledger;
  readonly cache: CacheStore;
  pages(): Promise<PageSource>;
  /** The operator's replacements for a platform's dated data, null for none. Throws `invalid_parameter`. */
  overrides?(platform: Platform): Promise<Json>;
  sample(endpoint: Endpoint, identity: Readonly<Record<string, Json>>): Promise<Sample>;
  /** Key that signs cursors. */
  secret(): Promise<Uint8Array>;
  /** Told of what was read from a platform, once for each reading: for those who watch how pages change. */
  fetched?(endpoint: Endpoint, data: unknown): void;
}

/** On whose account, and under which id, a call runs. */
export interface Caller {
  readonly requestId: string;
  /** Null for a demo call without a key. */
  readonly account: string | null;
  readonly key?: Charge['key'];
  readonly job?: string | undefined;
  /** The id may have been charged before, for the same work: `Charge.resumes`. */
  readonly resumes?: boolean | undefined;
}

export interface CallOptions {
  /** Ends the call; what was charged is given back. */
  readonly signal?: Signal | undefined;
  /** Parameter values come as text (query string, command line). */
  readonly texts?: boolean | undefined;
}

function told(error: unknown, caller: Caller, services: Services, signal: Signal | undefined): unknown {
  if (signal?.aborted === true && !(error instanceof ExtractError)) return signal.reason;
  const named =
    error instanceof ExtractError
      ? error
      : new ExtractError('internal_error', 'Something failed that should not; the request id names it.', {
          cause: error,
        });
  return named.within(caller.requestId, services.docsBase);
}

/** Signs cursors into samples where no data directory can be used: they lead to nothing but samples. */
const sampleSecret = Buffer.from('cursors into the sample pages');

/**
 * The road of every call, whichever face it comes through:
 * validate → charge → cache → read → settle → envelope.
 * Throws ExtractError for everything that can go wrong (nothing stays charged), and the signal's reason
 * for a call that was given up.
 */
export async function call(
  endpoint: Endpoint,
  raw: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
  options: CallOptions = {},
): Promise<Answer> {
  try {
    options.signal?.throwIfAborted();
    return await answerTo(asked(endpoint, raw, options.texts), services, caller, options.signal);
  } catch (error) {
    throw told(error, caller, services, options.signal);
  }
}

/** The same road for a question whose parameters were checked before. */
export async function callAsked(
  question: Asked,
  services: Services,
  caller: Caller,
  signal?: Signal,
): Promise<Answer> {
  try {
    signal?.throwIfAborted();
    return await answerTo(question, services, caller, signal);
  } catch (error) {
    throw told(error, caller, services, signal);
  }
}

async function answerTo(
  { endpoint, identity: given, limit, cursor, fresh, demo, firstKey }: Asked,
  services: Services,
  caller: Caller,
  signal: Signal | undefined,
): Promise<Answer> {
  const sample = demo ? await services.sample(endpoint, given) : null;
  const identity = sample?.identity ?? given;
  const binding = () => bindingOf(endpoint, identity, demo);
  const secret = () => (demo ? services.secret().catch(() => sampleSecret) : services.secret());
  const place = cursor === null ? start : openCursor(await secret(), binding(), cursor, services.clock.now());
  const question: Question = { endpoint, identity, place, limit };
  const key = place === start ? firstKey : cacheKey(endpoint, identity, limit, place);
  const outcome =
    sample === null
      ? await paid(question, key, fresh, services, caller, signal)
      : await free(question, sample, services, caller, signal);
  return {
    json: outcome.answer.data,
    kept: outcome.answer,
    meta: {
      request_id: caller.requestId,
      credits_charged: outcome.charged,
      credits_remaining: outcome.remaining,
      cached: outcome.cached,
      fetched_at: outcome.answer.fetchedAt,
      next_cursor:
        outcome.answer.next === null
          ? null
          : nextCursor(outcome.answer, place, binding, await secret(), services.clock.now()),
    },
  };
}

/** Cursors that were sealed for kept answers, with their second: an answer that is given often is not sealed each time. */
const sealed = new WeakMap<CachedAnswer, { readonly second: number; readonly cursor: string }>();

function nextCursor(
  kept: CachedAnswer,
  place: Place,
  binding: () => string,
  secret: Uint8Array,
  now: number,
): string {
  const second = Math.floor(now / 1000);
  const known = sealed.get(kept);
  if (known?.second === second) return known.cursor;
  const seen = [...place.seen, ...kept.prints];
  const cursor = sealCursor(secret, binding(), { position: kept.next, seen }, now);
  sealed.set(kept, { second, cursor });
  return cursor;
}

interface Outcome {
  readonly answer: CachedAnswer;
  readonly cached: boolean;
  readonly charged: number;
  readonly remaining: number;
}

async function creditsOf(account: string, services: Services): Promise<number> {
  return (await services.ledger.balance(account)).credits;
}

/** A demo answers where no data directory can be used, too: the balance is then told as 0. */
async function free(
  question: Question,
  { pages }: Sample,
  services: Services,
  caller: Caller,
  signal: Signal | undefined,
): Promise<Outcome> {
  const { answer: fetched } = await fetchAnswer(question, pages, services.clock, signal);
  const remaining = caller.account === null ? 0 : await creditsOf(caller.account, services).catch(() => 0);
  return { answer: fetched, cached: false, charged: 0, remaining };
}

async function paid(
  question: Question,
  key: string,
  fresh: boolean,
  services: Services,
  caller: Caller,
  signal: Signal | undefined,
): Promise<Outcome> {
  const { endpoint } = question;
  const { ledger, cache } = services;
  if (caller.account === null) throw new ExtractError('missing_api_key');
  const charge: Charge = {
    id: caller.requestId,
    account: caller.account,
    endpoint: endpoint.path,
    credits: endpoint.credits,
    needsPack: fresh,
    at: services.clock.now(),
    key: caller.key,
    job: caller.job,
    resumes: caller.resumes,
  };
  const hit = fresh ? undefined : await cache.get(key);
  if (hit !== undefined) {
    const remaining = await ledger.pay(charge);
    return { answer: hit, cached: true, charged: endpoint.credits, remaining };
  }
  await ledger.charge(charge);
  try {
    const fetched = await services.flights.run(
      key,
      async (given, end) => {
        const got = await fetchInTime(question, services, given, end);
        await cache.set(key, got.answer, got.seconds);
        services.fetched?.(endpoint, got.data);
        return got;
      },
      signal,
    );
    const remaining = await ledger.settle(caller.requestId, { status: 'ok', cached: false });
    return { answer: fetched.answer, cached: false, charged: endpoint.credits, remaining };
  } catch (error) {
    const code =
      error instanceof ExtractError ? error.code : signal?.aborted === true ? null : 'internal_error';
    await ledger.settle(caller.requestId, { status: 'failed', code }).catch(() => undefined);
    throw error;
  }
}

/** Reads from the platform, and gives up at the deadline. */
async function fetchInTime(
  question: Question,
  services: Services,
  signal: Signal,
  end: (reason: unknown) => void,
): Promise<Fetched> {
  const done = services.clock.alarm(services.deadlineMs, () => end(new ExtractError('platform_timeout')));
  try {
    const overrides = (await services.overrides?.(question.endpoint.platform)) ?? null;
    const whole = overrides === null ? question : { ...question, overrides };
    return await fetchAnswer(whole, await services.pages(), services.clock, signal);
  } finally {
    done();
  }
}
