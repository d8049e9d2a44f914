import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Of } from '../../../lib/platforms/photosocial/page-data.js';
import { page } from '../../../lib/web/page.js';

const url = 'https://pages.example/';

test('a body in UTF-8 is its own bytes, not a copy', () => {
  const body = Buffer.from('héllo');
  for (const type of [{}, { 'content-type': 'text/html; charset=UTF-8' }, { 'content-type': 'text/html' }]) {
    const bytes = utf8Of(page(url, 200, type, body));
    assert.equal(bytes.toString('utf8'), 'héllo');
    assert.equal(bytes.buffer, body.buffer);
  }
});

test('a body in another charset is re-encoded', () => {
  const body = Buffer.from('héllo', 'latin1');
  const bytes = utf8Of(page(url, 200, { 'content-type': 'text/html; charset=iso-8859-1' }, body));
  assert.equal(bytes.toString('utf8'), 'héllo');
});
