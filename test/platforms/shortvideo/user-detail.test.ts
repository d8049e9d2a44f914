import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { userCount, userDetail } from '../../../lib/platforms/shortvideo/user-detail.js';
import { page } from '../../../lib/web/page.js';

const read = (detail: object, headers = {}) => {
  const data = JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.user-detail': detail } });
  const html = `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${data}</script>`;
  return userDetail(page('https://www.tiktok.com/@mira', 200, headers, Buffer.from(html)), 'mira');
};
const userInfo = (over: object = {}) => ({ user: { uniqueId: 'Mira', ...over }, stats: {} });

describe('the account of a profile page', () => {
  test('is returned in the page’s spelling', () => {
    const { handle, isPrivate } = read({ statusCode: 0, userInfo: userInfo() });
    assert.deepEqual([handle, isPrivate], ['Mira', false]);
  });

  test('is read without a status code', () => {
    assert.equal(read({ userInfo: userInfo() }).handle, 'Mira');
  });

  test('is read if it is private by code or by flag', () => {
    assert.equal(read({ statusCode: 10222, userInfo: userInfo() }).isPrivate, true);
    assert.equal(read({ statusCode: 0, userInfo: userInfo({ privateAccount: true }) }).isPrivate, true);
  });

  test('is read in another charset', () => {
    const { handle } = read(
      { statusCode: 0, userInfo: userInfo() },
      { 'content-type': 'text/html; charset=latin1' },
    );
    assert.equal(handle, 'Mira');
  });

  for (const [what, detail, code] of [
    ['banned, with remains of its data', { statusCode: 10221, userInfo: userInfo() }, 'profile_not_found'],
    ['missing', { statusCode: 10202 }, 'profile_not_found'],
    ['private, without data', { statusCode: 10222 }, 'account_private'],
    ['private, with empty data', { statusCode: 10222, userInfo: { user: {} } }, 'account_private'],
    [
      'private, with data under another name',
      { statusCode: 10222, userInfos: userInfo() },
      'platform_changed',
    ],
    ['missing, with data under another name', { statusCode: 10202, profile: userInfo() }, 'platform_changed'],
    ['closed to this region', { statusCode: 10231, userInfo: userInfo() }, 'platform_restricted'],
    ['behind a server error', { statusCode: 10101, userInfo: userInfo() }, 'platform_unavailable'],
    ['without data', { statusCode: 0, userInfo: {} }, 'platform_changed'],
    ['without data or code', {}, 'platform_changed'],
    ['another account', { statusCode: 0, userInfo: userInfo({ uniqueId: 'mira2' }) }, 'platform_changed'],
  ] as const) {
    test(`that is ${what} is ${code}`, () => assert.throws(() => read(detail), { code }));
  }
});

describe('a count of an account', () => {
  test('is the exact one, or the one that the page shows', () => {
    const info = { statsV2: { followerCount: '783427' }, stats: { followerCount: 783400, videoCount: 19 } };
    assert.deepEqual(userCount(info, 'followerCount'), { count: 783427, isRounded: false });
    assert.deepEqual(userCount(info, 'videoCount'), { count: 19, isRounded: false });
    assert.equal(userCount(info, 'heart'), null);
  });

  test('is found under either of two names', () => {
    const stats = { heart: 2_700_000_000, heartCount: -1_594_967_296 };
    assert.deepEqual(userCount({ stats }, 'heartCount', 'heart'), { count: 2_700_000_000, isRounded: true });
    assert.equal(userCount({ statsV2: { heart: '5' }, stats }, 'heartCount', 'heart'), null);
  });
});
