import type { CachedAnswer, CacheStore } from '../cache/cache.js';
import type { FetchLeases } from '../cache/fetch-leases.js';
import type { SingleFlight } from '../cache/single-flight.js';
import type { Endpoint } from '../endpoint.js';
import { type ErrorCode, ExtractError } from '../errors/extract-error.js';
import { isShortageCause, ShortageError } from '../errors/shortage.js';
import { StorageError } from '../errors/storage-error.js';
import type { Charge, Ledger } from '../ledger/ledger.js';
import type { Measures } from '../ledger/usage-row.js';
import type { Platform } from '../platforms.js';
import type { Json } from '../read/json.js';
import type { KnownItems } from '../routes/reading.js';
import { type CallSignal, isReasonOf } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { inSpan, type Span } from '../runtime/span.js';
import type { Variation } from '../sample-variation.js';
import type { SuppressedSubjects } from '../suppressions/suppressed-subjects.js';
import type { PageEvidence } from '../web/page-evidence.js';
import type { Attempt, PageSource } from '../web/page-source.js';
import { watchFetches } from '../web/wrap-fetches.js';

import { buildAnswer } from './build-answer.js';
import { type CallRequest, cacheKey, parseCallRequest } from './call-request.js';
import {
  type CursorContext,
  cursorAfter,
  firstPosition,
  positionOfCursor,
  returnedBefore,
} from './cursor.js';
import type { Answer, AnswerSource } from './envelope.js';
import { type FetchedAnswer, type FetchRequest, fetchAnswer } from './fetch-answer.js';
import { inTime } from './in-time.js';
import { callPrice } from './price.js';
import type { EndpointReader } from './read-endpoint.js';
import { type FetchedByOne, underLease } from './under-lease.js';

/** Sample pages for one input: the identity they are about, and their source. */
export interface Sample {
  readonly identity: Readonly<Record<string, Json>>;
  readonly pages: PageSource;
  /** Adapts the sample's answer to the input. Undefined if it already matches. */
  readonly vary?: Variation | undefined;
}

/** The services of calls, each opened on first use, so that a call loads only what it uses. */
export interface Services {
  readonly clock: Clock;
  readonly docsBase: string;
  /** Milliseconds after which a read fails with `platform_timeout`. */
  readonly deadlineMs: number;
  readonly flights: SingleFlight<FetchedByOne>;
  readonly ledger: Ledger;
  /** Returns the credits of a new ledger; null once a ledger exists. */
  initialBalance?(): number | null;
  readonly cache: CacheStore;
  /** Lets servers with a shared cache share a fetch. Undefined for a single server. */
  readonly leases?: FetchLeases | undefined;
  pages(): Promise<PageSource>;
  /** Reads off the main thread, so that a large page does not block other work. Optional. */
  readonly read?: EndpointReader | undefined;
  /** Records everything that is read. Optional. */
  readonly evidence?: PageEvidence | undefined;
  /** Returns the operator's replacements for a platform's dated data; null for none. Throws `invalid_parameter`. */
  overrides?(platform: Platform): Promise<Json>;
  sample(endpoint: Endpoint, identity: Readonly<Record<string, Json>>): Promise<Sample>;
  /** Returns the key that signs cursors. */
  secret(): Promise<Uint8Array>;
  /** Returns the suppressed subjects; null for none. */
  suppressed?(): SuppressedSubjects | null | Promise<SuppressedSubjects | null>;
  /** Called once per reading with the platform's data, to watch how pages change. Must not throw. */
  onFetched?(endpoint: Endpoint, data: unknown): void;
  /** Called once per failed reading. Must not throw. */
  onFetchFailed?(endpoint: Endpoint, error: ExtractError): void;
  /** Called for each route tried for a reading. Must not throw. */
  onAttempt?(endpoint: Endpoint, attempt: Attempt): void;
  /**
   * Called once for each call of an account that was refused before its charge. Samples and jobs are excluded. Must not
   * throw.
   */
  refused?(refusal: RefusedBeforeCharge): void;
  /** Returns a sentence about an endpoint's health to append to the platform's errors; null for none. */
  statusNote?(endpoint: Endpoint): string | null;
  /** The operator's tracing. Optional. */
  readonly span?: Span | undefined;
}

export interface RefusedBeforeCharge {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly code: ErrorCode;
  readonly measures: Measures;
}

export interface Caller {
  readonly requestId: string;
  /** Null for a demo call without a key. */
  readonly account: string | null;
  readonly key?: Charge['key'];
  readonly job?: string | undefined;
  /** The id may already have been charged for the same work: `Charge.resumes`. */
  readonly resumes?: boolean | undefined;
  /** Requests the next page once this one has arrived. */
  readonly readsOn?: boolean | undefined;
  /** Items of a list that need not be completed. */
  readonly knownItems?: KnownItems | undefined;
}

