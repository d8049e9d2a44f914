import { type ErrorCode, ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { systemClock } from '../runtime/clock.js';
import { Cookies } from './cookies.js';
import { headerValues, pageHeaders, type RawHeaders } from './headers.js';
import { bodyTooLarge, page } from './page.js';
import { type ReadBody, readPageFile } from './page-file.js';
import type { Page, PageRequest, PageSource, Site } from './page-source.js';

/** A recorded response and the requests it answers. An omitted member matches everything. */
export interface Route {
  /** The complete URL, exactly. A route has this or `pattern`. */
  readonly url?: string | undefined;
  /** Regular expression matched anywhere in the URL. */
  readonly pattern?: string | undefined;
  readonly method?: 'GET' | 'POST' | undefined;
  /** Regular expression matched in the request's body after form decoding (`+` and `%xx`). */
  readonly requestBody?: string | undefined;
  /** 200 by default. */
  readonly status?: number | undefined;
  /** Names in any case; `set-cookie` determines what `PageSession.cookie` returns. */
  readonly headers?: RawHeaders | undefined;
  /** File of the response body, for the source's body reader. */
  readonly file?: string | undefined;
  /** The response body itself, instead of a file; without either, the body is empty. */
  readonly body?: string | undefined;
  /** The error raised instead of a response. */
  readonly failure?: { readonly code: ErrorCode; readonly message: string } | undefined;
  /** Where redirects led; by default the requested URL. */
  readonly finalUrl?: string | undefined;
}

export interface RouteOptions {
  /** The route's name in the message for a request without a route. */
  readonly name?: string;
  readonly clock?: Clock;
}

/** Decodes a form-encoded body; other bodies are unchanged. */
export function decodedBody(body: string): string {
  return body.replace(/\+/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Routes with identical conditions: they answer in order, and the last one repeats. */
interface Sequence {
  matches(request: PageRequest): boolean;
  readonly answers: Route[];
  requests: number;
}

function sequences(routes: readonly Route[]): Sequence[] {
  const byMatch = new Map<string, Sequence>();
  for (const route of routes) {
    const { url, pattern, method, requestBody } = route;
    if ((url === undefined) === (pattern === undefined))
      throw new TypeError('A route has a url or a pattern.');
    const match = JSON.stringify([url ?? null, pattern ?? null, method ?? null, requestBody ?? null]);
    const existing = byMatch.get(match);
    if (existing !== undefined) {
      existing.answers.push(route);
      continue;
    }
    const urlPattern = pattern === undefined ? undefined : new RegExp(pattern);
    const bodyPattern = requestBody === undefined ? undefined : new RegExp(requestBody);
    byMatch.set(match, {
      matches: (request) =>
        (urlPattern === undefined ? request.url === url : urlPattern.test(request.url)) &&
        (method === undefined || (request.method ?? 'GET') === method) &&
        (bodyPattern === undefined || bodyPattern.test(decodedBody(request.body ?? ''))),
      answers: [route],
      requests: 0,
    });
  }
  return [...byMatch.values()];
}

/**
 * Creates a page source that answers from recorded pages: the first matching route. Without pace and cooldown. Throws
 * `platform_unavailable` for a request without a route, and `invalid_parameter` for a body file that is unreadable or
 * outside the folder of `bodies`.
 */
export function routeSource(
  bodies: string | ReadBody,
  routes: readonly Route[],
  options: RouteOptions = {},
): PageSource {
  const { name = 'saved page', clock = systemClock } = options;
  const readBody: ReadBody =
    typeof bodies === 'string' ? (file, maxBytes) => readPageFile(bodies, file, maxBytes) : bodies;
  const order = sequences(routes);

  async function answer(site: Site, request: PageRequest, cookies: Cookies): Promise<Page> {
    const sequence = order.find((one) => one.matches(request));
    const route = sequence?.answers[Math.min(sequence.requests, sequence.answers.length - 1)];
    if (sequence === undefined || route === undefined) {
      const requests = `${request.method ?? 'GET'} ${request.url}`;
      throw new ExtractError(
        'platform_unavailable',
        `There is no ${name} for ${requests}. All pages of a call must be saved.`,
      );
    }
    sequence.requests += 1;
    if (route.failure !== undefined) throw new ExtractError(route.failure.code, route.failure.message);
    const { status = 200, headers = {}, file, finalUrl = request.url } = route;
    const bytes = file === undefined ? Buffer.from(route.body ?? '') : await readBody(file, site.maxBytes);
    if (bytes.byteLength > site.maxBytes) throw bodyTooLarge(site.maxBytes);
    await cookies.store(finalUrl, headerValues(headers, 'set-cookie'));
    return page(finalUrl, status, pageHeaders(headers, clock.now()), bytes);
  }

  return {
    open(site, signal) {
      const cookies = new Cookies();
      return {
        async fetch(request) {
          signal?.throwIfAborted();
          const page = await answer(site, request, cookies);
          signal?.throwIfAborted();
          return page;
        },
        cookie: (url, key) => cookies.value(url, key),
        end() {},
      };
    },
    async close() {},
  };
}
