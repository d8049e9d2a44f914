import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as convert from '../../lib/read/convert.js';

const { isoFromText, isoFromUnix, urlOrNull } = convert;

describe('converters', () => {
  test('never throw, and return null for other values', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const converter of Object.values(convert)) {
          const result = (converter as (value: unknown) => unknown)(value);
          assert.ok(result === null || ['string', 'number', 'boolean'].includes(typeof result));
        }
      }),
    );
  });

  const { textOrNull, textOrEmpty, idOrNull, intOrNull, countOrNull, numberOrNull, boolOrNull } = convert;
  for (const [name, converter, taken, none] of [
    ['text', textOrNull, { a: 'a', '  a b ': 'a b', 'x\ud800y': 'x\ufffdy' }, ['', ' \n', 0, null]],
    ['text that may be empty', textOrEmpty, { '': '', a: 'a' }, [undefined, 1]],
    [
      'an id, with every digit',
      idOrNull,
      { '7571863205253778710': '7571863205253778710' },
      [2 ** 53, -1, ''],
    ],
    ['an integer', intOrNull, { 5: 5, '-5': -5 }, [5.5, '5.5', '9007199254740993', '', true, '1e3']],
    ['a count', countOrNull, { 0: 0 }, [-1, '-1614092016']],
    ['a number', numberOrNull, { 4.1: 4.1 }, ['4,1', Number.NaN, Infinity]],
    ['a truth', boolOrNull, {}, [0, 'true', null]],
  ] as const) {
    test(`${name} is read from a text, and other values are null`, () => {
      for (const [text, value] of Object.entries(taken)) assert.equal(converter(text), value, text);
      for (const value of none) assert.equal(converter(value as never), null, String(value));
    });
  }

  test('accept numbers and booleans', () => {
    assert.deepEqual([idOrNull(42), intOrNull(5), countOrNull(0), numberOrNull(4.1)], ['42', 5, 0, 4.1]);
    assert.deepEqual([boolOrNull(true), boolOrNull(false)], [true, false]);
  });

  test('read times', () => {
    assert.equal(isoFromUnix('1763000000'), '2025-11-13T02:13:20.000Z');
    assert.equal(isoFromUnix(1763000000000, 'ms'), '2025-11-13T02:13:20.000Z');
    assert.equal(isoFromUnix(1763000000123456, 'us'), '2025-11-13T02:13:20.123Z');
    for (const value of [0, -5, 'soon', 1763000000000]) assert.equal(isoFromUnix(value), null);
    assert.equal(isoFromText('2025-11-13'), '2025-11-13T00:00:00.000Z');
    assert.equal(isoFromText('2025-11-13T02:13:20+01:00'), '2025-11-13T01:13:20.000Z');
    for (const text of ['2025-11-13T02:13:20', '3 weeks ago', '2025-02-31'])
      assert.equal(isoFromText(text), null, text);
  });

  test('read URLs', () => {
    const url = 'https://a.example/x?y=1&z=2';
    for (const [text, expected] of [
      [url, url],
      ['a.example/x', 'https://a.example/x'],
      ['a.example:8080/x', 'https://a.example:8080/x'],
      ['//a.example/x', 'https://a.example/x'],
    ])
      assert.equal(urlOrNull(text), expected);
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'not a link', 'word', '/path'])
      assert.equal(urlOrNull(text), null, text);
    for (const text of ['me@a.example', 'https://', '']) assert.equal(urlOrNull(text), null, text);
    assert.equal(urlOrNull('/in/x', 'https://b.example/y'), 'https://b.example/in/x');
  });

  test('accept every valid URL unchanged', () => {
    const pieces = 'a z9 . .. - xn-- xn--a é 0x7 1 : :99999 @ % %zz [ \\ / ? # ^ | example'.split(' ');
    const spelling = fc
      .array(fc.constantFrom(...pieces), { maxLength: 8 })
      .map((parts) => `https://${parts.join('')}`);
    fc.assert(
      fc.property(spelling, (text) => {
        const url = urlOrNull(text);
        assert.equal(url, URL.canParse(text) ? text : null);
      }),
      { numRuns: 5000 },
    );
  });

  // A pattern that tries every way to take a host apart would not come back from here.
  test('read a URL of a million characters', () => {
    const million = 1_000_000;
    for (const part of ['a', 'a.', 'a-', 'xn-', '-.']) {
      const text = `https://${part.repeat(million / part.length)}`;
      assert.equal(urlOrNull(`${text}é!`), URL.canParse(`${text}é!`) ? `${text}é!` : null);
    }
  });
});
