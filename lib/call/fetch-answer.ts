import type { CachedAnswer } from '../cache/cache.js';
import { mayPassInBrowser } from '../errors/catalogue.js';
import { ExtractError, nextOf, problemOf } from '../errors/extract-error.js';
import type { SeenPage } from '../errors/seen.js';
import { secondsToExpiry } from '../read/address-expiry.js';
import { at, type Json } from '../read/json.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { CooldownRefusal } from '../web/cooldown-refusal.js';
import { observeSession } from '../web/observed-session.js';
import type { Attempt, BrowserFallback, PageSession, PageSource } from '../web/page-source.js';
import { coverageOf } from './coverage.js';
import { digest } from './cursor.js';
import { type FetchRequest, type PageReading, readPage, readVisitedPage } from './read-page.js';

export type { FetchRequest } from './read-page.js';

export interface FetchedAnswer {
  readonly answer: CachedAnswer;
  /** The JSON of `answer.data`. */
  readonly data: unknown;
  /** How long the cache may store it. */
  readonly seconds: number;
  readonly browsed: boolean;
  /** Records of the archive it was read from, if any. */
  readonly records?: readonly string[] | undefined;
}

/** Cache time of a correct but incomplete answer, so that a better one can follow soon. */
const briefSeconds = 300;

const isRefusal = (error: unknown): error is ExtractError =>
  error instanceof ExtractError && mayPassInBrowser(error.code);

/** Marks the position of a list read by a browser, for cursors. */
const inBrowser = (next: Json): Json => (next === null ? null : { browser: next });

