import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import type { PhotosocialComment } from '../../../lib/platforms/photosocial/objects.js';
import { sampleFiles } from '../../../lib/sample-files.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import { pagesOf } from '../../support/cases.js';
import { altered } from '../../support/knockout.js';

const endpoint = comments as Endpoint;
/** The text of a comment, in whatever shape its page has; and captions, of which an answer has none. */
const texts = /("text":\s*)(?:"(?:[^"\\]|\\.)*"|null)/g;
/** A case of each shape. */
const shapes = [
  'rich: two pages',
  'page without its comments: the document has them',
  'shape of 2021: threads with their replies',
  'shape of 2024: a flat list',
  'shape of the app: ids that have lost digits',
];

/** The first page of a case whose comments all say `text`. */
async function read(name: string, text: string): Promise<readonly PhotosocialComment[]> {
  const one = (await casesOf(endpoint)).find((each) => each.name === name);
  assert.ok(one, name);
  const source = altered(routeSource(sampleFiles(endpoint.path), one.pages), (page) =>
    page.replaceAll(texts, (_, before: string) => before + text),
  );
  const [page] = await pagesOf(endpoint, one, source, 1);
  return page as readonly PhotosocialComment[];
}

describe('a comment without text', () => {
  for (const name of shapes) {
    test(`${name}: a picture or a sticker has a text that is null`, async () => {
      for (const none of ['null', '""', '" \\n\\u00a0"']) {
        const items = await read(name, none);
        assert.ok(items.length > 0);
        for (const { text } of items) assert.equal(text, null, none);
      }
      for (const { text } of await read(name, '"Lovely"')) assert.equal(text, 'Lovely');
    });
  }
});
