import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

/** Pages of the first case of an endpoint, whose lists have lost a name. */
async function pagesWithout(row: unknown, name: string): Promise<unknown[]> {
  const endpoint = row as Endpoint;
  const one = (await casesOf(endpoint))[0];
  assert.ok(one);
  const source = routeSource(sampleFiles(endpoint.path), one.pages);
  return pagesOf(
    endpoint,
    one,
    altered(source, (text) => text.replaceAll(`"${name}"`, `"${name}_moved"`)),
  );
}

describe('a list that does not say whether or where it continues', () => {
  for (const row of [posts, hashtag] as const) {
    for (const name of ['page_info', 'has_next_page', 'end_cursor']) {
      test(`${row.path} without ${name} has no last page`, async () => {
        await assert.rejects(pagesWithout(row, name), { code: 'platform_changed' });
      });
    }
  }

  test('photosocial/comments: what follows the first ones is asked for from the beginning', async () => {
    const whole = await pagesWithout(comments, 'no such name');
    for (const name of ['has_next_page', 'page_info']) {
      await assert.rejects(pagesWithout(comments, name), { type: 'platform' });
    }
    assert.ok(whole.length > 1);
  });
});
