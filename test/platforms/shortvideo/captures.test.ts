import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ShortvideoProfile, ShortvideoVideo } from '../../../lib/index.js';
import { profile } from '../../../lib/platforms/shortvideo/profile.js';
import { scopeOf } from '../../../lib/platforms/shortvideo/scope.js';
import { video } from '../../../lib/platforms/shortvideo/video.js';
import { videos } from '../../../lib/platforms/shortvideo/videos.js';
import { type ItemCaptions, sourceTexts } from '../../../lib/read/item-source.js';
import { scriptById } from '../../../lib/read/json.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { page } from '../../../lib/web/page.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

const dir = path.join(packageRoot(), '..', 'shared', 'captures', 'shortvideo');
const skip = existsSync(dir) ? false : `no captures in ${dir}`;

/** A data block put back into the script element that it came from. */
const inScript = (id: string, file: string) =>
  `<!DOCTYPE html><html><body><script id="${id}" type="application/json">${readFileSync(path.join(dir, file), 'utf8')}</script></body></html>`;
const scope = (file: string) => inScript('__UNIVERSAL_DATA_FOR_REHYDRATION__', file);

async function read<Data>(endpoint: unknown, params: object, routes: Route[]) {
  const row = endpoint as Endpoint;
  const identity = row.identify(params as Record<string, unknown>);
  const question = { endpoint: row, identity, position: firstPosition, limit: row.page?.max ?? 1 };
  const { answer, seconds } = await fetchAnswer(question, routeSource(dir, routes), stoppedClock);
  const { captions } = sourceTexts(answer.sources ?? '[]', 0, answer.fetchedAt);
  return { data: JSON.parse(answer.data) as Data, next: answer.next, seconds, captions };
}

const site = 'https://www.tiktok.com';
const videoFile = 'video_page_2025-12_illojuan_7571863205253778710.raw.html';
const profileFile = 'profile_page_2025-12_illojuan.raw.html';
const photoId = '7681723633164717325';
const photoPage = () => scope(`video_page_2026-09_nasa_${photoId}_photo_post.scope.json`);
const missingPage = () => scope('video_page_2026-09_missing_10204.scope.json');

