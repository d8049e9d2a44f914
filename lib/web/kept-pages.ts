import type { Clock } from '../runtime/clock.js';
import type { Page, PageRequest } from './page-source.js';

const keptMs = 10 * 60_000;
const maxBytes = 16 * 1024 * 1024;

interface KeptPage {
  readonly page: Page;
  readonly until: number;
}

/**
 * Answers that hold more items than one call returns, kept for the calls that continue in them, so a list can be
 * requested in the platform's largest pages whatever the limit of a call. Least recently used answers are evicted
 * first.
 */
export class KeptPages {
  readonly #clock: Clock;
  readonly #pages = new Map<string, KeptPage>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keep(request: PageRequest, page: Page): void {
    const key = keyOf(request);
    this.#drop(key);
    this.#pages.set(key, { page, until: this.#clock.now() + keptMs });
    this.#bytes += page.body.byteLength;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#drop(oldest);
    }
  }

  take(request: PageRequest): Page | null {
    const key = keyOf(request);
    const kept = this.#pages.get(key);
    this.#pages.delete(key);
    if (kept === undefined) return null;
    if (kept.until <= this.#clock.now()) {
      this.#bytes -= kept.page.body.byteLength;
      return null;
    }
    this.#pages.set(key, kept);
    return kept.page;
  }

  #drop(key: string): void {
    this.#bytes -= this.#pages.get(key)?.page.body.byteLength ?? 0;
    this.#pages.delete(key);
  }
}

const keyOf = ({ method = 'GET', url, body = '' }: PageRequest) => `${method} ${url} ${body}`;
