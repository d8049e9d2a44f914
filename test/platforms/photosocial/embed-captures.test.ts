import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { missingPost, missingTag } from '../../../lib/platforms/photosocial/missing.js';
import { readEmbeddedPost } from '../../../lib/platforms/photosocial/post-answer.js';
import { readEmbeddedProfile } from '../../../lib/platforms/photosocial/profile-answer.js';
import { readTagged } from '../../../lib/platforms/photosocial/tagged-list.js';
import { readEmbeddedPosts } from '../../../lib/platforms/photosocial/timeline.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { page } from '../../../lib/web/page.js';

const dir = path.join(packageRoot(), '..', 'shared', 'captures', 'photosocial');
const skip = existsSync(dir) ? false : 'the real captures are not beside this checkout';
const textOf = (file: string) => readFileSync(path.join(dir, file), 'utf8');
const pageOf = (text: string) => page('https://www.instagram.com/any/embed/', 200, {}, Buffer.from(text));

describe('real embed pages of photosocial', { skip }, () => {
  /** The slice starts within the account's picture, because other tools wrote what precedes it. */
  const account = () =>
    pageOf(
      `<script>s.handle({"require":[["PolarisEmbedProfile","init",[],[{"isProfileEmbed":true,"contextJSON":"{\\"context\\":{\\"type\\":\\"Profile\\",\\"username\\":\\"nainadiary.jpg\\",\\"full_name\\":\\"Naina\\",\\"is_private\\":false,\\"profile_pic_url\\":\\"https:${textOf('embed-user_2026-07-22_nainadiary.jpg_slice.html')}`,
    );

  test('of an account: exact counts', () => {
    const { data, source } = readEmbeddedProfile(account(), 'nainadiary.jpg');
    assert.deepEqual(
      [data.followers_count, data.media_count, data.is_private, data.follows_count, data.bio_links],
      [561, 138, false, null, null],
    );
    assert.equal(source.id, '42502779607');
  });

  test('of an account: its newest posts, with times and counts', () => {
    const { items, total, ended, next } = readEmbeddedPosts(account(), 'nainadiary.jpg');
    assert.deepEqual([items.length, total, ended, next], [6, 138, 'visitors', null]);
    const times = items.map(({ item }) => item.timestamp ?? '');
    assert.ok(times.every((time) => time.startsWith('2026-')));
    assert.deepEqual(times, times.toSorted().reverse());
    assert.ok(items.every(({ item }) => item.comments_count !== null && item.username === 'nainadiary.jpg'));
    assert.ok(items.every(({ item }) => item.view_count === null && item.is_paid_partnership === false));
  });

  test('of a carousel, as an honest client got it', async () => {
    const file = pageOf(textOf('embed-captioned_2026-07-02_DaQKxnwkWt5_ua-node-fetch.html'));
    const { data } = await readEmbeddedPost(file, 'DaQKxnwkWt5');
    assert.equal(data.media_type, 'CAROUSEL_ALBUM');
    assert.equal(data.children?.length, 2);
    assert.ok(data.like_count !== null && data.comments_count !== null);
    assert.equal(data.timestamp, null);
    await assert.rejects(readEmbeddedPost(file, 'DdG4RIxIPyf'), { code: 'platform_changed' });
  });

  test('of a living photo: the data is null, and the post stands in the elements', async () => {
    const file = pageOf(
      textOf('embed-captioned_2026-09-26_BsOGulcndj-_simple-photo_contextJSON-null_trimmed.html'),
    );
    const { data } = await readEmbeddedPost(file, 'BsOGulcndj-');
    assert.deepEqual(
      [data.media_type, data.like_count, data.username],
      ['IMAGE', 60_298_882, 'world_record_egg'],
    );
  });

  test('of a post that is gone', async () => {
    const file = pageOf(textOf('embed-captioned_2026-03-25_C-s7_vJvX1a_gone_contextJSON-empty_ua-app.html'));
    await assert.rejects(readEmbeddedPost(file, 'C-s7_vJvX1a'), { code: missingPost('').code });
  });
});

test('the data of a page for words', { skip }, () => {
  const data = textOf('popular_2026-09-22_travel_data_trimmed.json');
  const { items } = readTagged(pageOf(JSON.stringify({ data: JSON.parse(data) })), 'document', 'travel');
  assert.ok(items.length > 1);
  assert.ok(items.every(({ item }) => item.media_type === 'VIDEO' && item.view_count !== null));
  assert.equal(missingTag('travel').code, 'hashtag_not_found');
});
