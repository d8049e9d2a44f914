import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { extract } from '../../support/cli.js';

describe('the routes of an endpoint', () => {
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
    assert.match(none.err, /Unknown endpoint .*tiktok\/videos|shortvideo\/videos/);
  });
});
