import pLimit from 'p-limit';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isRefusal } from '../../../lib/web/cooldown-refusal.js';
import {
  firstSurface,
  type Page,
  type PageRequest,
  type PageSession,
  type Site,
  withFetch,
} from '../../../lib/web/page-source.js';

/** The session that a canary's routes share. */
export interface CanarySession {
  readonly session: PageSession;
  /** Starts the counters for the next route. */
  begin(): { readonly requests: number; readonly bytes: number };
}

const nameOf = ({ method = 'GET', url, headers, body }: PageRequest) =>
  JSON.stringify([method, url, headers ?? null, body ?? null]);

/**
 * A session that sends one request at a time and reuses pages: routes that read the same page fetch it once, but a
 * route that requests it a second time gets a fresh copy. After a surface refuses, it is not queried again; after the
 * address is refused, nothing is. Both are recorded as resting when the session ends.
 */
export function canarySession(session: PageSession, site: Site): CanarySession {
  const pages = new Map<string, Page>();
  const refused = new Map<string, ExtractError>();
  const turn = pLimit(1);
  let refusedAddress: ExtractError | undefined;
  let routePages = new Set<string>();
  let counts = { requests: 0, bytes: 0 };
  const fetch = async (request: PageRequest) => {
    const name = nameOf(request);
    const earlier = routePages.has(name) ? undefined : pages.get(name);
    routePages.add(name);
    if (earlier !== undefined) return earlier;
    const refusal = refusedAddress ?? refused.get(request.surface ?? firstSurface(site));
    if (refusal !== undefined) throw refusal;
    counts.requests += 1;
    const page = await turn(() => session.fetch(request));
    counts.bytes += page.body.byteLength;
    if (page.status === 200) pages.set(name, page);
    return page;
  };
  return {
    session: {
      ...withFetch(session, fetch),
      report(attempt) {
        session.report?.(attempt);
        const { surface, outcome, cause, retryAfter, scope = 'subject' } = attempt;
        if (outcome === 'answered') return;
        const later = retryAfter === undefined ? {} : { retryAfter };
        const error = new ExtractError(outcome, cause, { next: '', scope, ...later });
        if (!isRefusal(error)) return;
        refused.set(surface, error);
        if (scope === 'address') refusedAddress = error;
      },
    },
    begin() {
      routePages = new Set();
      counts = { requests: 0, bytes: 0 };
      return counts;
    },
  };
}
