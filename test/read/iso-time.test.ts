import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isoTime } from '../../lib/read/iso-time.js';

const day = 86_400_000;

describe('a moment in ISO 8601', () => {
  test('is the one that Date writes, on every day of two centuries', () => {
    for (let at = 0; at < Date.UTC(2170, 0, 1); at += day)
      assert.equal(isoTime(at), new Date(at).toISOString());
  });

  test('is the one that Date writes, at any moment until the year 9999', () => {
    const moments = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
    fc.assert(
      fc.property(moments, (at) => isoTime(at) === new Date(at).toISOString()),
      { numRuns: 2000 },
    );
  });

  test('knows the days that few years have, and the ends of days', () => {
    for (const text of [
      '1970-01-01T00:00:00.000Z',
      '1999-12-31T23:59:59.999Z',
      '2000-02-29T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
      '2100-02-28T12:00:00.001Z',
      '2100-03-01T00:00:00.010Z',
      '2400-02-29T09:08:07.006Z',
      '9999-12-31T23:59:59.999Z',
    ]) {
      assert.equal(isoTime(Date.parse(text)), text);
    }
  });
});
