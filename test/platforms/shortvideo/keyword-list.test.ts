import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  keywordListRequest,
  keywordSlug,
  plainSlug,
  readKeywordList,
} from '../../../lib/platforms/shortvideo/keyword-list.js';
import { page } from '../../../lib/web/page.js';

const row = (last: number) => ({
  id: `757100000000000030${last}`,
  desc: 'Kettle',
  createTime: 1_789_000_000,
  author: { id: '7', uniqueId: 'mira.kettle', nickname: 'Mira' },
  stats: { playCount: 30_700, diggCount: 4 },
});
const read = (body: object | string) =>
  readKeywordList(
    page(
      'https://www.tiktok.com/',
      200,
      {},
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ),
  );

describe('the slug of a keyword’s page', () => {
  for (const [query, slug] of [
    ['Harbour at Night', 'harbour-at-night'],
    ['night_ferry', 'night-ferry'],
    ['o’clock', 'oclock'],
    ['##harbour', 'harbour'],
    ['#harbour #ferry', 'harbour-ferry'],
    ['çay saati', 'çay-saati'],
    ['お茶 の 時間', 'お茶-の-時間'],
    [' - tea - ', 'tea'],
    ['🚤', ''],
  ] as const) {
    test(`of ${JSON.stringify(query)} is ${JSON.stringify(slug)}`, () =>
      assert.equal(keywordSlug(query), slug));
  }

  test('has a second form if it has accents', () => {
    assert.equal(plainSlug('çay-saati'), 'cay-saati');
    assert.equal(plainSlug('harbour'), null);
  });

  test('cannot change the URL', () => {
    const { url } = keywordListRequest(keywordSlug('tea&region=XX/../?x'), 16);
    assert.equal(new URL(url).searchParams.get('keyword'), 'tearegionxxx');
    assert.equal(new URL(url).searchParams.get('offset'), '16');
  });
});

describe('the list of a keyword’s page', () => {
  test('contains complete videos, each once, each with its own author', () => {
    const { videos, isEnd } = read({ status_code: 0, hasMore: true, videoList: [row(1), row(2), row(1)] });
    assert.deepEqual(
      videos.map(({ item }) => item.id.slice(-1)),
      ['1', '2'],
    );
    assert.deepEqual(
      [videos[0]?.item.view_count, videos[0]?.item.create_time],
      [30_700, '2026-09-10T00:26:40.000Z'],
    );
    assert.equal(videos[0]?.source.author?.handle, 'mira.kettle');
    assert.equal(isEnd, false);
  });

  test('ends if it says so, and if it is empty', () => {
    assert.equal(read({ status_code: 0, hasMore: false, videoList: [row(1)] }).isEnd, true);
    assert.equal(read({ status_code: 0, hasMore: true, videoList: [] }).isEnd, true);
  });

  for (const [what, body, code] of [
    ['without its list', { status_code: 0, hasMore: false }, 'platform_changed'],
    ['that does not say whether it continues', { status_code: 0, videoList: [row(1)] }, 'platform_changed'],
    ['with a row without an ID', { status_code: 0, hasMore: false, videoList: [{}] }, 'platform_changed'],
    ['that asks for a login', { status_code: 10102, videoList: [] }, 'platform_login_required'],
    ['that is empty', '', 'platform_blocked'],
    ['that is a page', '<html><title>Security Check</title>', 'platform_blocked'],
  ] as const) {
    test(`${what} is ${code}`, () => assert.throws(() => read(body), { code }));
  }
});
