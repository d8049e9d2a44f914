import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { objectOfKey } from '../../lib/read/json-cut.js';
import { busyMs } from '../support/loop-watch.js';

const cut = (json: string, key = 'k') => objectOfKey(Buffer.from(json), key);

describe('an object cut out of JSON bytes by its key', () => {
  test('is parsed without the rest', () => {
    assert.deepEqual(cut('{"a":[1,{"b":2}],"k":{"x":[{"y":"z"}]},"c":3}'), { x: [{ y: 'z' }] });
    assert.deepEqual(cut('{"k":{}}'), {});
    assert.deepEqual(cut('{"é€🙂":"é€🙂","k":{"é€🙂":"é€🙂"}}'), { 'é€🙂': 'é€🙂' });
  });

  test('ends at its closing brace, whatever its texts contain', () => {
    for (const text of ['}', '{', ']', '"', '\\', '\\"', '"}', '\\\\"}', '\u0000', '"k":{', '{"k":{}}']) {
      const tree = { k: { [text]: text, list: [text] }, rest: text };
      assert.deepEqual(cut(JSON.stringify(tree)), tree.k, JSON.stringify(text));
    }
  });

  test('is undefined if the key is missing, or only within a text', () => {
    for (const json of ['{}', '', '{"a":"\\"k\\":{}"}', '{"kk":{}}', '{"a":"k"}']) {
      assert.equal(cut(json), undefined, json);
    }
  });

  test('is undefined if uncertain', () => {
    for (const json of [
      '{"k":{"a":1},"b":{"k":{"a":2}}}',
      '{"scopes":["k"],"k":{"a":1}}',
      '{"k": {"a":1}}',
      '{"k":[1]}',
      '{"k":null}',
      '{"k":"{}"}',
      '{"\\u006b":{"a":1}}',
    ]) {
      assert.equal(cut(json), undefined, json);
    }
  });

  test('is undefined if truncated or broken', () => {
    for (const json of [
      '{"k":{',
      '{"k":{"a',
      '{"k":{"a\\',
      '{"k":{"a":[1}',
      '{"k":{a:1}}',
      '{"k":{"a":1]}',
    ]) {
      assert.equal(cut(json), undefined, json);
    }
  });

  test('may be nested 200,000 levels deep', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    assert.ok(cut(`{"a":${deep},"k":{"deep":${deep}}}`) !== undefined);
    assert.equal(cut(`{"k":{"deep":${deep.slice(0, -1)}}}`), undefined);
  });

  test('takes linear time for backslashes and quotes', () => {
    for (const piece of ['\\\\', '\\"', '""', '{}']) {
      const hostile = `{"k":{"a":"${piece.repeat(500_000)}`;
      const startedAt = busyMs();
      cut(hostile);
      assert.ok(busyMs() - startedAt < 2_000, piece);
    }
  });

  test('equals the result of parsing the complete document', () => {
    const name = fc.string().filter((text) => text !== 'k' && text !== '__proto__');
    const value = fc.jsonValue();
    const holder = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(holder, holder, holder, (before, target, after) => {
        const json = `${JSON.stringify(before).slice(0, -1)}${Object.keys(before).length > 0 ? ',' : ''}"k":${JSON.stringify(target)},"after":${JSON.stringify(after)}}`;
        const part = cut(json);
        // A "k" deeper down makes it uncertain; anything else must be found.
        if (json.split('"k"').length === 2) assert.deepEqual(part, JSON.parse(json).k);
        else assert.equal(part, undefined);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
