import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestPaths, nearestWords, suggestBefore, suggestion } from '../../lib/runtime/nearest-words.js';

const fruits = ['apple', 'maple', 'pear', 'plum'];

test('the nearest words, all of them where several are as near', () => {
  assert.deepEqual(nearestWords('aepel', fruits), []);
  assert.deepEqual(nearestWords('appel', fruits), ['apple']);
  assert.deepEqual(nearestWords('aple', fruits), ['apple', 'maple']);
  assert.deepEqual(nearestWords('PAER', ['pear', 'pa']), ['pear']);
  assert.deepEqual(nearestWords('Plumm', fruits), ['plum']);
  assert.deepEqual(nearestWords('rate_limit', ['rate_limited', 'invalid_url']), ['rate_limited']);
});

test('nothing where nothing is near, and nothing for hostile lengths', () => {
  assert.deepEqual(nearestWords('quince', fruits), []);
  assert.deepEqual(nearestWords('', fruits), []);
  assert.deepEqual(nearestWords('p'.repeat(1_000_000), fruits), []);
  assert.deepEqual(nearestWords('x', []), []);
  assert.deepEqual(nearestWords('plumm', ['plum', 'plum']), ['plum']);
});

test('a suggestion is a sentence, or nothing', () => {
  assert.equal(suggestion([]), '');
  assert.equal(suggestion(['a']), 'Did you mean a?');
  assert.equal(suggestion(['a', 'b', 'c']), 'Did you mean a, b or c?');
  assert.equal(suggestBefore('aple', ['apple'], 'All: apple.'), 'Did you mean apple? All: apple.');
  assert.equal(suggestBefore('zz', ['apple'], 'All: apple.'), 'All: apple.');
});

test('a path is near by its letters, or by its name under another platform', () => {
  const paths = ['maps/place', 'sea/profile', 'sky/profile'];
  assert.deepEqual(nearestPaths('maps/plce', paths), ['maps/place']);
  assert.deepEqual(nearestPaths('profil', paths), ['sea/profile', 'sky/profile']);
  assert.deepEqual(nearestPaths('land/profile', paths).length > 0, true);
  assert.deepEqual(nearestPaths('nothing', paths), []);
});
