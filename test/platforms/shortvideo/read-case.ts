import type { Endpoint } from '../../../lib/endpoint.js';
import type { Json } from '../../../lib/read/json.js';
import type { ReadResult } from '../../../lib/routes/reading.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf, identityOf } from '../../../lib/samples.js';
import { page } from '../../../lib/web/page.js';
import type { PageRequest, PageSession } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

interface ReadCaseOptions {
  readonly limit?: number;
  readonly position?: Json;
  readonly refusedLately?: readonly string[];
  /** Routes that take precedence over the case's. */
  readonly before?: readonly Route[];
}

/** One reading of a case as the endpoint itself gives it, and every request that it made. */
export async function readCase<Data>(
  row: unknown,
  name: string,
  { limit, position = null, before = [], refusedLately = [] }: ReadCaseOptions = {},
) {
  const endpoint = row as Endpoint;
  const one = (await casesOf(endpoint)).find((each) => each.name === name);
  if (one === undefined) throw new Error(`${endpoint.path} has no case ${name}`);
  const source = routeSource(sampleFiles(endpoint.path), [...before, ...one.pages]);
  const session = source.open(endpoint.site);
  const requests: PageRequest[] = [];
  const reading = await endpoint.read({
    identity: identityOf(endpoint, one),
    limit: limit ?? endpoint.page?.max ?? 1,
    position,
    refusedLately,
    session: {
      ...session,
      fetch(request) {
        requests.push(request);
        return session.fetch(request);
      },
    },
  });
  const urls = requests.map(({ url }) => url.replace('https://www.tiktok.com', ''));
  return { ...(reading as ReadResult<Data>), requests, urls };
}

/** A page of the platform's site whose data script has these scopes. */
export const dataPage = (scopes: object): string =>
  `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({ __DEFAULT_SCOPE__: scopes })}</script>`;

/** An embed page whose state has these entries. */
export const embedState = (entries: object): string =>
  `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify({ source: { data: entries } })}</script>`;

/** A session whose pages are what a function makes of their addresses: a text, or a status with one. */
export function sessionOf(
  answer: (url: string) => string | readonly [status: number, body: string],
): PageSession {
  const fetch = async ({ url }: { url: string }) => {
    const text = answer(url);
    const [status, body] = typeof text === 'string' ? [200, text] : text;
    return page(url, status, {}, Buffer.from(body));
  };
  return { fetch, cookie: () => null, end: () => undefined };
}
