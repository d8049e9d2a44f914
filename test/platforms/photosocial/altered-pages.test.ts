import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import type { PhotosocialComment } from '../../../lib/platforms/photosocial/objects.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';
import { readRoutes } from '../../support/read-routes.js';

/** The pages of a case, by default the first, after a change of their text. */
async function caseWith(row: unknown, change: (text: string) => string, name?: string) {
  const endpoint = row as Endpoint;
  const one = (await casesOf(endpoint)).find((each) => name === undefined || each.name === name);
  assert.ok(one);
  const pages = altered(routeSource(sampleFiles(endpoint.path), one.pages), change);
  return { endpoint, one, pages, params: one.params };
}

describe('a comment without text', () => {
  /** The text of a comment in any shape of its page, and captions, which an answer does not contain. */
  const texts = /("text":\s*)(?:"(?:[^"\\]|\\.)*"|null)/g;
  async function read(name: string, text: string) {
    const change = (page: string) => page.replaceAll(texts, (_, before: string) => before + text);
    const { endpoint, one, pages } = await caseWith(comments, change, name);
    const [first] = await pagesOf(endpoint, one, pages, 1);
    return (first as readonly PhotosocialComment[]).map((comment) => comment.text);
  }

  for (const name of [
    'rich: two pages',
    'page without its comments: the document has them',
    'shape of 2021: threads with their replies',
    'shape of 2024: a flat list',
    'shape of the app: ids that have lost digits',
  ]) {
    test(`is a picture or a sticker, and its text is null: ${name}`, async () => {
      for (const none of ['null', '""', '" \\n\\u00a0"'])
        assert.deepEqual([...new Set(await read(name, none))], [null], none);
      assert.deepEqual([...new Set(await read(name, '"Lovely"'))], ['Lovely']);
    });
  }
});

describe('a list that does not say whether or where it continues', () => {
  const without = (row: unknown, name: string) =>
    caseWith(row, (text) => text.replaceAll(`"${name}"`, `"${name}_moved"`));

  for (const row of [posts, hashtag] as const) {
    for (const name of ['page_info', 'has_next_page', 'end_cursor']) {
      test(`ends, and is not called complete: ${row.path} without ${name}`, async () => {
        const { endpoint, pages, params } = await without(row, name);
        const { next, ended } = await readRoutes(endpoint, params, pages, { limit: 24 });
        assert.notEqual(ended, 'end');
        // A cursor alone leads to the next part.
        if (name !== 'has_next_page') assert.equal(next, null);
      });
    }
  }

  test('is requested from the beginning after the first comments', async () => {
    const read = async (name: string) => {
      const { endpoint, one, pages } = await without(comments, name);
      return pagesOf(endpoint, one, pages);
    };
    await assert.rejects(read('page_info'), { type: 'platform' });
    assert.deepEqual(await read('has_next_page'), await read('no such name'));
  });
});
