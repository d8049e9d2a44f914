import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration } from '../../src/output/duration.js';

test('durations are formatted as people say them', () => {
  const texts: [number, string][] = [
    [0, '0 s'],
    [99, '99 s'],
    [150, '3 min'],
    [4000, '67 min'],
    [3600 * 2, '2 h'],
    [3600 * 2 + 60 * 7, '2 h 7 min'],
    [3600 * 24, '24 h'],
    [3600 * 49, '2 days 1 h'],
    [3600 * 168 - 3, '7 days'],
    [3600 * 24 * 30 + 3600 * 5, '30 days'],
  ];
  for (const [seconds, text] of texts) assert.equal(duration(seconds), text);
});