export interface CallOptions {
  /** Cancels the call; the charge is refunded. */
  readonly signal?: CallSignal | undefined;
  /** Parameter values arrive as text (query string, command line). */
  readonly texts?: boolean | undefined;
}

/** Appends the health of the endpoint to an error of a platform. */
function withStatusNote(error: ExtractError, endpoint: Endpoint, services: Services): ExtractError {
  const statusNote = error.type === 'platform' ? (services.statusNote?.(endpoint) ?? null) : null;
  return statusNote === null ? error : error.withSentence(statusNote);
}

function namedError(
  error: unknown,
  endpoint: Endpoint,
  caller: Caller,
  services: Services,
  signal: CallSignal | undefined,
): unknown {
  if (isReasonOf(error, signal)) return error;
  if (signal?.aborted === true && !(error instanceof ExtractError)) return signal.reason;
  return withStatusNote(catalogueError(error), endpoint, services).within(
    caller.requestId,
    services.docsBase,
  );
}

/**
 * Converts a cause without a code of the catalogue: a bug of this program, or a shortage of this machine's resources.
 */
function catalogueError(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  if (isShortageCause(cause)) return new ShortageError({ cause });
  return new ExtractError('internal_error', 'An unexpected error occurred.', {
    cause,
  });
}

/** Returns the error of a failed call, after refunding any charge. */
async function failure(
  error: unknown,
  endpoint: Endpoint,
  caller: Caller,
  services: Services,
  signal: CallSignal | undefined,
): Promise<unknown> {
  const callError = namedError(error, endpoint, caller, services, signal);
  // A failed ledger may have written the entry nevertheless, unless it was locked. For an id that was already charged
  // the row belongs to another call.
  if (callError instanceof StorageError && callError.fault !== 'locked' && caller.account !== null) {
    const refunded = services.ledger.refund(caller.requestId).catch(() => undefined);
    // Waiting for a server that did not answer would keep the caller waiting as long again.
    if (callError.fault !== 'unreachable') await refunded;
  }
  return callError;
}

interface Progress {
  /** When it started, on the monotonic clock. */
  readonly began: number;
  /** True once its row is in the ledger. */
  charged: boolean;
}

const newProgress = ({ clock }: Services): Progress => ({ began: elapsed(clock), charged: false });

const measuresOf = ({ clock }: Services, { began }: Progress): Measures => ({
  duration_ms: Math.max(0, Math.round(elapsed(clock) - began)),
});

/** Reports a call whose end no ledger records. */
function reportRefusal(
  error: unknown,
  endpoint: Endpoint,
  services: Services,
  caller: Caller,
  progress: Progress,
): void {
  if (progress.charged || caller.account === null || caller.job !== undefined) return;
  if (!(error instanceof ExtractError)) return;
  const measures = measuresOf(services, progress);
  services.refused?.({ endpoint, caller, code: error.code, measures });
}

const spanAttributes = ({ path }: Endpoint, { requestId }: Caller) => ({
  'extract.endpoint': path,
  'extract.request_id': requestId,
});

/**
 * The path of every call: validate → charge → cache → fetch → settle → envelope. Throws ExtractError for everything
 * that can go wrong, with nothing charged. Throws the signal's reason for a cancelled call.
 */
export function call(
  endpoint: Endpoint,
  raw: Readonly<Record<string, unknown>>,
  services: Services,
  caller: Caller,
  { signal, texts }: CallOptions = {},
): Promise<Answer> {
  const isDemo = raw.demo === true || raw.demo === 'true';
  const check = () => parseCallRequest(endpoint, raw, texts);
  return takeRoad(endpoint, check, isDemo, services, caller, signal);
}

/** The same path for a checked request. */
export function callRequest(
  request: CallRequest,
  services: Services,
  caller: Caller,
  signal: CallSignal | undefined,
): Promise<Answer> {
  return takeRoad(request.endpoint, () => request, request.demo, services, caller, signal);
}

async function takeRoad(
  endpoint: Endpoint,
  check: () => CallRequest,
  isDemo: boolean,
  services: Services,
  caller: Caller,
  signal: CallSignal | undefined,
): Promise<Answer> {
  const progress = newProgress(services);
  try {
    signal?.throwIfAborted();
    return await inSpan(services.span, 'extract.call', spanAttributes(endpoint, caller), async () =>
      answerRequest(check(), services, caller, signal, progress),
    );
  } catch (error) {
    const callError = await failure(error, endpoint, caller, services, signal);
    if (!isDemo) reportRefusal(callError, endpoint, services, caller, progress);
    throw callError;
  }
}