/** Returns the error with another message. `next` says what to do; "" if the message includes it. */
function withMessage({ code, cause, retryAfter }: ExtractError, message: string, next = ''): ExtractError {
  return new ExtractError(code, message, {
    next,
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Error codes of a browser that say nothing about the subject. */
const saysNothing: ReadonlySet<string> = new Set([
  'platform_timeout',
  'platform_unavailable',
  'platform_changed',
]);

/**
 * Returns the error of a call that failed with plain requests and in the browser. Describes both, with the code of the
 * last one for which the platform gave a reason.
 */
function ofBoth(plain: ExtractError, browser: unknown): unknown {
  if (!(browser instanceof ExtractError)) return browser;
  if (!(browser instanceof CooldownRefusal)) {
    const first =
      plain instanceof CooldownRefusal ? `${plain.causeText} ${plain.clause}.`.trim() : problemOf(plain);
    const isSame = problemOf(browser) === first;
    return withMessage(
      saysNothing.has(browser.code) ? plain : browser,
      isSame ? `${first} A browser gets the same.` : `${first} A browser was tried, too: ${browser.message}`,
      isSame ? nextOf(browser) : '',
    );
  }
  if (!(plain instanceof CooldownRefusal))
    return withMessage(plain, `${problemOf(plain)} ${browser.clause}.`, nextOf(plain));
  // No request was sent: plain requests come first, so the platform's refusal was theirs.
  const { refusal, retryAfter = 0 } = (plain.retryAfter ?? 0) <= (browser.retryAfter ?? 0) ? plain : browser;
  const causes = [...new Set([...plain.causes.slice(0, 1), ...browser.causes.slice(-1)])];
  return new CooldownRefusal(refusal, `${plain.clause}. ${browser.clause}`, causes, retryAfter);
}

/** Reads one answer from a source of pages: network, browser, samples or saved pages. */
export async function fetchAnswer(
  request: FetchRequest,
  pages: PageSource,
  clock: Clock,
  signal?: CallSignal,
  caller?: string,
): Promise<FetchedAnswer> {
  const { endpoint, position } = request;
  const { browser: fallback } = pages;
  const { account } = request;
  // Lazy: only sources that remember refusals use it, so a sample never loads the digest library.
  const scope = {
    account,
    get subject() {
      return digest(request.identity).slice(0, 16);
    },
  };
  /** Pages that failed sessions received. */
  let seenPages: readonly SeenPage[] = [];
  const attempts: Attempt[] = [];

  function answerOf(reading: PageReading, browsed: boolean): FetchedAnswer {
    const { data, sources, prints, next, brief, extent } = reading;
    const { cacheSeconds } = endpoint;
    const now = clock.now();
    const texts = { data: JSON.stringify(data), sources: JSON.stringify(sources) };
    return {
      answer: {
        ...texts,
        fetchedAt: new Date(now).toISOString(),
        next: browsed ? inBrowser(next) : next,
        prints,
        ...(brief ? { brief } : {}),
        coverage: coverageOf(extent, endpoint.many, attempts),
      },
      data,
      // No answer may be cached longer than its file addresses are valid.
      seconds: Object.values(texts).reduce(
        (seconds, text) => secondsToExpiry(text, now, seconds),
        brief ? Math.min(briefSeconds, cacheSeconds) : cacheSeconds,
      ),
      browsed,
    };
  }

  /** Reads in a session and ends it. Attaches the received pages to an error. */
  async function readBy(
    source: PageSession,
    readPage: (session: PageSession) => Promise<PageReading>,
  ): Promise<PageReading> {
    const { session, pages, attempts: sessionAttempts } = observeSession(source, endpoint.site);
    try {
      const reading = await readPage(session);
      session.end(undefined, reading.next !== null);
      return reading;
    } catch (error) {
      const failure = session.end(error) ?? error;
      seenPages = [...seenPages, ...pages()];
      throw failure;
    } finally {
      attempts.push(...sessionAttempts);
      for (const attempt of sessionAttempts) request.onAttempt?.(attempt);
    }
  }

  const plainly = (beyond: boolean) =>
    readBy(pages.open(endpoint.site, signal, scope), (session) => readPage(request, session, beyond));

  async function byBrowser({ source }: BrowserFallback, from: Json, isFresh = false): Promise<FetchedAnswer> {
    const browserSource = await source();
    const continues = position.position !== null;
    const options = {
      caller,
      account,
      subject: scope.subject,
      continues,
      readsOn: request.readsOn || continues,
    };
    const visit = browserSource.open(endpoint.site, signal, options);
    const continued = { ...request, position: { ...position, position: from } };
    return answerOf(await readBy(visit, (session) => readVisitedPage(continued, session, isFresh)), true);
  }

  async function answer(): Promise<FetchedAnswer> {
    const visited = at(position.position, 'browser') as Json | undefined;
    if (visited !== undefined) {
      if (fallback !== undefined && fallback.when !== 'never') return byBrowser(fallback, visited);
      throw new ExtractError(
        'platform_unavailable',
        'A browser read the list so far, and none is available to continue. Start the list again.',
      );
    }
    if (fallback?.when === 'always') return byBrowser(fallback, position.position);
    let plain: PageReading;
    try {
      plain = await plainly(fallback?.when === 'refused');
    } catch (error) {
      if (fallback === undefined || fallback.when === 'never' || !isRefusal(error)) throw error;
      try {
        return await byBrowser(fallback, position.position);
      } catch (browser) {
        throw ofBoth(error, browser);
      }
    }
    if (!plain.endsEarly || fallback === undefined || fallback.when === 'never') {
      return answerOf(plain, false);
    }
    try {
      return await byBrowser(fallback, null, true);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ExtractError)) throw error;
      // The plain answer is correct, and a complete one may become available later.
      const { extent, ...beginning } = await plainly(false);
      const ending = beginning.next === null ? 'refused' : extent.ended;
      return answerOf({ ...beginning, brief: true, extent: { ...extent, ended: ending } }, false);
    }
  }

  try {
    return await answer();
  } catch (error) {
    const isOutcome =
      error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');
    throw isOutcome && seenPages.length > 0 ? error.withSeen(seenPages) : error;
  }
}
