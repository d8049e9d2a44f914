import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { routeLines } from '../../../src/faces/cli/route-lines.js';
import { routeRows, routesMarkdown } from '../../../src/output/route-rows.js';
import { extract } from '../../support/cli.js';

const linesAt = (path: string, columns: number) => {
  const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail();
  const stdout = { isTTY: true, columns, write: async () => undefined };
  return routeLines(routeRows(endpoint), stdout, false);
};

describe('the routes of an endpoint', () => {
  test('fit the terminal, and name each field where it belongs', async () => {
    for (const { path } of endpoints) {
      for (const columns of [80, 120]) {
        const lines = (await linesAt(path, columns)).split('\n');
        assert.deepEqual(
          lines.filter((line) => line.length > columns),
          [],
        );
      }
    }
    assert.match(
      await linesAt('shortvideo/profile', 200),
      /^page +answers, last seen 2026-09 from datacentre\n +The profile page.*\n {2}in full {3}all\nembed +answers.*\n.*\n {2}in full {3}all others\n {2}in part {3}rounded: follower_count, likes_count, video_count\n {2}never {5}bio_url\noembed +witness/,
    );
  });

  test('stand in the documentation as a table', () => {
    const endpoint = endpoints.find(({ path }) => path === 'maps/place') ?? assert.fail();
    const table = routesMarkdown(endpoint);
    assert.match(table, /^\| `place-data` \| answers \| .* \| all \| {2}\| {2}\| 2026-07 \| {2}\|$/m);
    assert.match(table, /\| `rating`, `user_ratings_total`, `rating_distribution` \| {2}\| all others \|/);
  });

  test('are what `extract endpoints` answers for one of them, by any name of its platform', async () => {
    const { out } = await extract(['endpoints', 'tiktok/videos', '--json'], { endpoints });
    const { data } = JSON.parse(out) as { data: Record<string, unknown>[] };
    assert.deepEqual(
      data.map(({ route, role }) => `${route} ${role}`),
      [
        'embed answers',
        'page answers',
        'embed-video item',
        'page-video item',
        'oembed witness',
        'browser browser',
      ],
    );
    const none = await extract(['endpoints', 'tiktok/vidios', '--json'], { endpoints });
    assert.equal(none.status, 2);
    assert.match(none.err, /no endpoint .*tiktok\/vidios.*tiktok\/videos|shortvideo\/videos/);
  });
});