interface CallContext extends CursorContext {
  readonly request: CallRequest;
  /** The identity to read: of the parameters, or of the sample. */
  readonly identity: CallRequest['identity'];
  readonly services: Services;
  readonly caller: Caller;
  readonly signal: CallSignal | undefined;
  readonly progress: Progress;
  /** Null for none. */
  readonly suppressed: SuppressedSubjects | null;
}

async function answerRequest(
  request: CallRequest,
  services: Services,
  caller: Caller,
  signal: CallSignal | undefined,
  progress: Progress,
): Promise<Answer> {
  const { identity } = request;
  const question = { request, identity, position: firstPosition, services, caller, signal, progress };
  if (request.demo) return callDemo({ ...question, suppressed: null });
  const listed = services.suppressed?.() ?? null;
  const suppressed = listed instanceof Promise ? await listed : listed;
  suppressed?.refuse(request);
  const context = { ...question, suppressed };
  return request.cursor === null
    ? callCharged(context, request.firstKey)
    : resumePage(context, request.cursor);
}

async function resumePage(context: CallContext, cursor: string): Promise<Answer> {
  const position = await positionOfCursor(context, cursor);
  const { endpoint, identity, limit } = context.request;
  return callCharged({ ...context, position }, cacheKey(endpoint, identity, limit, position));
}

/** A demo creates no ledger: without one, it reports the balance of a new ledger. */
async function balanceForDemo(services: Services, account: string): Promise<number> {
  const initial = services.initialBalance?.() ?? null;
  if (initial !== null) return initial;
  return services.ledger.balance(account).then(
    ({ credits }) => credits,
    () => 0,
  );
}

/** A demo also answers without a usable data directory. The balance is then 0. */
async function callDemo(context: CallContext): Promise<Answer> {
  const { request, services, caller, signal } = context;
  const { identity, pages, vary } = await services.sample(request.endpoint, request.identity);
  const fullContext = { ...context, identity };
  const position =
    request.cursor === null ? firstPosition : await positionOfCursor(fullContext, request.cursor);
  const sampled = { ...fullContext, position };
  const { answer, records } = await fetchCached(fetchRequestOf(sampled), pages, services, {
    signal,
    sample: true,
  });
  const nextCursor = await cursorAfter(sampled, answer);
  const balance = caller.account === null ? 0 : await balanceForDemo(services, caller.account);
  const charged = callPrice(request.endpoint, 'sample');
  // Archives can be verified, so what they contain must not vary by day.
  const varies = services.evidence === undefined ? vary : undefined;
  const variation = varies?.(answer, services.clock.now(), returnedBefore(position) === 0) ?? answer;
  return buildAnswer(sampled, variation, { source: 'sample', charged, nextCursor, balance, records });
}

function chargeOf({ request, services, caller }: CallContext, source: AnswerSource): Charge {
  if (caller.account === null) throw new ExtractError('missing_api_key');
  return {
    id: caller.requestId,
    account: caller.account,
    endpoint: request.endpoint.path,
    credits: callPrice(request.endpoint, source),
    needsPack: request.fresh,
    at: services.clock.now(),
    key: caller.key,
    job: caller.job,
    resumes: caller.resumes,
  };
}

async function callCharged(context: CallContext, key: string): Promise<Answer> {
  const { request, services, caller } = context;
  if (caller.account === null) throw new ExtractError('missing_api_key');
  const hit = request.fresh ? undefined : await services.cache.get(key);
  // Entries of an earlier version do not say how much of their list they contain.
  return hit?.coverage === undefined ? fetchCharged(context, key) : chargeCached(context, hit);
}

async function chargeCached(context: CallContext, hit: CachedAnswer): Promise<Answer> {
  const answer = withoutSuppressed(context, hit);
  // If the cursor cannot be created, the call fails before it is charged.
  const nextCursor = await cursorAfter(context, hit);
  const charge = {
    ...chargeOf(context, 'cache'),
    measures: measuresOf(context.services, context.progress),
  };
  const balance = await context.services.ledger.pay(charge);
  return buildAnswer(context, answer, { source: 'cache', charged: charge.credits, nextCursor, balance });
}

/** Returns the answer without suppressed subjects. Throws `subject_suppressed` if it is about one. */
function withoutSuppressed({ suppressed, request }: CallContext, answer: CachedAnswer): CachedAnswer {
  return suppressed === null ? answer : suppressed.leaveOut(request.endpoint, answer);
}

