import pLimit from 'p-limit';
import { noCache } from '../../../lib/cache/cache.js';
import { SingleFlight } from '../../../lib/cache/single-flight.js';
import type { Services } from '../../../lib/call/call.js';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import type { PageSource, Site } from '../../../lib/web/page-source.js';
import { wrapFetches } from '../../../lib/web/wrap-fetches.js';

/** Where canaries are booked: nowhere. */
const unbooked: Ledger = {
  charge: async () => undefined,
  pay: async () => 0,
  settle: async () => 0,
  refund: async () => 0,
  grant: async () => 0,
  balance: async (account) => ({ account, credits: 0, bought: true }),
  usage: async () => ({ rows: [], next: null }),
  checkWritable: async () => undefined,
  close: async () => undefined,
};

/** The same pages, at most one request a platform at a time. `onPage` gets the address of each good page. */
function oneAtATime(pages: PageSource, onPage: (url: string) => void): PageSource {
  const queues = new Map<string, ReturnType<typeof pLimit>>();
  const queueOf = ({ platform }: Site) => {
    const queue = queues.get(platform) ?? pLimit(1);
    queues.set(platform, queue);
    return queue;
  };
  const queued = wrapFetches(pages, (fetch, { site }) => {
    const queue = queueOf(site);
    return async (request) => {
      const page = await queue(() => fetch(request));
      if (page.status < 400) onPage(page.url);
      return page;
    };
  });
  return {
    open: queued.open,
    get browser() {
      return queued.browser;
    },
    // The opener of the pages closes them.
    async close() {},
  };
}

export interface CanaryServices {
  readonly services: Services;
  /** Host and path of the last page that came well since the last time, and forgets it; empty for none. */
  takeSource(): string;
}

/**
 * The services for canaries of one platform: the real road over the same pages at the same pace. They book nothing and
 * use no cache.
 */
export function canaryServices(services: Services, pages: () => Promise<PageSource>): CanaryServices {
  let source = '';
  let opened: Promise<PageSource> | undefined;
  const onPage = (url: string) => {
    const { host, pathname } = new URL(url);
    source = `${host}${pathname}`;
  };
  return {
    services: {
      clock: services.clock,
      docsBase: services.docsBase,
      deadlineMs: services.deadlineMs,
      flights: new SingleFlight(),
      ledger: unbooked,
      cache: noCache,
      pages() {
        opened ??= pages().then((given) => oneAtATime(given, onPage));
        return opened;
      },
      read: services.read,
      overrides: async (platform) => (await services.overrides?.(platform)) ?? null,
      sample: services.sample,
      secret: services.secret,
    },
    takeSource() {
      const taken = source;
      source = '';
      return taken;
    },
  };
}
