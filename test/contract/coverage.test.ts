import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { coverageOf, joinCoverage } from '../../lib/call/coverage.js';
import { envelope } from '../../lib/call/envelope.js';
import { coverage as coverageSchema } from '../../lib/coverage-schema.js';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf, sampleParamsOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { aCoverage } from '../support/coverage.js';
import { readRoutes } from '../support/read-routes.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const extractor = createExtractor({ home: temporaryFolder() });
after(() => extractor.close());

const keys = ['given', 'total', 'ended', 'ignored', 'rounded', 'routes'];
const sourceKeys = ['id', 'url', 'author', 'position', 'fetched_at', 'route'];

describe('coverage is included with sources only', () => {
  for (const endpoint of endpoints) {
    test(endpoint.path, async () => {
      const params = { ...(await sampleParamsOf(endpoint)), demo: true };
      const plain = envelope(await extractor.answer(endpoint, params));
      assert.deepEqual(Object.keys(plain), ['data', 'meta']);

      let count = 0;
      for (let cursor: string | null | undefined, pages = 0; cursor !== null && pages < 3; pages += 1) {
        const query = { ...params, sources: true, ...(cursor === undefined ? {} : { cursor }) };
        const page = envelope<unknown>(await extractor.answer(endpoint, query));
        assert.deepEqual(Object.keys(page), ['data', 'meta', 'sources', 'coverage']);
        const { data, meta, sources = [], coverage } = page;
        assert.ok(coverage);
        assert.deepEqual(Object.keys(coverage), keys);
        assert.deepEqual(coverageSchema.parse(coverage), coverage);
        count += endpoint.many ? (data as unknown[]).length : 1;
        assert.equal(coverage.given, count);
        assert.equal(coverage.ended === 'more', meta.next_cursor !== null);
        const asks = coverage.routes
          .filter(({ outcome }) => outcome === 'answered')
          .map(({ route }) => route);
        for (const source of sources) {
          assert.deepEqual(Object.keys(source), sourceKeys);
          assert.ok(asks.includes(source.route ?? ''), `${source.route} of ${asks.join(', ')}`);
        }
        cursor = meta.next_cursor;
      }
    });

    test(`${endpoint.path}, on every page of the fixtures`, async () => {
      for (const one of await casesOf(endpoint)) {
        if (one.error !== undefined) continue;
        const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
        const pages = routeSource(sampleFiles(endpoint.path), one.pages);
        const { coverage, next } = await readRoutes(endpoint, one.params, pages, { limit });
        assert.ok(coverage);
        assert.doesNotThrow(() => coverageSchema.parse({ given: 0, ...coverage }), one.name);
        assert.equal(coverage.ended === 'more', next !== null, one.name);
        assert.equal(
          new Set(coverage.routes.map((tried) => JSON.stringify(tried))).size,
          coverage.routes.length,
        );
        assert.ok(coverage.routes.length > 0, one.name);
        for (const name of coverage.ignored) assert.ok(name in endpoint.params, `${one.name}: ${name}`);
      }
    });
  }
});

describe('the coverage', () => {
  test('of an object is complete', () => {
    const extent = { total: 7, ended: 'unknown', ignored: [], rounded: ['likes'] } as const;
    assert.deepEqual(coverageOf(extent, false, []), {
      ...{ total: null, ended: 'end', ignored: [], rounded: ['likes'], routes: [] },
    });
  });

  test('of several pages ends like the last one, and combines all of them', () => {
    const answered = { route: 'page', outcome: 'answered' } as const;
    const refused = { route: 'embed', outcome: 'platform_blocked' } as const;
    const first = aCoverage({ given: 3, total: 9, ended: 'more', ignored: ['sort'], routes: [answered] });
    const second = aCoverage({ given: 5, ended: 'visitors', ignored: ['sort'], routes: [refused, answered] });
    assert.deepEqual(joinCoverage([first, second]), {
      ...{ given: 5, total: 9, ended: 'visitors', ignored: ['sort'], rounded: [] },
      routes: [answered, refused],
    });
    assert.equal(joinCoverage([first]), first);
    assert.equal(joinCoverage([]), undefined);
  });
});
