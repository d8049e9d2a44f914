import { type ErrorCode, ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { systemClock } from '../runtime/clock.js';
import { Cookies } from './cookies.js';
import { headerValues, pageHeaders, type RawHeaders } from './headers.js';
import { bodyTooLarge, page } from './page.js';
import { type ReadBody, readPageFile } from './page-file.js';
import type { Page, PageRequest, PageSource, Site } from './page-source.js';

/** A recorded answer and the requests it answers. A member that is left out matches everything. */
export interface Route {
  /** The whole URL, exactly. A route has this or `pattern`. */
  readonly url?: string | undefined;
  /** Regular expression, looked for in the whole URL. */
  readonly pattern?: string | undefined;
  readonly method?: 'GET' | 'POST' | undefined;
  /** Regular expression, looked for in the request's body after form decoding (`+` and `%xx`). */
  readonly requestBody?: string | undefined;
  /** 200 when left out. */
  readonly status?: number | undefined;
  /** Any case of names; cookies of `set-cookie` are what `PageSession.cookie` knows. */
  readonly headers?: RawHeaders | undefined;
  /** File of the answer's body, as the source's reader of bodies names it. */
  readonly file?: string | undefined;
  /** The answer's body itself, in place of a file; neither is an empty body. */
  readonly body?: string | undefined;
  /** The error that comes in place of an answer. */
  readonly failure?: { readonly code: ErrorCode; readonly message: string } | undefined;
  /** Where redirects led; the asked URL when left out. */
  readonly finalUrl?: string | undefined;
}

export interface RouteOptions {
  /** A route as the message shows it that there is none for a request. */
  readonly name?: string;
  readonly clock?: Clock;
}

/** A body as it was before form encoding; what is not form encoded stays as it is. */
export function decodedBody(body: string): string {
  return body.replace(/\+/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** Routes with one and the same condition: they answer in order, and the last one repeats. */
interface Sequence {
  matches(request: PageRequest): boolean;
  readonly answers: Route[];
  requests: number;
}

function sequences(routes: readonly Route[]): Sequence[] {
  const byCondition = new Map<string, Sequence>();
  for (const route of routes) {
    const { url, pattern, method, requestBody } = route;
    if ((url === undefined) === (pattern === undefined))
      throw new TypeError('A route has a url or a pattern.');
    const condition = JSON.stringify([url ?? null, pattern ?? null, method ?? null, requestBody ?? null]);
    const existing = byCondition.get(condition);
    if (existing !== undefined) {
      existing.answers.push(route);
      continue;
    }
    const urlPattern = pattern === undefined ? undefined : new RegExp(pattern);
    const bodyPattern = requestBody === undefined ? undefined : new RegExp(requestBody);
    byCondition.set(condition, {
      matches: (request) =>
        (urlPattern === undefined ? request.url === url : urlPattern.test(request.url)) &&
        (method === undefined || (request.method ?? 'GET') === method) &&
        (bodyPattern === undefined || bodyPattern.test(decodedBody(request.body ?? ''))),
      answers: [route],
      requests: 0,
    });
  }
  return [...byCondition.values()];
}

/**
 * A page source that answers from recorded pages: the first route whose condition holds. Nothing waits and nothing
 * cools down. Throws `platform_unavailable` for a request without a route. Throws `invalid_parameter` for an unreadable
 * body file, or one outside the folder of `bodies`.
 */
export function routeSource(
  bodies: string | ReadBody,
  routes: readonly Route[],
  options: RouteOptions = {},
): PageSource {
  const { name = 'saved page', clock = systemClock } = options;
  const readBody: ReadBody =
    typeof bodies === 'string' ? (file, maxBytes) => readPageFile(bodies, file, maxBytes) : bodies;
  const known = sequences(routes);

  async function answer(site: Site, request: PageRequest, cookies: Cookies): Promise<Page> {
    const sequence = known.find((one) => one.matches(request));
    const route = sequence?.answers[Math.min(sequence.requests, sequence.answers.length - 1)];
    if (sequence === undefined || route === undefined) {
      const requests = `${request.method ?? 'GET'} ${request.url}`;
      throw new ExtractError(
        'platform_unavailable',
        `There is no ${name} for ${requests}. All pages of a call must be there.`,
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
          const found = await answer(site, request, cookies);
          signal?.throwIfAborted();
          return found;
        },
        cookie: (url, key) => cookies.value(url, key),
        end() {},
      };
    },
    async close() {},
  };
}
