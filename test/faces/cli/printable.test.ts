import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, printableJson, printableLine } from '../../../src/faces/cli/printable.js';
import { controlCharacters } from '../../support/control-characters.js';

test('escape sequences cannot reach a terminal', () => {
  const hostile = [
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\u0090q\u009c',
    'a\u0008\u0008b',
    '\u007f',
    '\u0000',
  ];
  for (const text of hostile) assert.doesNotMatch(printable(text), controlCharacters, JSON.stringify(text));
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
