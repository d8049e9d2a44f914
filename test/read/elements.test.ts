import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elements } from '../../lib/read/html.js';

test('a page as a tree: classes, attributes in any order, entities', async () => {
  const select = await elements('<div id=a class="x Picture y"><img src="a?b=1&amp;c=2" alt></div><p>broken');
  assert.equal(select('.Picture img').attr('src'), 'a?b=1&c=2');
  assert.equal(select('p').text(), 'broken');
  assert.equal(select('.none').attr('src'), undefined);
});
