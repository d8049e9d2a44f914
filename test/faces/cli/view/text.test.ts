import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawCard } from '../../../../src/faces/cli/view/draw.js';
import { cellText } from '../../../../src/faces/cli/view/text.js';

test('a cell is one line without control characters', () => {
  assert.equal(cellText('a\n\n  b'), 'a b');
  assert.equal(cellText('\u001b[2Jx'), '␛[2Jx');
  assert.equal(cellText({ text: '\u001b\nx' }), '␛ x');
  assert.equal(cellText([]), '–');
});

test('a long address is one line, shortened in its middle, and links to the whole', () => {
  const url = `https://cdn.example/${'a'.repeat(90)}.jpeg?sign=1`;
  for (const width of [40, 60, 80]) {
    const plain = drawCard({ avatar_url: url, likes: 5 }, { color: false, width });
    assert.match(plain, /^avatar_url {2}https:\/\/cdn\.ex\S*…\S*\?sign=1\nlikes {7}5\n$/);
    assert.ok(plain.split('\n').every((line) => line.length <= width));
    assert.ok(drawCard({ avatar_url: url }, { color: true, width }).includes(`\u001b]8;;${url}\u0007`));
  }
});
