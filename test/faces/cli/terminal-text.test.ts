import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, printableJson, printableLine } from '../../../src/faces/cli/printable.js';
import { wrapText } from '../../../src/faces/cli/terminal-text.js';
import { drawCard } from '../../../src/faces/cli/view/draw.js';
import { cellText } from '../../../src/faces/cli/view/text.js';
import { controlCharacters } from '../../support/control-characters.js';

test('escape sequences cannot reach a terminal', () => {
  const sequences = ['\u001b[2J', '\u001b]0;title\u0007', '\u009b31m', '\u0090q\u009c'];
  for (const text of [...sequences, 'a\u0008\u0008b', '\u007f', '\u0000'])
    assert.doesNotMatch(printable(text), controlCharacters, JSON.stringify(text));
  assert.equal(printable('\u001b[31mred'), '␛[31mred');
});

test('line breaks stay, in one form; tabs become blanks', () => {
  assert.equal(printable('a\r\nb\rc\nd\te'), 'a\nb\nc\nd  e');
  assert.equal(printableLine(' a \r\n\n b\nc '), 'a b c');
});

test('characters that change the direction of text are removed, letters of every script stay', () => {
  assert.equal(printable('a\u202eb\u2066c\u2069'), 'abc');
  assert.equal(printable('مرحبا שלום 漢字 ☕ 👩‍👧'), 'مرحبا שלום 漢字 ☕ 👩‍👧');
});

test('halves of characters become replacement characters', () => {
  assert.equal(printable('a\ud83db'), 'a\ufffdb');
  assert.equal(printable('👍'), '👍');
});

test('JSON keeps its meaning when its control characters are escaped', () => {
  const value = { text: 'a\u009b31m\u007f\u202e\u001b é ☕' };
  const safe = printableJson(JSON.stringify(value));
  assert.doesNotMatch(safe, controlCharacters);
  assert.deepEqual(JSON.parse(safe), value);
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

test('sentences are wrapped at the width of the terminal, and indented commands are not', async () => {
  const terminal = { isTTY: true, columns: 24, write: async () => {} };
  const command = '  extract tiktok video https://www.tiktok.com/@nasa/video/7571863205253778710';
  assert.equal(
    await wrapText(`This URL is for another endpoint.\nDid you mean:\n${command}`, terminal),
    `This URL is for another\nendpoint.\nDid you mean:\n${command}`,
  );
});
