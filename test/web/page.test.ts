import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../../lib/web/page.js';

const textOf = (contentType: string | null, body: Buffer) =>
  page(
    'https://pages.example/',
    200,
    contentType === null ? {} : { 'content-type': contentType },
    body,
  ).text();

test('a text is decoded by the charset of the answer', () => {
  const text = 'Café Größe';
  assert.equal(textOf('text/html; charset=iso-8859-1', Buffer.from(text, 'latin1')), text);
  assert.equal(textOf('text/html; charset="utf-16le"', Buffer.from(text, 'utf16le')), text);
  for (const type of [null, 'text/html', 'text/html; charset=UTF-8', 'text/html; charset=nonsense'])
    assert.equal(textOf(type, Buffer.from(text)), text);
});

test('UTF-8 under the name of a single-byte charset is decoded as UTF-8', () => {
  for (const name of ['iso-8859-1', 'ISO8859-15', 'windows-1252', 'latin1', 'us-ascii'])
    assert.equal(textOf(`application/json; charset=${name}`, Buffer.from('Café 喫茶')), 'Café 喫茶');
});
