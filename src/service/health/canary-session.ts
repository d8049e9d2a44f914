import pLimit from 'p-limit';
import type { Page, PageRequest, PageSession } from '../../../lib/web/page-source.js';
import { withFetch } from '../../../lib/web/page-source.js';

/** The session of a canary, whose routes are asked one after the other. */
export interface CanarySession {
  readonly session: PageSession;
  /** Begins to count for the next route. */
  begin(): { readonly requests: number; readonly bytes: number };
}

const nameOf = ({ method = 'GET', url, headers, body }: PageRequest) =>
  JSON.stringify([method, url, headers ?? null, body ?? null]);

/**
 * A session that sends one request at a time, and gives a page again that an earlier route has fetched: routes that
 * read the same page do not ask for it twice. A route that asks for its page again is given a new one.
 */
export function canarySession(session: PageSession): CanarySession {
  const pages = new Map<string, Page>();
  const turn = pLimit(1);
  let own = new Set<string>();
  let counts = { requests: 0, bytes: 0 };
  return {
    session: withFetch(session, async (request) => {
      const name = nameOf(request);
      const earlier = own.has(name) ? undefined : pages.get(name);
      own.add(name);
      if (earlier !== undefined) return earlier;
      counts.requests += 1;
      const page = await turn(() => session.fetch(request));
      counts.bytes += page.body.byteLength;
      if (page.status === 200) pages.set(name, page);
      return page;
    }),
    begin() {
      own = new Set();
      counts = { requests: 0, bytes: 0 };
      return counts;
    },
  };
}
