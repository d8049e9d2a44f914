import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as convert from '../../lib/read/convert.js';

const {
  boolOrNull,
  countOrNull,
  idOrNull,
  intOrNull,
  isoFromText,
  isoFromUnix,
  numberOrNull,
  textOrEmpty,
  textOrNull,
  urlOrNull,
} = convert;

function table(convert: (value: never) => unknown, rows: readonly (readonly [unknown, unknown])[]): void {
  for (const [value, expected] of rows) {
    assert.deepEqual(convert(value as never), expected, `${typeof value} ${String(value)}`);
  }
}

describe('converters', () => {
  test('never throw, and give null for what is not theirs', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const converter of Object.values(convert)) {
          const result = (converter as (value: unknown) => unknown)(value);
          assert.ok(result === null || ['string', 'number', 'boolean'].includes(typeof result));
        }
      }),
    );
  });

  test('text', () => {
    table(textOrNull, [
      ['a', 'a'],
      ['  a b ', 'a b'],
      ['', null],
      [' \n', null],
      [0, null],
      [null, null],
      ['x\ud800y', 'x\ufffdy'],
    ]);
    table(textOrEmpty, [
      ['', ''],
      ['a', 'a'],
      [undefined, null],
      [1, null],
    ]);
  });

  test('ids keep every digit', () => {
    table(idOrNull, [
      ['7571863205253778710', '7571863205253778710'],
      [42, '42'],
      [2 ** 53, null],
      [-1, null],
      ['', null],
    ]);
  });

  test('integers', () => {
    table(intOrNull, [
      [5, 5],
      ['5', 5],
      ['-5', -5],
      [5.5, null],
      ['5.5', null],
      ['9007199254740993', null],
      ['', null],
      [true, null],
      ['1e3', null],
    ]);
    table(countOrNull, [
      [0, 0],
      ['0', 0],
      [-1, null],
      ['-1614092016', null],
    ]);
    table(numberOrNull, [
      [4.1, 4.1],
      ['4.1', 4.1],
      ['4,1', null],
      [Number.NaN, null],
      [Infinity, null],
    ]);
  });

  test('truth is not guessed', () => {
    table(boolOrNull, [
      [true, true],
      [false, false],
      [0, null],
      ['true', null],
      [null, null],
    ]);
  });

  test('times', () => {
    assert.equal(isoFromUnix('1763000000'), '2025-11-13T02:13:20.000Z');
    assert.equal(isoFromUnix(1763000000000, 'ms'), '2025-11-13T02:13:20.000Z');
    assert.equal(isoFromUnix(1763000000123456, 'us'), '2025-11-13T02:13:20.123Z');
    table(
      (value) => isoFromUnix(value),
      [
        [0, null],
        [-5, null],
        ['soon', null],
        [1763000000000, null],
      ],
    );
    table(isoFromText, [
      ['2025-11-13', '2025-11-13T00:00:00.000Z'],
      ['2025-11-13T02:13:20+01:00', '2025-11-13T01:13:20.000Z'],
      ['2025-11-13T02:13:20', null],
      ['3 weeks ago', null],
      ['2025-02-31', null],
    ]);
  });

  test('addresses', () => {
    table(
      (value) => urlOrNull(value),
      [
        ['https://a.example/x?y=1&z=2', 'https://a.example/x?y=1&z=2'],
        ['a.example/x', 'https://a.example/x'],
        ['a.example:8080/x', 'https://a.example:8080/x'],
        ['//a.example/x', 'https://a.example/x'],
        ['javascript:alert(1)', null],
        ['data:text/html,x', null],
        ['not a link', null],
        ['word', null],
        ['/path', null],
        ['me@a.example', null],
        ['https://', null],
        ['', null],
      ],
    );
    assert.equal(urlOrNull('/in/x', 'https://b.example/y'), 'https://b.example/in/x');
  });

  test('an address stays an address, however it is spelled', () => {
    const pieces = [
      'a',
      'z9',
      '.',
      '..',
      '-',
      'xn--',
      'xn--a',
      'é',
      '0x7',
      '1',
      ':',
      ':99999',
      '@',
      '%',
      '%zz',
      '[',
      '\\',
      '/',
      '?',
      '#',
      '^',
      '|',
      'example',
    ];
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
  test('an address of a million characters is read, whatever is wrong with it', () => {
    const million = 1_000_000;
    for (const part of ['a', 'a.', 'a-', 'xn-', '-.']) {
      const text = `https://${part.repeat(million / part.length)}`;
      assert.equal(urlOrNull(`${text}é!`), URL.canParse(`${text}é!`) ? `${text}é!` : null);
    }
  });
});
