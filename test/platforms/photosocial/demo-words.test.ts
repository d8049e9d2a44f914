import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExtractor } from '../../../lib/extractor.js';

test('a demo of words with a blank has hashtags of one word each', async () => {
  const extractor = createExtractor({});
  const { data } = await extractor.getPhotosocialHashtag({ tag: 'Two  words', demo: true });
  await extractor.close();
  assert.ok(data.length > 1);
  const [first] = data;
  assert.match(first?.caption ?? '', /#twowords/);
  assert.ok(first?.hashtags?.includes('twowords'));
  assert.ok(data.every(({ hashtags }) => hashtags?.every((tag) => !/\s/.test(tag))));
});
