import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoProfile } from '../../../lib/index.js';
import { profile } from '../../../lib/platforms/shortvideo/profile.js';
import { readCase } from './read-case.js';

const url = 'https://www.tiktok.com/@mira.kettle';
const stats = {
  followerCount: 843_400,
  followingCount: 97,
  heart: 12_600_000,
  heartCount: 12_600_000,
  videoCount: 1070,
};

/** A profile page with exact counts next to the rounded ones. */
function pageWith(statsV2: unknown, rounded: object = stats) {
  const user = {
    id: '7',
    uniqueId: 'mira.kettle',
    nickname: 'Mira',
    signature: '',
    verified: false,
    avatarThumb: 'https://p16.example/a',
  };
  const detail = { statusCode: 0, userInfo: { user, stats: rounded, statsV2 } };
  const data = JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.user-detail': detail } });
  return { url, body: `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${data}</script>` };
}

async function read(statsV2: unknown, roundedStats?: object) {
  const { data, rounded } = await readCase<ShortvideoProfile>(profile, 'rich', {
    before: [pageWith(statsV2, roundedStats)],
  });
  const { follower_count, following_count, likes_count, video_count } = data;
  return { counts: [follower_count, following_count, likes_count, video_count], rounded };
}

const all = (value: unknown) => Object.fromEntries(Object.keys(stats).map((key) => [key, value]));
const counts = [843_400, 97, 12_600_000, 1070];

describe('the counts of a profile', () => {
  test('are exact if the page has exact ones', async () => {
    const exact = {
      followerCount: '843427',
      followingCount: '97',
      heart: '12611002',
      heartCount: '12611002',
      videoCount: '1070',
    };
    assert.deepEqual(await read(exact), { counts: [843_427, 97, 12_611_002, 1070], rounded: [] });
  });

  test('are never 0 next to another number', async () => {
    assert.deepEqual(await read(all('0')), { counts: counts, rounded: ['follower_count', 'likes_count'] });
  });

  test('are marked as rounded if the exact ones cannot be read', async () => {
    for (const unreadable of [undefined, all('843,410'), all('٨٤٣'), all(['1']), all('')])
      assert.deepEqual(await read(unreadable), {
        counts: counts,
        rounded: ['follower_count', 'likes_count'],
      });
  });

  test('are 0 where both say so', async () => {
    assert.deepEqual((await read(all('0'), all(0))).counts, [0, 0, 0, 0]);
  });

  test('that contradict each other are not an answer', async () => {
    await assert.rejects(read({ ...all('0'), followerCount: '97' }), {
      code: 'platform_changed',
      message: /its follower_count/,
    });
  });
});

describe('a profile whose page waits', () => {
  const name = 'the page waits: by the embed pages of the account and of a video';

  test('is three requests, thin, and says what it rounds', async () => {
    const { urls, brief, rounded, sources } = await readCase<ShortvideoProfile>(profile, name);
    assert.deepEqual(urls, ['/@ferry.kettle', '/embed/@ferry.kettle', '/embed/v2/7572000000000000001']);
    assert.deepEqual([brief, rounded], [true, ['follower_count', 'likes_count']]);
    assert.equal(sources?.[0]?.route, 'embed');
  });

  test('is two if the page refused within the hour', async () => {
    const { urls } = await readCase<ShortvideoProfile>(profile, name, { refusedLately: ['page'] });
    assert.equal(urls.length, 2);
  });

  test('has nothing to say of rounding where all numbers are small', async () => {
    const small = await readCase(profile, 'the page waits: a small account, whose shown counts are whole');
    assert.deepEqual(small.rounded, []);
  });
});
