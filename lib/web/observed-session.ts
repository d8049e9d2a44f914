import { ExtractError } from '../errors/extract-error.js';
import type { SeenPage } from '../errors/seen.js';
import { page as pageOf } from './page.js';
import {
  type Attempt,
  type Page,
  type PageRequest,
  type PageSession,
  type Site,
  withFetch,
} from './page-source.js';

/** Maximum responses stored in full until the call ends; of later ones only the head. */
const maxStored = 8;
/** Maximum requests reported; a list may be completed from dozens of pages. */
const maxReported = 16;
const maxNames = 12;
/**
 * Maximum bytes of a response to examine, which happens on a server's event loop. Pages of photosocial name their kind
 * 290 to 420 KB in (2025-11 to 2026-03).
 */
const maxExaminedBytes = 512 * 1024;
const maxTextLength = 120;

interface Observation {
  readonly request: PageRequest;
  readonly answer: Pick<Page, 'url' | 'status'> & { readonly bytes: number };
  readonly page: Page | null;
}

interface Failure {
  readonly request: PageRequest;
  readonly error: unknown;
}

const beginningOf = ({ url, status, headers, body }: Page) =>
  pageOf(url, status, headers, body.subarray(0, maxExaminedBytes));

function titleOf(html: string): string | null {
  const title = /<title\b[^<>]{0,200}>([^<]{1,1000})/i.exec(html)?.[1]?.replace(/\s+/g, ' ').trim();
  return title ? title.slice(0, maxTextLength) : null;
}

function namesOf(html: string, pattern: RegExp | undefined): string[] {
  if (pattern === undefined) return [];
  const names = new Set<string>();
  for (const [, name] of html.matchAll(pattern)) {
    if (name !== undefined) names.add(name);
    if (names.size === maxNames) break;
  }
  return [...names];
}

function seenPage(observation: Observation | Failure, site: Site): SeenPage {
  const { request } = observation;
  const { documentHeader = '', pageNames } = site;
  const requestSeen = {
    method: request.method ?? 'GET',
    url: request.url,
    document: request.headers?.[documentHeader] ?? null,
  } as const;
  if ('error' in observation) {
    const { error } = observation;
    const failure = error instanceof ExtractError ? error.code : 'internal_error';
    return { ...requestSeen, finalUrl: null, status: null, bytes: null, title: null, names: [], failure };
  }
  const { answer, page: fullPage } = observation;
  const text = fullPage === null ? '' : beginningOf(fullPage).text();
  return {
    ...requestSeen,
    finalUrl: answer.url === request.url ? null : answer.url,
    status: answer.status,
    bytes: answer.bytes,
    title: titleOf(text),
    names: namesOf(text, pageNames),
    failure: null,
  };
}

/**
 * Returns the session, and its requests so far, in order. Pages are examined only when `seen` is called, which never
 * happens after an answer.
 */
export function observeSession(
  session: PageSession,
  site: Site,
): { readonly session: PageSession; readonly attempts: readonly Attempt[]; pages(): SeenPage[] } {
  const attempts: Attempt[] = [];
  const observations: (Observation | Failure)[] = [];
  const observe = (observation: Observation | Failure) => {
    if (observations.length < maxReported) observations.push(observation);
  };
  return {
    session: {
      ...withFetch(session, async (request) => {
        try {
          const page = await session.fetch(request);
          const { url, status, body } = page;
          const fullPage = observations.length < maxStored ? page : null;
          observe({ request, answer: { url, status, bytes: body.byteLength }, page: fullPage });
          return page;
        } catch (error) {
          observe({ request, error });
          throw error;
        }
      }),
      report(attempt) {
        attempts.push(attempt);
        session.report?.(attempt);
      },
    },
    attempts,
    pages: () => observations.map((observation) => seenPage(observation, site)),
  };
}