async function fetchCharged(context: CallContext, key: string): Promise<Answer> {
  const { services, signal } = context;
  const { ledger, flights } = services;
  const charge = chargeOf(context, 'platform');
  await ledger.charge(charge);
  context.progress.charged = true;
  try {
    const onAttempt = (attempt: Attempt) => services.onAttempt?.(context.request.endpoint, attempt);
    const request = { ...fetchRequestOf(context), onAttempt };
    const { browsed, records, ...fetched } = await flights.run(
      key,
      (charge, end) =>
        inTime(services, end, (restart) =>
          fetchOnce(context, request, key, charge, onPageOf(context, restart)),
        ),
      signal,
    );
    // The shared fetch may have started before a subject was suppressed.
    const answer = withoutSuppressed(context, fetched.answer);
    const nextCursor = await cursorAfter(context, answer);
    const balance = await ledger.settle(charge.id, {
      ...{ status: 'ok', cached: false },
      measures: measuresOf(services, context.progress),
    });
    const terms = { charged: charge.credits, nextCursor, balance, browsed, records };
    return buildAnswer(context, answer, { source: 'platform', ...terms });
  } catch (error) {
    const code =
      error instanceof ExtractError
        ? error.code
        : signal?.aborted === true || isReasonOf(error, signal)
          ? null
          : 'internal_error';
    await ledger
      .settle(charge.id, { status: 'failed', code, measures: measuresOf(services, context.progress) })
      .catch(() => undefined);
    throw error;
  }
}

/**
 * In a batch or a job the deadline restarts with each page: its requests wait behind concurrent calls, and no client
 * is waiting.
 */
const onPageOf = ({ caller: { resumes, job } }: CallContext, restart: () => void) =>
  resumes === true || job !== undefined ? restart : undefined;

/** Reads from the platform, unless another server is already doing so: then returns what that server caches. */
function fetchOnce(
  context: CallContext,
  request: FetchRequest,
  key: string,
  signal: CallSignal,
  onPage: (() => void) | undefined,
): Promise<FetchedByOne> {
  const { services, caller } = context;
  const { fresh } = context.request;
  const fetch = async () => {
    const fetched = await fetchNow(
      request,
      services,
      signal,
      caller.job ?? caller.account ?? undefined,
      onPage,
    ).catch((error: unknown) => {
      if (error instanceof ExtractError) services.onFetchFailed?.(request.endpoint, error);
      throw error;
    });
    // Suppressed subjects are never cached.
    const answer = withoutSuppressed(context, fetched.answer);
    // Items known to this caller lack what others want.
    if (request.knownItems !== undefined && answer.brief === true) return { ...fetched, answer };
    services.onFetched?.(request.endpoint, fetched.data);
    await services.cache.set(key, answer, fetched.seconds);
    return { ...fetched, answer };
  };
  const { leases } = services;
  // A call with `fresh` must not wait for an answer that may be older than itself.
  return leases === undefined || fresh ? fetch() : underLease({ ...services, leases, key, signal, fetch });
}

async function fetchNow(
  request: FetchRequest,
  services: Services,
  signal: CallSignal,
  caller: string | undefined,
  onPage: (() => void) | undefined,
): Promise<FetchedAnswer> {
  const overrides = (await services.overrides?.(request.endpoint.platform)) ?? null;
  const fetchRequest = overrides === null ? request : { ...request, overrides };
  const source = await services.pages();
  const pages = onPage === undefined ? source : watchFetches(source, onPage);
  return fetchCached(fetchRequest, pages, services, { signal, caller, sample: false });
}

/** Reads pages, and records them as evidence if required. */
async function fetchCached(
  request: FetchRequest,
  pages: PageSource,
  { evidence, clock }: Services,
  {
    signal,
    caller,
    sample,
  }: { signal: CallSignal | undefined; caller?: string | undefined; sample: boolean },
): Promise<FetchedAnswer> {
  if (evidence === undefined) return fetchAnswer(request, pages, clock, signal, caller);
  const { fetchRecorded } = await import('./fetch-recorded.js');
  const fetch = (recordedPages: PageSource) => fetchAnswer(request, recordedPages, clock, signal, caller);
  return fetchRecorded(evidence, request, pages, clock, fetch, sample);
}

function fetchRequestOf({ request, identity, position, services, caller }: CallContext): FetchRequest {
  const { endpoint, limit } = request;
  const { account: charged, readsOn } = caller;
  const account = charged ?? undefined;
  // Evidence is complete, so that an answer can be derived from it again.
  const knownItems = services.evidence === undefined ? caller.knownItems : undefined;
  return { endpoint, identity, position, limit, account, readsOn, knownItems, read: services.read };
}
