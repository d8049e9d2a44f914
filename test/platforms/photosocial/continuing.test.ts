import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf, identityOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf, stoppedClock } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

/** The first case of an endpoint, with pages whose lists have lost a name. */
async function caseWithout(row: unknown, name: string) {
  const endpoint = row as Endpoint;
  const one = (await casesOf(endpoint))[0];
  assert.ok(one);
  const source = routeSource(sampleFiles(endpoint.path), one.pages);
  const pages = altered(source, (text) => text.replaceAll(`"${name}"`, `"${name}_moved"`));
  return { endpoint, one, pages };
}

async function pagesWithout(row: unknown, name: string): Promise<unknown[]> {
  const { endpoint, one, pages } = await caseWithout(row, name);
  return pagesOf(endpoint, one, pages);
}

async function firstWithout(row: unknown, name: string) {
  const { endpoint, one, pages } = await caseWithout(row, name);
  const question = { endpoint, identity: identityOf(endpoint, one), position: firstPosition, limit: 24 };
  return (await fetchAnswer(question, pages, stoppedClock)).answer;
}

describe('a list that does not say whether or where it continues', () => {
  for (const row of [posts, hashtag] as const) {
    for (const name of ['page_info', 'has_next_page', 'end_cursor']) {
      test(`${row.path} without ${name} ends, and does not say that this is the end`, async () => {
        const { next, coverage } = await firstWithout(row, name);
        assert.notEqual(coverage?.ended, 'end');
        // A cursor alone leads on.
        if (name !== 'has_next_page') assert.equal(next, null);
      });
    }
  }

  test('photosocial/comments: what follows the first ones is asked for from the beginning', async () => {
    await assert.rejects(pagesWithout(comments, 'page_info'), { type: 'platform' });
    // A cursor alone leads on.
    const full = await pagesWithout(comments, 'no such name');
    assert.deepEqual(await pagesWithout(comments, 'has_next_page'), full);
  });
});
