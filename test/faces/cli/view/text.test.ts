import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawCard } from '../../../../src/faces/cli/view/draw.js';
import { cellText, listText, scalarText } from '../../../../src/faces/cli/view/text.js';

test('values as people read them', () => {
  assert.equal(scalarText(null), '–');
  assert.equal(scalarText(true), 'yes');
  assert.equal(scalarText(false), 'no');
  assert.equal(scalarText(0), '0');
  assert.equal(scalarText('0'), '0');
});

test('large numbers are grouped; years, coordinates and ids are not', () => {
  assert.equal(scalarText(783427), '783,427');
  assert.equal(scalarText(-2680875280), '-2,680,875,280');
  assert.equal(scalarText(1975), '1975');
  assert.equal(scalarText(10000.5), '10000.5');
  assert.equal(scalarText('7571863205253778710'), '7571863205253778710');
});

test('times are told to the minute', () => {
  assert.equal(scalarText('2026-11-05T14:30:59.123Z'), '2026-11-05 14:30Z');
  assert.equal(scalarText('2026-11-05'), '2026-11-05');
  assert.equal(scalarText('on 2026-11-05T14:30:59Z'), 'on 2026-11-05T14:30:59Z');
});

test('lists: their words, or how many objects', () => {
  assert.equal(listText([]), 'none');
  assert.equal(listText(['a', 'b\nc']), 'a, b c');
  assert.equal(listText([{ a: 1 }]), '1 item');
  assert.equal(listText([{ a: 1 }, { a: 2 }]), '2 items');
});

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
