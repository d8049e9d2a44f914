import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyOf, dataOf, utf8Of } from '../../../lib/platforms/photosocial/page-data.js';
import { page } from '../../../lib/web/page.js';
import { busyMs } from '../../support/loop-watch.js';

const url = 'https://www.instagram.com/x/';
const body = (text: string) => bodyOf(page(url, 200, {}, Buffer.from(text)));
const changed = { code: 'platform_changed' };
const script = (json: string) => `<script type="application/json" data-sjs>${json}</script>`;
const key = 'xig_user_by_username';
const data = (text: string, hint = 'follower_count') =>
  [...dataOf(body(text), [key], hint)].map(({ data: block }) => block);

describe('the kind of a body', () => {
  test('is data or a page by its first character', () => {
    assert.equal(body(' \n{"a":1}').kind, 'json');
    assert.equal(body('\uFEFF{"a":1}').kind, 'json');
    assert.equal(body('<html>{"a":1}').kind, 'html');
    assert.equal(body('').kind, 'html');
  });

  test('is data behind the guard of an answer', () => {
    assert.deepEqual(body('for (;;);{"a":1}'), { kind: 'json', json: { a: 1 } });
  });

  test('is the first document of a streamed answer', () => {
    assert.deepEqual(body('{"data":1}\r\n{"label":"more"}\n{"x":'), { kind: 'json', json: { data: 1 } });
    const indented = '{\n  "data": {\n    "a": 1\n  }\n}\n';
    assert.deepEqual(body(indented), { kind: 'json', json: { data: { a: 1 } } });
  });

  test('is platform_changed for an answer that is cut off', () => {
    assert.throws(() => body('{"data":{"a"'), changed);
  });
});

describe('data of a page', () => {
  test('is found at any depth, in any block', () => {
    const deep = `{"require":[["x",[{"__bbox":{"a":[[[{"data":{"${key}":{"pk":"1"},"other":2}}]]]}}]]]}`;
    assert.deepEqual(data(`<p>${script('{"a":1}')}${script(deep)}`), [{ [key]: { pk: '1' }, other: 2 }]);
  });

  test('is found without parsing blocks that are not needed', () => {
    const target = script(`{"${key}":{"follower_count":1}}`);
    const broken = script(`{"${key}": this is no JSON }`);
    const other = script('{"neither": this }');
    const [first] = dataOf(body(broken + other + target), [key], 'follower_count');
    assert.deepEqual(first?.data, { [key]: { follower_count: 1 } });
    assert.throws(() => data(broken + target), changed);
  });

  test('is found in data scripts only', () => {
    assert.deepEqual(data(`<script>{"${key}":1}</script><p>{"${key}":1}</p>`), []);
  });

  test('that is cut off is platform_changed', () => {
    assert.throws(() => data(`<script type="application/json">{"${key}":{"pk"`), changed);
  });

  test('is not found under keys of Object.prototype or inside texts', () => {
    assert.deepEqual(data(script(`{"__proto__":{"x":1},"a":"\\"${key}\\":"}`)), []);
  });

  test('is one object in pages of 2020', () => {
    const html = `<script>window._sharedData = {"entry_data":{"ProfilePage":[{"graphql":{"user":{"id":"1"}}}]}};</script>`;
    assert.deepEqual(data(html)[0], { user: { id: '1' } });
  });

  for (const [name, text] of [
    ['script tags without an end', '<script type="application/json">'.repeat(60_000)],
    ['ends without a beginning', `"${key}":</script>`.repeat(100_000)],
    ['many blocks', script(`{"${key}":1}`).repeat(30_000)],
    ['deep nesting', script(`{"a":${'['.repeat(100_000)}{"${key}":1}${']'.repeat(100_000)}}`)],
  ] as const) {
    test(`is found in linear time in a hostile page: ${name}`, () => {
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

describe('a body as UTF-8', () => {
  test('is the same bytes, not a copy, if it is in UTF-8', () => {
    const body = Buffer.from('héllo');
    for (const type of [undefined, 'text/html; charset=UTF-8', 'text/html']) {
      const bytes = utf8Of(page(url, 200, type === undefined ? {} : { 'content-type': type }, body));
      assert.equal(bytes.toString('utf8'), 'héllo');
      assert.equal(bytes.buffer, body.buffer);
    }
  });

  test('is re-encoded from another charset', () => {
    const headers = { 'content-type': 'text/html; charset=iso-8859-1' };
    const bytes = utf8Of(page(url, 200, headers, Buffer.from('héllo', 'latin1')));
    assert.equal(bytes.toString('utf8'), 'héllo');
  });
});
