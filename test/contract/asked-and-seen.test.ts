import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf } from '../../lib/samples.js';
import { page } from '../../lib/web/page.js';
import type { Page, PageRequest, PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { otherSubjects } from '../support/other-subjects.js';
import { readRoutes } from '../support/read-routes.js';

/**
 * No value of an answer comes from the request. Each endpoint is called with a subject and filters that contradict its
 * sample's pages: the items must match the pages, or there is no answer.
 */

type Params = Readonly<Record<string, unknown>>;

/** Filters next to the subject, by endpoint; other endpoints have none. */
const filters: Readonly<Record<string, Params>> = {
  'maps/places': { lat: 47.07, lng: 15.44, radius_m: 50_000, country: 'NZ', language: 'mi' },
  'maps/place': { language: 'mi' },
  'maps/reviews': { sort: 'lowest' },
  'pronetwork/jobs': { location: 'Zimbleville, Quarv', workplace_type: 'on-site', posted_within_days: 1 },
};

/** Returns the items of the first page of an answer. */
const itemsOf = async (endpoint: Endpoint, params: Params, source: PageSource): Promise<unknown[]> =>
  [(await readRoutes<unknown>(endpoint, params, source)).data].flat();

const missing = (url: string) => page(url, 404, {}, Buffer.from('<html></html>'));

interface Exchange {
  readonly request: PageRequest;
  readonly page: Page;
}

function sourceOf(answer: (request: PageRequest) => Promise<Page> | Page): PageSource {
  return {
    open: () => ({
      fetch: async (request) => answer(request),
      cookie: () => null,
      end: (error) => error,
    }),
    close: async () => undefined,
  };
}

/** The source of a sample, and its requests in order. */
async function recorded(endpoint: Endpoint) {
  const [sample] = await casesOf(endpoint);
  assert.ok(sample);
  const session = routeSource(sampleFiles(endpoint.path), sample.pages).open(endpoint.site);
  const exchanges: Exchange[] = [];
  const source = sourceOf(async (request) => {
    const answer = await session.fetch(request);
    exchanges.push({ request, page: answer });
    return answer;
  });
  return { params: sample.params as Params, source, exchanges };
}

const placeOf = ({ url, method = 'GET' }: PageRequest) => `${method} ${url.split('?')[0]}`;

/** Returns the same pages for every request: the next one with that path, or simply the next. */
function replayed(exchanges: readonly Exchange[], byPath: boolean): PageSource {
  const rest = [...exchanges];
  return sourceOf((request) => {
    const at = byPath ? rest.findIndex((one) => placeOf(one.request) === placeOf(request)) : 0;
    const [next] = at < 0 ? [] : rest.splice(at, 1);
    if (next === undefined) return missing(request.url);
    const { status, headers, body, url } = next.page;
    return page(url === next.request.url ? request.url : url, status, headers, Buffer.from(body));
  });
}

const isPlatforms = (error: unknown) =>
  error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');

/** Parameters that say how an answer is fetched. */
const common: ReadonlySet<string> = new Set(['limit', 'cursor', 'fresh', 'demo', 'sources']);

for (const { path, params, exactlyOne } of endpoints) {
  test(`${path} is tested with another subject and every filter`, () => {
    const endpointPaths = new Set([
      ...(exactlyOne ?? []),
      ...Object.keys(otherSubjects[path] ?? {}),
      ...Object.keys(filters[path] ?? {}),
    ]);
    assert.deepEqual(
      [...endpointPaths].sort(),
      Object.keys(params)
        .filter((name) => !common.has(name))
        .sort(),
    );
  });
}

for (const endpoint of endpoints) {
  const filter = filters[endpoint.path];
  if (filter !== undefined) {
    test(`${endpoint.path} does not repeat a filter as a value`, async () => {
      const { params, source, exchanges } = await recorded(endpoint);
      const plain = (await itemsOf(endpoint, params, source)).map((item) => JSON.stringify(item));
      const filtered = await itemsOf(endpoint, { ...params, ...filter }, replayed(exchanges, true));
      assert.ok(filtered.length > 0);
      for (const item of filtered) assert.ok(plain.includes(JSON.stringify(item)), JSON.stringify(item));
    });
  }

  test(`${endpoint.path} does not take a name from the request`, async () => {
    const { params, source, exchanges } = await recorded(endpoint);
    await itemsOf(endpoint, params, source);
    const [other] = Object.values(otherSubjects[endpoint.path] as Params);
    const name = String(other).split('/').at(-1) as string;
    for (const byPath of [true, false]) {
      try {
        const other = otherSubjects[endpoint.path] as Params;
        const items = await itemsOf(endpoint, other, replayed(exchanges, byPath));
        assert.ok(!JSON.stringify(items).toLowerCase().includes(name.toLowerCase()), JSON.stringify(items));
      } catch (error) {
        if (!isPlatforms(error)) throw error;
      }
    }
  });
}
