import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { at, between, listAt, parseJson, scriptById, scriptBytesById } from '../../lib/read/json.js';
import { requireValue } from '../../lib/read/refusal.js';

describe('walking JSON', () => {
  test('a path leads to its value or to undefined', () => {
    const tree = { a: [{ b: 1 }, { b: 2 }], 'x.y': null };
    assert.equal(at(tree, 'a', 0, 'b'), 1);
    assert.equal(at(tree, 'a', -1, 'b'), 2);
    assert.equal(at(tree, 'x.y'), null);
    for (const path of [
      ['a', 'length'],
      ['a', 9, 'b'],
      ['x.y', 'z'],
      ['a', 0, 'b', 'c'],
      ['toString'],
      ['__proto__', 'polluted'],
    ]) {
      assert.equal(at(tree, ...path), undefined, path.join());
    }
    assert.equal(at(undefined, 'a'), undefined);
  });

  test('deep nesting is refused before it is parsed, without counting brackets in texts', () => {
    const long = '"]'.repeat(10_000);
    for (const open of ['[', '{"a":', `["[{",`]) {
      assert.throws(() => parseJson(open.repeat(20_000), 'The block'), /nests deeper than 500 lists/);
    }
    assert.deepEqual(parseJson(JSON.stringify(['[{\\"'.repeat(9_000), long]), 'x'), [
      '[{\\"'.repeat(9_000),
      long,
    ]);
  });

  test('__proto__ is a key like any other', () => {
    const tree = parseJson('{"__proto__": {"a": 1}}', 'x');
    assert.equal(at(tree, '__proto__', 'a'), 1);
    assert.equal(at({}, '__proto__', 'a'), undefined);
  });

  test('a missing list is empty', () => {
    assert.deepEqual(listAt({ a: [1] }, 'a'), [1]);
    assert.deepEqual(listAt({ a: {} }, 'a'), []);
  });

  test('a text that is not JSON is platform_changed', () => {
    assert.throws(
      () => parseJson('{"a":', 'The block'),
      (error) => error instanceof ExtractError && error.code === 'platform_changed',
    );
  });

  test('a missing required value is named', () => {
    assert.equal(requireValue(0, 'a number'), 0);
    assert.throws(() => requireValue(null, 'a name'), /lacks a name/);
  });
});

describe('cutting pages', () => {
  test('between two markers', () => {
    assert.equal(between('a<b>c</b>d', '<b>', '</b>'), 'c');
    assert.equal(between('a<b>c', '<b>', '</b>'), null);
  });

  test('a script by its id, whatever the order of attributes, and no other element of that id', () => {
    for (const open of [
      '<script id="X">',
      '<script type="application/json" id="X">',
      "<script nonce='n' id='X' crossorigin>",
    ]) {
      assert.equal(scriptById(`<p id="other"></p>${open}{"a":1}</script>`, 'X'), '{"a":1}', open);
    }
    assert.equal(
      scriptById('<script>var s = "<div id=\\"X\\">"</script><script id="X">1</script>', 'X'),
      '1',
    );
    assert.equal(scriptById('<div id="X">no</div><script id="X">1</script>', 'X'), '1');
    assert.equal(scriptById('<script id="X">cut off', 'X'), null);
    assert.equal(scriptById('<script id="XY">1</script>', 'X'), null);
  });

  test('a script by its id out of the bytes is the same', () => {
    for (const html of [
      '<p id="X"></p>é€<script data-x="1" id="X">{"é":"€🙂"}</script>',
      "<script nonce='n' id='X' crossorigin>é</script>",
      '<script id="X"></script>',
      '<script id="X">cut off é',
      '<script id="XY">1</script>',
      'id="X"',
      '',
    ]) {
      const bytes = scriptBytesById(new TextEncoder().encode(html), 'X');
      assert.equal(bytes && Buffer.from(bytes).toString(), scriptById(html, 'X'), html);
    }
  });
});
