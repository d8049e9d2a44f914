import { LRUCache } from 'lru-cache';
import type { Clock } from '../runtime/clock.js';
import type { Page, PageRequest } from './page-source.js';

const lifetimeMs = 10 * 60_000;
const maxBytes = 16 * 1024 * 1024;

const keyOf = ({ method = 'GET', url, body = '' }: PageRequest) => `${method} ${url} ${body}`;

/**
 * Answers with more items than one call returns, stored for the calls that continue in them, so that a list can be
 * requested in the platform's largest pages whatever the limit of a call.
 */
export class RecentPages {
  readonly #pages;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#pages = new LRUCache<string, Page>({
      maxSize: maxBytes,
      sizeCalculation: ({ body }) => Math.max(1, body.byteLength),
      ttl: lifetimeMs,
      ttlResolution: 0,
      perf: clock,
    });
  }

  keep(request: PageRequest, page: Page): void {
    this.#pages.set(keyOf(request), page);
  }

  take(request: PageRequest): Page | null {
    return this.#pages.get(keyOf(request)) ?? null;
  }
}
