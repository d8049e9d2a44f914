import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { argv, assertExit, extract } from '../../support/cli.js';

describe('the routes of an endpoint', () => {
  test('are what `extract endpoints` answers for one of them, by any name of its platform', async () => {
    const { out } = await extract(argv`endpoints tiktok/videos --json`, { endpoints });
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
    const none = await extract(argv`endpoints tiktok/vidios --json`, { endpoints });
    assertExit(none, 2, /Unknown endpoint .*tiktok\/videos|shortvideo\/videos/);
  });
});
