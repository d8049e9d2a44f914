import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyOf, dataOf } from '../../../lib/platforms/photosocial/page-data.js';
import { page } from '../../../lib/web/page.js';
import { busyMs } from '../../support/loop-watch.js';

const url = 'https://www.instagram.com/x/';
const body = (text: string) => bodyOf(page(url, 200, {}, Buffer.from(text)));
const script = (json: string) => `<script type="application/json" data-sjs>${json}</script>`;
const key = 'xig_user_by_username';
const data = (text: string, hint = 'follower_count') =>
  [...dataOf(body(text), [key], hint)].map(({ data: block }) => block);

describe('the kind of a body', () => {
  test('data and pages are distinguished by their first character', () => {
    assert.equal(body(' \n{"a":1}').kind, 'json');
    assert.equal(body('\uFEFF{"a":1}').kind, 'json');
    assert.equal(body('<html>{"a":1}').kind, 'html');
    assert.equal(body('').kind, 'html');
  });

  test('the guard before an answer is put aside', () => {
    assert.deepEqual(body('for (;;);{"a":1}'), { kind: 'json', json: { a: 1 } });
  });

  test('of a streamed answer the first document counts', () => {
    assert.deepEqual(body('{"data":1}\r\n{"label":"more"}\n{"x":'), { kind: 'json', json: { data: 1 } });
    assert.deepEqual(body('{\n  "data": {\n    "a": 1\n  }\n}\n'), {
      kind: 'json',
      json: { data: { a: 1 } },
    });
  });

  test('an answer that is cut off is a changed one', () => {
    assert.throws(() => body('{"data":{"a"'), { code: 'platform_changed' });
  });
});

describe('data of a page', () => {
  test('is found at any depth, in any block, whatever stands around it', () => {
    const deep = `{"require":[["x",[{"__bbox":{"a":[[[{"data":{"${key}":{"pk":"1"},"other":2}}]]]}}]]]}`;
    assert.deepEqual(data(`<p>${script('{"a":1}')}${script(deep)}`), [{ [key]: { pk: '1' }, other: 2 }]);
  });

  test('blocks that are not needed are not parsed', () => {
    const target = script(`{"${key}":{"follower_count":1}}`);
    const broken = script(`{"${key}": this is no JSON }`);
    const other = script('{"neither": this }');
    const [first] = dataOf(body(broken + other + target), [key], 'follower_count');
    assert.deepEqual(first?.data, { [key]: { follower_count: 1 } });
    assert.throws(() => data(broken + target), { code: 'platform_changed' });
  });

  test('only data scripts count', () => {
    assert.deepEqual(data(`<script>{"${key}":1}</script><p>{"${key}":1}</p>`), []);
  });

  test('a block that is cut off is a changed page', () => {
    assert.throws(() => data(`<script type="application/json">{"${key}":{"pk"`), {
      code: 'platform_changed',
    });
  });

  test('keys of every object’s machinery find nothing', () => {
    assert.deepEqual(data(script(`{"__proto__":{"x":1},"a":"\\"${key}\\":"}`)), []);
  });

  test('pages of 2020 carry theirs in one object', () => {
    const html = `<script>window._sharedData = {"entry_data":{"ProfilePage":[{"graphql":{"user":{"id":"1"}}}]}};</script>`;
    assert.deepEqual(data(html)[0], { user: { id: '1' } });
  });

  for (const [name, text] of [
    ['script tags without an end', '<script type="application/json">'.repeat(60_000)],
    ['ends without a beginning', `"${key}":</script>`.repeat(100_000)],
    ['many blocks', script(`{"${key}":1}`).repeat(30_000)],
    ['deep nesting', script(`{"a":${'['.repeat(100_000)}{"${key}":1}${']'.repeat(100_000)}}`)],
  ] as const) {
    test(`a hostile page is walked in linear time: ${name}`, () => {
      const startedAt = busyMs();
      try {
        data(text);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'platform_changed');
      }
      assert.ok(busyMs() - startedAt < 2_000);
    });
  }
});
