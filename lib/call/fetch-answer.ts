import type { CachedAnswer } from '../cache/cache.js';
import { ExtractError, withSeen } from '../errors/extract-error.js';
import type { SeenPage } from '../errors/seen.js';
import { at, type Json } from '../read/json.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { asksToWait } from '../web/cooldown.js';
import { observed } from '../web/observed-session.js';
import type { BrowserWay, PageSession, PageSource } from '../web/page-source.js';
import { type FetchRequest, type PageReading, readPage, readVisitedPage } from './read-page.js';

export type { FetchRequest } from './read-page.js';

export interface FetchedAnswer {
  readonly answer: CachedAnswer;
  /** What `answer.data` spells out. */
  readonly data: unknown;
  /** How long the cache may keep it. */
  readonly seconds: number;
  /** True where a browser gave it. */
  readonly browsed: boolean;
}

/** An answer that is true but thin stays in the cache this long, so that a better one can follow soon. */
const briefSeconds = 300;

/** Outcomes of the plain way after which a browser may be given what it was not. */
const leadsOn: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_login_required',
  'platform_rate_limited',
  'platform_restricted',
  'platform_changed',
]);

const isRefusal = (error: unknown): error is ExtractError =>
  error instanceof ExtractError && leadsOn.has(error.code) && !asksToWait(error);

/** The position of a listing that a browser goes through, as cursors hold it. */
const inBrowser = (next: Json): Json => (next === null ? null : { browser: next });

/** The error with a sentence more. */
function withSentence(error: ExtractError, sentence: string): ExtractError {
  const { cause, retryAfter } = error;
  return new ExtractError(error.code, `${error.message} ${sentence}`, {
    // The message says what to do already.
    next: '',
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** What is told of two ways that were both refused: the browser's word, unless it came to none. */
function ofBoth(plain: ExtractError, browser: unknown): unknown {
  if (!(browser instanceof ExtractError)) return browser;
  const cameToNone = ['platform_timeout', 'platform_unavailable', 'platform_changed'].includes(browser.code);
  return cameToNone ? withSentence(plain, `A browser was tried, too: ${browser.message}`) : browser;
}

/** Reads one answer from a source of pages: the same for network, browser, samples and saved pages. */
export async function fetchAnswer(
  request: FetchRequest,
  pages: PageSource,
  clock: Clock,
  signal?: CallSignal,
  caller?: string,
): Promise<FetchedAnswer> {
  const { endpoint, position } = request;
  const way = pages.browser;
  /** What the ways that failed were given. */
  let seenPages: readonly SeenPage[] = [];

  function answerOf({ data, prints, next, brief }: PageReading, browsed: boolean): FetchedAnswer {
    const { cacheSeconds } = endpoint;
    return {
      answer: {
        data: JSON.stringify(data),
        fetchedAt: new Date(clock.now()).toISOString(),
        next: browsed ? inBrowser(next) : next,
        prints,
      },
      data,
      seconds: brief ? Math.min(briefSeconds, cacheSeconds) : cacheSeconds,
      browsed,
    };
  }

  /** Reads by a session, and ends it; what it saw is kept for the error of a failure. */
  async function readBy(
    opened: PageSession,
    read: (session: PageSession) => Promise<PageReading>,
  ): Promise<PageReading> {
    const { session, seen } = observed(opened, endpoint.site);
    try {
      const reading = await read(session);
      session.end(undefined, reading.next !== null);
      return reading;
    } catch (error) {
      session.end(error);
      seenPages = [...seenPages, ...seen()];
      throw error;
    }
  }

  const plainly = (beyond: boolean) =>
    readBy(pages.open(endpoint.site, signal), (session) => readPage(request, session, beyond));

  async function byBrowser({ source }: BrowserWay, from: Json, anew = false): Promise<FetchedAnswer> {
    const opened = await source();
    const goesOn = position.position !== null;
    const visit = opened.open(endpoint.site, signal, { caller, goesOn });
    const continued = { ...request, position: { ...position, position: from } };
    return answerOf(await readBy(visit, (session) => readVisitedPage(continued, session, anew)), true);
  }

  async function answer(): Promise<FetchedAnswer> {
    const visited = at(position.position, 'browser') as Json | undefined;
    if (visited !== undefined) {
      if (way !== undefined && way.when !== 'never') return byBrowser(way, visited);
      throw new ExtractError(
        'platform_unavailable',
        `A browser gave the list so far, and none is available to continue. ${way?.hint ?? 'EXTRACT_BROWSER=auto asks one.'}`,
      );
    }
    if (way?.when === 'always') return byBrowser(way, position.position);
    let plain: PageReading;
    try {
      plain = await plainly(way?.when === 'refused');
    } catch (error) {
      if (way === undefined || !isRefusal(error)) throw error;
      if (way.when === 'never') throw way.hint === null ? error : withSentence(error, way.hint);
      try {
        return await byBrowser(way, position.position);
      } catch (browser) {
        throw ofBoth(error, browser);
      }
    }
    if (!plain.endsEarly || way === undefined || way.when === 'never') return answerOf(plain, false);
    try {
      return await byBrowser(way, null, true);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ExtractError)) throw error;
      // What the plain way gave is true, and the whole of it may be had later.
      return answerOf({ ...(await plainly(false)), brief: true }, false);
    }
  }

  try {
    return await answer();
  } catch (error) {
    const isOutcome =
      error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');
    throw isOutcome && seenPages.length > 0 ? withSeen(error, seenPages) : error;
  }
}
