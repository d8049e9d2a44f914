import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ShortvideoProfile } from '../../../lib/index.js';
import { profile } from '../../../lib/platforms/shortvideo/profile.js';
import { dataPage, readCase } from './read-case.js';

const names = ['followerCount', 'followingCount', 'heart', 'heartCount', 'videoCount'];
const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
const each = (...values: unknown[]) => Object.fromEntries(names.map((name, at) => [name, values[at]]));
const shown = each(843_400, 97, 12_600_000, 12_600_000, 1070);

/** What a profile page with exact counts next to the rounded ones says. */
async function read(statsV2: unknown, stats: object = shown) {
  const user = {
    ...{ id: '7', uniqueId: 'mira.kettle', nickname: 'Mira', signature: '', verified: false },
    avatarThumb: 'https://p16.example/a',
  };
  const body = dataPage({ 'webapp.user-detail': { statusCode: 0, userInfo: { user, stats, statsV2 } } });
  const before = [{ url: 'https://www.tiktok.com/@mira.kettle', body }];
  const { data, rounded } = await readCase<ShortvideoProfile>(profile, 'rich', { before });
  const { follower_count, following_count, likes_count, video_count } = data;
  return { counts: [follower_count, following_count, likes_count, video_count], rounded };
}

describe('the counts of a profile', () => {
  const counts = [843_400, 97, 12_600_000, 1070];
  const rounded = ['follower_count', 'likes_count'];

  test('are exact if the page has exact ones', async () => {
    const exact = each('843427', '97', '12611002', '12611002', '1070');
    assert.deepEqual(await read(exact), { counts: [843_427, 97, 12_611_002, 1070], rounded: [] });
  });

  // An exact 0 next to another number is unreadable as well.
  for (const unreadable of ['0', '843,410', '٨٤٣', ['1'], '', undefined])
    test(`are marked as rounded if the exact ones are ${JSON.stringify(unreadable)}`, async () =>
      assert.deepEqual(await read(unreadable === '' ? all('') : unreadable && all(unreadable)), {
        counts,
        rounded,
      }));

  test('are 0 if both say so', async () => {
    assert.deepEqual((await read(all('0'), all(0))).counts, [0, 0, 0, 0]);
  });

  test('are refused if they contradict each other', async () => {
    const contradicting = { ...all('0'), followerCount: '97' };
    await assert.rejects(read(contradicting), { code: 'platform_changed', message: /its follower_count/ });
  });
});

describe('a profile whose page is a waiting page', () => {
  const name = 'the page waits: by the embed pages of the account and of a video';

  test('takes three requests, is brief, and names its rounded fields', async () => {
    const { urls, brief, rounded, sources } = await readCase<ShortvideoProfile>(profile, name);
    assert.deepEqual(urls, ['/@ferry.kettle', '/embed/@ferry.kettle', '/embed/v2/7572000000000000001']);
    assert.deepEqual([brief, rounded], [true, ['follower_count', 'likes_count']]);
    assert.equal(sources?.[0]?.route, 'embed');
  });

  test('takes two requests if the page refused within the hour', async () => {
    const { urls } = await readCase<ShortvideoProfile>(profile, name, { refusedLately: ['page'] });
    assert.equal(urls.length, 2);
  });

  test('has no rounded fields if all numbers are small', async () => {
    const small = await readCase(profile, 'the page waits: a small account, whose shown counts are whole');
    assert.deepEqual(small.rounded, []);
  });
});
