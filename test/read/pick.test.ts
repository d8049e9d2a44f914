import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOrNull } from '../../lib/read/convert.js';
import { pick } from '../../lib/read/json.js';

const tree = { a: [null, ''], b: { c: 'later' }, d: 'last' };

test('the first path that leads to a value that converts counts', () => {
  assert.equal(pick(tree, [['a', 0], ['a', 1], ['b', 'c'], ['d']], textOrNull), 'later');
  assert.equal(pick(tree, [['d'], ['b', 'c']], textOrNull), 'last');
});

test('no such path is null', () => {
  assert.equal(pick(tree, [['a', 5], ['x', 'y', 'z'], ['b']], textOrNull), null);
  assert.equal(pick(tree, [], textOrNull), null);
  assert.equal(pick(undefined, [['a']], textOrNull), null);
  assert.equal(pick(tree, [['__proto__'], ['constructor', 'name']], textOrNull), null);
});

test('a value that is false or 0 is a value', () => {
  assert.equal(
    pick([0, 5], [[0], [1]], (value) => (typeof value === 'number' ? value : null)),
    0,
  );
});
