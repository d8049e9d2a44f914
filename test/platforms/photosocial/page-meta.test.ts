import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agreedCounts, postCountOf } from '../../../lib/platforms/photosocial/page-meta.js';
import { page } from '../../../lib/web/page.js';

const count = (html: string) =>
  postCountOf(page('https://www.instagram.com/x/', 200, {}, Buffer.from(`<html><head>${html}</head>`)), 'x');
const meta = (posts: string) =>
  `<meta property="og:description" content="291M Followers, 269 Following, ${posts} - See Instagram photos and videos from X (&#064;x)" />`;

describe('the number of posts in a page’s description', () => {
  for (const [posts, expected] of [
    ['1,667 Posts', 1667],
    ['9,999 Posts', 9999],
    ['1 Post', 1],
    ['0 Posts', 0],
    ['10,000 Posts', null],
    ['12.3K Posts', null],
    ['1.667 Beiträge', null],
    ['12345 Posts', null],
    ['1 234 Posts', 1234],
    ['1,234,5 Posts', null],
    ['', null],
  ] as const) {
    test(`is ${expected} in ${JSON.stringify(posts)}`, () => assert.equal(count(meta(posts)), expected));
  }

  test('is not that of another account', () => {
    assert.equal(count(meta('7 Posts').replace('&#064;x', '&#064;y')), null);
  });

  test('is read from the og:description only, in any order of attributes', () => {
    assert.equal(
      count('<meta content="5 Followers, 6 Following, 7 Posts - from X (@x)" property="og:description">'),
      7,
    );
    assert.equal(count('<p>8 Posts</p><meta property="og:description" content="none"><p>9 Posts</p>'), null);
    assert.equal(count('<title>8 Posts</title>'), null);
    assert.equal(count('og:description'), null);
  });
});

test('a 0 in the data that contradicts the description is unknown', () => {
  const agreed = (
    followers_count: number,
    follows_count: number,
    media_count: number,
    posts = '1,667 Posts',
  ) => {
    const answer = page('https://www.instagram.com/x/', 200, {}, Buffer.from(`<head>${meta(posts)}</head>`));
    const counts = { username: 'x', followers_count, follows_count, media_count };
    return Object.values(agreedCounts(answer, counts));
  };
  assert.deepEqual(agreed(0, 0, 0), [null, null, 1667]);
  assert.deepEqual(agreed(0, 0, 0, '12.3K Posts'), [null, null, null]);
  assert.deepEqual(agreed(291_000_123, 269, 0, '0 Posts'), [291_000_123, 269, 0]);
});
