import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { paceTime } from '../../src/faces/cli/batch/pace-time.js';

const rowOf = (path: string) => {
  const row = endpoints.find((one) => one.path === path);
  assert.ok(row);
  return row;
};
const local = { baseUrl: undefined, paceMs: {} };
const minutes = (path: string, calls: number) => {
  const time = paceTime(rowOf(path), local as never, calls);
  assert.ok(time);
  return { expected: time.expected / 60_000, most: time.most / 60_000 };
};

describe('the requests of a call', () => {
  test('are told by surface, and are never more than its bound', () => {
    assert.deepEqual(rowOf('pronetwork/jobs').requests(25).expected, { guest: 28 });
    assert.deepEqual(rowOf('photosocial/profile').requests(1).expected, { embed: 1, query: 1 });
    assert.deepEqual(rowOf('maps/place').requests(1).expected, { page: 1 });
    // The embed page of an account has 13 videos at most, however many are wanted.
    assert.deepEqual(rowOf('shortvideo/videos').requests(30).expected, { embed: 14, page: 13 });
    assert.deepEqual(rowOf('shortvideo/profile').requests(1).most, { page: 1, embed: 2, oembed: 1 });
    for (const { path, page, requests, site } of endpoints) {
      const { expected, most } = requests(page?.max ?? 1);
      assert.notDeepEqual(expected, {}, path);
      for (const [surface, count] of Object.entries(expected)) {
        assert.ok(surface in site.surfaces, `${path} ${surface}`);
        assert.ok(count <= (most[surface] ?? 0), `${path} ${surface}`);
      }
    }
  });

  test('are those of the routes that remain where a surface refused within the hour', () => {
    const expected = (path: string, ...refused: string[]) => rowOf(path).requests(10, refused).expected;
    assert.deepEqual(expected('shortvideo/profile'), { page: 1 });
    assert.deepEqual(expected('shortvideo/profile', 'page'), { embed: 2 });
    assert.deepEqual(expected('shortvideo/videos', 'page'), { embed: 11 });
    assert.deepEqual(expected('photosocial/profile', 'query'), { embed: 1, document: 1 });
  });

  test('make the time of a batch: the slowest surface counts, and its budget of an hour', () => {
    assert.equal(minutes('photosocial/profile', 300).expected, 15);
    assert.equal(minutes('pronetwork/jobs', 20).expected, 28);
    assert.equal(minutes('pronetwork/company', 50).expected, 50 * (8 / 60));
    assert.equal(minutes('maps/places', 30).expected, 0.5);
    // 300 pages at 60 an hour, should each profile need its page.
    assert.ok(minutes('photosocial/profile', 300).most >= 4 * 60);
    assert.equal(
      paceTime(rowOf('maps/place'), { ...local, baseUrl: 'https://example.com' } as never, 9),
      undefined,
    );
  });
});