describe('real shortvideo pages', { skip }, () => {
  test('a whole profile page', async () => {
    const { data } = await read<ShortvideoProfile>(profile, { username: 'IlloJuan' }, [
      { url: `${site}/@illojuan`, file: profileFile },
    ]);
    assert.equal(data.username, 'illojuan');
    assert.equal(data.follower_count, 783427);
    assert.equal(data.likes_count, 3922256);
    assert.equal(data.bio_url, 'https://twitch.tv/illojuan');
    assert.equal(data.video_count, 19);
    assert.match(data.avatar_url, /^https:\/\/[^/]+tiktokcdn/);
  });

  test('a profile that never existed', async () => {
    await assert.rejects(
      read(profile, { username: 'nobody.at.all' }, [
        { url: `${site}/@nobody.at.all`, body: scope('profile_page_2026-09_nonexistent_10221.scope.json') },
      ]),
      { code: 'profile_not_found' },
    );
  });

  test('a whole video page', async () => {
    const id = '7571863205253778710';
    const { data, seconds } = await read<ShortvideoVideo>(video, { id }, [
      { url: `${site}/@_/video/${id}`, file: videoFile },
    ]);
    assert.match(
      data.video_description ?? '',
      /^La nueva locurilla de fin de año: .+ Espero que os guste ❤️$/u,
    );
    const { video_description: _, cover_image_url, play_url, ...rest } = data;
    assert.match(cover_image_url ?? '', /^https:\/\/p16-.+tplv-tiktokx-origin\.image/);
    assert.match(play_url ?? '', /^https:\/\/v16-webapp-prime\.tiktok\.com\/video\//);
    assert.deepEqual(rest, {
      id,
      create_time: '2025-11-12T15:36:28.000Z',
      duration: 64,
      view_count: 192_100,
      like_count: 25_500,
      comment_count: 146,
      share_count: 2156,
      favorites_count: 1311,
      hashtag_names: [],
      sound: rest.sound,
    });
    assert.match(rest.sound?.id ?? '', /^\d{19}$/);
    assert.equal(seconds, 10_800);
  });

  test('a photo post', async () => {
    const { data } = await read<ShortvideoVideo>(video, { url: `${site}/@nasa/photo/${photoId}` }, [
      { url: `${site}/@_/video/${photoId}`, body: photoPage() },
    ]);
    assert.equal(data.duration, null);
    assert.equal(data.play_url, null);
    assert.match(data.cover_image_url ?? '', /tplv-photomode-image\.jpeg/);
    assert.equal(data.view_count, 254_100);
    assert.equal(data.favorites_count, 940);
    assert.deepEqual(data.hashtag_names, []);
    assert.deepEqual(data.sound, {
      id: '7420633921946782469',
      title: 'INTERESTELLAR',
      author: 'Kore Blanco',
      is_original: true,
      duration: 73,
    });
  });

  test('the page for mobile clients: the item under another scope', async () => {
    const id = '7585124257601162516';
    const url = `${site}/@_/video/${id}`;
    const { data } = await read<ShortvideoVideo>(video, { id }, [
      { url, file: `mobile_reflow_2026-01_${id}.html` },
    ]);
    const { cover_image_url, play_url, sound, ...rest } = data;
    assert.match(cover_image_url ?? '', /^https:\/\/p16-sign-sg\.tiktokcdn\.com\//);
    assert.match(play_url ?? '', /^https:\/\/v16-webapp-prime\.tiktok\.com\/video\//);
    assert.equal(sound?.id, '7585124283232357136');
    assert.deepEqual(rest, {
      id,
      video_description:
        'Khai trương cơ sở thứ 11 của A Choén mời các bác qua ăn bò ạaa ✨💐 #emlyreview #vtmgr',
      create_time: '2025-12-18T09:16:09.000Z',
      duration: 41,
      view_count: rest.view_count,
      like_count: rest.like_count,
      comment_count: rest.comment_count,
      share_count: rest.share_count,
      favorites_count: rest.favorites_count,
      hashtag_names: ['emlyreview', 'vtmgr'],
    });
    for (const count of [rest.view_count, rest.like_count, rest.comment_count, rest.share_count]) {
      assert.ok((count ?? 0) > 0);
    }
  });

  test('the captions of speech, original and translated, of the page and of that for mobile clients', async () => {
    for (const [id, file, original] of [
      ['7571863205253778710', videoFile, 'spa-ES'],
      ['7585124257601162516', 'mobile_reflow_2026-01_7585124257601162516.html', 'vie-VN'],
    ] as const) {
      const { captions } = await read(video, { id }, [{ url: `${site}/@_/video/${id}`, file }]);
      const [named] = JSON.parse(captions ?? '[]') as ItemCaptions[];
      assert.ok(named?.id === id);
      assert.deepEqual(named.captions.map(({ language, kind }) => [language, kind]).sort(), [
        ['eng-US', 'translated'],
        [original, 'original'],
      ]);
      for (const { url } of named.captions) assert.match(url, /^https:\/\/[^/]+\.tiktok(cdn-eu)?\.com\/.+/);
      assert.equal(new Set(named.captions.map(({ url }) => url)).size, 2);
    }
  });

  test('a video that is missing is not found where oEmbed says so, too', async () => {
    const id = '7571863205253778711';
    for (const [oembed, code] of [
      [{ status: 400 }, 'video_not_found'],
      [{ status: 404 }, 'video_not_found'],
      [{ status: 599 }, 'platform_unavailable'],
      [{ body: '{"embed_product_id":"7571863205253778712"}' }, 'platform_unavailable'],
      [{ file: 'waf_please_wait_2026-09.html' }, 'platform_unavailable'],
    ] as const) {
      await assert.rejects(
        read(video, { id }, [
          { url: `${site}/@_/video/${id}`, body: missingPage() },
          { pattern: '/oembed\\?', ...oembed },
        ]),
        { code },
      );
    }
  });

  test('the list of an account, with its pinned video first and a photo post, completed as far as it goes', async () => {
    const state = inScript('__FRONTITY_CONNECT_STATE__', 'embed_user_page_2026-09_nasa.state.json');
    const { data, next, seconds } = await read<ShortvideoVideo[]>(videos, { username: 'NASA' }, [
      { url: `${site}/embed/@nasa`, body: state },
      { url: `${site}/@_/video/${photoId}`, body: photoPage() },
      { pattern: '/@_/video/', body: missingPage() },
    ]);
    assert.deepEqual(
      data.map(({ id, view_count }) => [id, view_count]),
      [
        ['7665075736742530317', 1_400_000],
        ['7686893699099413773', 130_400],
        ['7686548688113503502', 93_300],
        ['7686148096895569165', 461_100],
        [photoId, 254_100],
        ['7679801381103865101', 892_500],
      ],
    );
    assert.equal(next, null);
    assert.equal(seconds, 300, 'what is thin is kept for minutes');
    const [pinned, , , , photo] = data;
    assert.equal(pinned?.video_description, 'Something big just landed on TikTok.');
    assert.equal(pinned?.create_time, null);
    assert.match(pinned?.play_url ?? '', /^https:\/\/v45\.tiktokcdn-eu\.com\//);
    assert.equal(photo?.create_time, '2026-09-04T16:51:37.000Z');
    assert.equal(photo?.play_url, null);
  });

  test('the waiting-room challenge, before any of the pages', async () => {
    const route = [{ pattern: '.', file: 'waf_please_wait_2026-09.html' }];
    for (const [endpoint, params] of [
      [profile, { username: 'nasa' }],
      [videos, { username: 'nasa' }],
      [video, { id: photoId }],
    ] as const) {
      await assert.rejects(read(endpoint, params, route), {
        code: 'platform_blocked',
      });
    }
  });

  test('the scope cut out of a page is the one that parsing all of it gives', () => {
    for (const [file, name] of [
      [videoFile, 'webapp.video-detail'],
      [profileFile, 'webapp.user-detail'],
    ] as const) {
      const bytes = readFileSync(path.join(dir, file));
      const json = scriptById(bytes.toString('utf8'), '__UNIVERSAL_DATA_FOR_REHYDRATION__');
      const whole = JSON.parse(json ?? '').__DEFAULT_SCOPE__[name];
      assert.deepEqual(scopeOf(page(site, 200, {}, bytes), { scopes: [name], apiData: 'none' }), whole);
    }
  });
});
