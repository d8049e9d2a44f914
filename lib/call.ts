import type { Signal } from './abort.js';
import { type Asked, asked, cacheKey } from './asked.js';
import type { CachedAnswer, CacheStore } from './cache/cache-store.js';
import type { SingleFlight } from './cache/single-flight.js';
import type { Clock } from './clock.js';
import { start } from './cursor.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './envelope.js';
import { ExtractError } from './errors.js';
import type { Charge, Ledger } from './ledger/ledger.js';
import type { Json } from './read/json.js';
import { type Fetched, fetchAnswer, type Question } from './reading.js';
import { sqliteFault } from './sqlite-fault.js';
import { nextCursor, placeOf, type Standing } from './standing.js';
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

/** What a failed call is told as, with nothing left charged. */
async function failure(
  error: unknown,
  caller: Caller,
  services: Services,
  signal: Signal | undefined,
): Promise<unknown> {
  const named = told(error, caller, services, signal);
  const fault = named instanceof ExtractError && named.type === 'internal' ? named.cause : undefined;
  // The disk may have failed when the entry was made already, and kept it all the same; not so where it was locked. An
  // id that was charged before has no such cause: what is there then is somebody else's.
  if (fault !== undefined && sqliteFault(fault) !== 'locked' && caller.account !== null) {
    await services.ledger.undo(caller.requestId).catch(() => undefined);
  }
  return named;
}

const asItIs = (answer: Answer) => answer;

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
  { signal, texts }: CallOptions = {},
): Promise<Answer> {
  try {
    signal?.throwIfAborted();
    return await answerTo(asked(endpoint, raw, texts), services, caller, signal, asItIs);
  } catch (error) {
    throw await failure(error, caller, services, signal);
  }
}

/**
 * The same road for a question whose parameters were checked before. Gives what `prepare` makes of the answer; that
 * may run while the disk is still at work on the charge, and must not throw.
 */
export async function callAsked<Told>(
  question: Asked,
  services: Services,
  caller: Caller,
  signal: Signal | undefined,
  prepare: (answer: Answer) => Told,
): Promise<Told> {
  try {
    signal?.throwIfAborted();
    return await answerTo(question, services, caller, signal, prepare);
  } catch (error) {
    throw await failure(error, caller, services, signal);
  }
}

/** A call on the road. */
interface Traveller<Told> extends Standing {
  readonly services: Services;
  readonly caller: Caller;
  readonly signal: Signal | undefined;
  readonly prepare: (answer: Answer) => Told;
}

// A kept answer meets nothing on its way that it would have to wait for, save the ledger: each promise and closure that
// it can do without is one of a server's most frequent (together a twentieth of what it does, measured 2026-11).

function answerTo<Told>(
  asked: Asked,
  services: Services,
  caller: Caller,
  signal: Signal | undefined,
  prepare: (answer: Answer) => Told,
): Promise<Told> {
  const { identity, demo, cursor, firstKey } = asked;
  const traveller = { asked, identity, place: start, services, caller, signal, prepare };
  if (demo) return free(traveller);
  return cursor === null ? paid(traveller, firstKey) : goingOn(traveller, cursor);
}

async function goingOn<Told>(beginner: Traveller<Told>, cursor: string): Promise<Told> {
  const traveller = { ...beginner, place: await placeOf(beginner, cursor) };
  const { asked, identity, place } = traveller;
  return paid(traveller, cacheKey(asked.endpoint, identity, asked.limit, place));
}

async function creditsOf(account: string, services: Services): Promise<number> {
  return (await services.ledger.balance(account)).credits;
}

/** A demo answers where no data directory can be used, too: the balance is then told as 0. */
async function free<Told>(beginner: Traveller<Told>): Promise<Told> {
  const { asked, services, caller, signal } = beginner;
  const { identity, pages } = await services.sample(asked.endpoint, asked.identity);
  const known = { ...beginner, identity };
  const place = asked.cursor === null ? start : await placeOf(known, asked.cursor);
  const traveller = { ...known, place };
  const { answer } = await fetchAnswer(questionOf(traveller), pages, services.clock, signal);
  const next = await nextCursor(traveller, answer);
  const { account } = caller;
  const remaining = account === null ? 0 : await creditsOf(account, services).catch(() => 0);
  return arrived(traveller, answer, { cached: false, charged: 0, next }, remaining);
}

function paid<Told>(traveller: Traveller<Told>, key: string): Promise<Told> {
  const { asked, services, caller } = traveller;
  const { endpoint, fresh } = asked;
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
  const hit = fresh ? undefined : services.cache.get(key);
  return hit instanceof Promise
    ? hit.then((found) => keptOrRead(traveller, key, charge, found))
    : keptOrRead(traveller, key, charge, hit);
}

function keptOrRead<Told>(
  traveller: Traveller<Told>,
  key: string,
  charge: Charge,
  hit: CachedAnswer | undefined,
): Promise<Told> {
  if (hit === undefined) return read(traveller, key, charge);
  const next = nextCursor(traveller, hit);
  return next instanceof Promise
    ? next.then((cursor) => payFor(traveller, charge, hit, cursor))
    : payFor(traveller, charge, hit, next);
}

function payFor<Told>(
  traveller: Traveller<Told>,
  charge: Charge,
  hit: CachedAnswer,
  next: string | null,
): Promise<Told> {
  const terms = { cached: true, charged: charge.credits, next };
  return traveller.services.ledger.pay(charge, (remaining) => arrived(traveller, hit, terms, remaining));
}

async function read<Told>(traveller: Traveller<Told>, key: string, charge: Charge): Promise<Told> {
  const { services, signal } = traveller;
  const { ledger, cache, flights } = services;
  await ledger.charge(charge);
  try {
    const question = questionOf(traveller);
    const { answer } = await flights.run(
      key,
      async (given, end) => {
        const got = await fetchInTime(question, services, given, end);
        await cache.set(key, got.answer, got.seconds);
        services.fetched?.(question.endpoint, got.data);
        return got;
      },
      signal,
    );
    const next = await nextCursor(traveller, answer);
    const remaining = await ledger.settle(charge.id, { status: 'ok', cached: false });
    return arrived(traveller, answer, { cached: false, charged: charge.credits, next }, remaining);
  } catch (error) {
    const code =
      error instanceof ExtractError ? error.code : signal?.aborted === true ? null : 'internal_error';
    await ledger.settle(charge.id, { status: 'failed', code }).catch(() => undefined);
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

function questionOf({ asked, identity, place }: Traveller<unknown>): Question {
  return { endpoint: asked.endpoint, identity, place, limit: asked.limit };
}

/** What is known of an answer before it is paid. */
interface Terms {
  readonly cached: boolean;
  readonly charged: number;
  readonly next: string | null;
}

function arrived<Told>(
  { caller, prepare }: Traveller<Told>,
  kept: CachedAnswer,
  { cached, charged, next }: Terms,
  remaining: number,
): Told {
  return prepare({
    json: kept.data,
    kept,
    meta: {
      request_id: caller.requestId,
      credits_charged: charged,
      credits_remaining: remaining,
      cached,
      fetched_at: kept.fetchedAt,
      next_cursor: next,
    },
  });
}
