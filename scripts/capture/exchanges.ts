import { firstPosition, type ListPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { parseParams } from '../../lib/params/parse.js';
import type { Json } from '../../lib/read/json.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { page } from '../../lib/web/page.js';
import type { Page, PageRequest, PageSource } from '../../lib/web/page-source.js';

/** A request of a call and the page that answered it; null if there was none. */
export interface Exchange {
  readonly request: PageRequest;
  page: Page | null;
}

/** The outcome of a call, with what a caller sees. */
export interface Outcome {
  readonly pages: readonly { readonly data: unknown; readonly seconds: number; readonly isLast: boolean }[];
  readonly error: { readonly code: string; readonly message: string } | null;
  /** True if the source lacked a page for a request. */
  readonly isStarved: boolean;
}

const starved = 'There is no saved page for ';
const noPage = ({ url }: PageRequest) => new ExtractError('platform_unavailable', `${starved}${url}.`);
const fixedClock = { ...systemClock, now: () => Date.UTC(2026, 10, 5), sleep: async () => undefined };

/** Runs a call over `source`, page by page, as long as there are pages. */
export async function runCall(
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  source: PageSource,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const checked = parseParams(endpoint, params);
  const identity = endpoint.identify(checked);
  const limit = typeof checked.limit === 'number' ? checked.limit : (endpoint.page?.max ?? 1);
  const pages: Outcome['pages'][number][] = [];
  let position: ListPosition = firstPosition;
  try {
    for (;;) {
      const { answer, seconds } = await fetchAnswer(
        { endpoint, identity, position, limit },
        source,
        fixedClock,
      );
      pages.push({ data: JSON.parse(answer.data), seconds, isLast: answer.next === null });
      if (answer.next === null || pages.length === maxPages) return { pages, error: null, isStarved: false };
      position = { position: answer.next as Json, seen: [...position.seen, ...answer.prints] };
    }
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const isStarved = error.message.replace(/^[a-z-]+: /, '').startsWith(starved);
    if (isStarved && pages.length > 0) return { pages, error: null, isStarved: false };
    return { pages, error: { code: error.code, message: error.message }, isStarved };
  }
}

/** Returns the same source, recording every exchange in the order of the requests. */
export function recording(source: PageSource, exchanges: Exchange[]): PageSource {
  return {
    open(site, signal) {
      const session = source.open(site, signal);
      return {
        async fetch(request) {
          const exchange: Exchange = { request, page: null };
          exchanges.push(exchange);
          exchange.page = await session.fetch(request);
          return exchange.page;
        },
        cookie: (url, name) => session.cookie(url, name),
        end: (error) => session.end(error),
      };
    },
    close: () => source.close(),
  };
}

/** An answer without its address. */
export interface PlacelessPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Where redirects led; null without redirects. */
  readonly finalUrl: string | null;
  readonly text: string;
}

/** Creates a source that answers a call's requests in order, whatever they are, and records them. */
export function inOrder(
  answers: readonly (PlacelessPage | null)[],
  requests: PageRequest[] = [],
): PageSource {
  return {
    open: () => ({
      async fetch(request) {
        const answer = answers[requests.length] ?? null;
        requests.push(request);
        if (answer === null) throw noPage(request);
        return page(answer.finalUrl ?? request.url, answer.status, answer.headers, Buffer.from(answer.text));
      },
      cookie: () => null,
      end: () => undefined,
    }),
    close: async () => undefined,
  };
}
