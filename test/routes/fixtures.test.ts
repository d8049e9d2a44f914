import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Question, readEndpoint } from '../../lib/call/read-endpoint.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { ReadResult } from '../../lib/routes/reading.js';
import type { Known } from '../../lib/routes/rung.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, casesOf, identityOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { pagesOf } from '../support/cases.js';

type Facts = Endpoint['routes'][number];
type Reader = { read: (context: unknown) => Promise<unknown>; readonly missing?: string };

/** What each route gave over all cases: `answered`, or the code of an error. Two that read alike are as one. */
const outcomes = new Map<Facts, Set<string>>();
const byReading = new Map<Reader['read'], Set<string>>();

for (const route of new Set(endpoints.flatMap(({ routes }) => routes))) {
  const reader = route as unknown as Reader;
  const seen = byReading.get(reader.read) ?? new Set();
  byReading.set(reader.read, seen);
  outcomes.set(route, seen);
  const read = reader.read.bind(reader);
  reader.read = async (context) => {
    try {
      const answer = await read(context);
      seen.add('answered');
      return answer;
    } catch (error) {
      if (error instanceof ExtractError && !/no saved page/.test(error.message)) seen.add(error.code);
      throw error;
    }
  };
}

/** Asks each route by itself, as the walk of a case ends with the first one that answers. */
async function askAlone(endpoint: Endpoint, one: Case): Promise<void> {
  const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
  const identity = identityOf(endpoint, one);
  let known: Known | null = null;
  for (const { name } of [...endpoint.routes, ...endpoint.routes]) {
    const session = routeSource(sampleFiles(endpoint.path), one.pages).open(endpoint.site);
    const question: Question = { identity, limit, position: null, session, alone: { route: name, known } };
    const reading: ReadResult<unknown> | null = await readEndpoint(endpoint, question).catch(() => null);
    const item = (reading?.data as readonly object[] | null | undefined)?.[0];
    const source = reading?.sources?.[0];
    if (item !== undefined && source !== undefined) known ??= { item, source, next: reading?.next ?? null };
  }
}

for (const endpoint of endpoints) {
  for (const one of await casesOf(endpoint)) {
    await pagesOf(endpoint, one).catch(() => undefined);
    await askAlone(endpoint, one);
  }
}

const refusals: ReadonlySet<string> = new Set([
  'platform_blocked',
  'platform_login_required',
  'platform_rate_limited',
  'platform_restricted',
  'platform_unavailable',
]);

for (const endpoint of endpoints) {
  describe(`the routes of ${endpoint.path}`, () => {
    test('have names of their own, and a role each', () => {
      const names = endpoint.routes.map(({ name }) => name);
      assert.deepEqual(names, [...new Set(names)]);
      assert.deepEqual(Object.keys(endpoint.roles).toSorted(), names.toSorted());
    });

    for (const route of endpoint.routes) {
      // What a browser alone is given stands in test/web/browser.
      if (endpoint.roles[route.name] === 'browser') continue;
      const seen = outcomes.get(route) ?? new Set();

      test(`${route.name}: has a fixture of its answer, and of a refusal`, () => {
        assert.ok(seen.has('answered'), 'no case in which it answers');
        const isRefused = [...seen].some((outcome) => refusals.has(outcome));
        assert.ok(isRefused, `no case in which it is refused, beside ${[...seen].join(', ')}`);
      });

      if ((route as unknown as Reader).missing !== 'witness') continue;
      test(`${route.name}: has a fixture of “not found”, which it witnesses`, () => {
        assert.ok([...seen].some((outcome) => outcome.endsWith('_not_found')));
      });
    }
  });
}

/** Addresses of pages of which no real capture is in hand (2026-11). */
const unseen =
  /embed\/tag\/|api\/seo\/kap\/|jobs-guest\/api\/typeaheadHits|organization-guest\/api\/feedUpdates/;

describe('the fixtures', () => {
  test('say of a page that no capture shows what it is written from', async () => {
    const silent: string[] = [];
    for (const endpoint of endpoints) {
      for (const { name, pages } of await casesOf(endpoint)) {
        for (const page of pages) {
          const address = page.url ?? page.pattern ?? '';
          if (unseen.test(address) && page.unseen === undefined) silent.push(`${endpoint.path}: ${name}`);
        }
      }
    }
    assert.deepEqual(silent, []);
  });
});
