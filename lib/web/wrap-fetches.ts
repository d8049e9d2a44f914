import { type PageSession, type PageSource, type Site, withFetch } from './page-source.js';

type Fetch = PageSession['fetch'];

interface WrappedSession {
  readonly site: Site;
  /** True if its pages are opened in a browser. */
  readonly runsPages: boolean;
}

/**
 * Wraps each fetch of a source's sessions, including those of its browser. Every watcher, store and queue of pages is
 * built with this, so that no other property of the source is lost.
 */
export function wrapFetches(
  source: PageSource,
  wrap: (fetch: Fetch, session: WrappedSession) => Fetch,
): PageSource {
  return {
    open(site, signal, options) {
      const session = source.open(site, signal, options);
      const { runsPages = false } = session;
      return withFetch(
        session,
        wrap((request) => session.fetch(request), { site, runsPages }),
      );
    },
    get browser() {
      const { browser } = source;
      if (browser === undefined || browser.when === 'never') return browser;
      return { when: browser.when, source: async () => wrapFetches(await browser.source(), wrap) };
    },
    close: () => source.close(),
  };
}

/** Calls back after each page. */
export const watchFetches = (source: PageSource, onPage: () => void): PageSource =>
  wrapFetches(source, (fetch) => async (request) => {
    const page = await fetch(request);
    onPage();
    return page;
  });
