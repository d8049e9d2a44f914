import type { PageSession, PageSource, Site } from './page-source.js';

type Fetch = PageSession['fetch'];

/** The facts about a session whose fetches are wrapped. */
interface WrappedSession {
  readonly site: Site;
  /** True where its pages are opened in a browser. */
  readonly runsPages: boolean;
}

/**
 * The same source with each fetch of its sessions wrapped, those of the browser beside it included. Every watcher,
 * store and queue of pages is built with this. Nothing else of the source is then lost on the way.
 */
export function wrapFetches(
  source: PageSource,
  wrap: (fetch: Fetch, session: WrappedSession) => Fetch,
): PageSource {
  return {
    open(site, signal, options) {
      const session = source.open(site, signal, options);
      const { runsPages = false } = session;
      return {
        runsPages,
        fetch: wrap((request) => session.fetch(request), { site, runsPages }),
        cookie: (url, name) => session.cookie(url, name),
        end: (error, goesOn) => session.end(error, goesOn),
      };
    },
    get browser() {
      const { browser } = source;
      if (browser === undefined || browser.when === 'never') return browser;
      return { when: browser.when, source: async () => wrapFetches(await browser.source(), wrap) };
    },
    close: () => source.close(),
  };
}
