import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ExtractError } from '../../../lib/errors/extract-error.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import type {
  PhotosocialComment,
  PhotosocialPost,
  PhotosocialProfile,
} from '../../../lib/platforms/photosocial/objects.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

const dir = path.join(packageRoot(), '..', 'shared', 'captures', 'photosocial');
const skip = existsSync(dir) ? false : 'the real captures are not beside this checkout';
const home = 'https://www.instagram.com';

/** The answer where captures stand at some addresses, and every other address is out of order. */
async function answer<Data>(
  row: unknown,
  identity: Record<string, string>,
  captures: Readonly<Record<string, string>>,
  limit = 24,
) {
  const endpoint = row as Endpoint;
  const routes = Object.entries(captures).map(([pattern, file]) => ({ pattern, file }));
  const source = routeSource(dir, [...routes, { pattern: '.', status: 599 }]);
  const place = { position: null, seen: [] };
  const got = await fetchAnswer({ endpoint, identity, position: place, limit }, source, stoppedClock);
  return { data: JSON.parse(got.answer.data) as Data, next: got.answer.next };
}

const natgeoPage = { [`^${home}/natgeo/$`]: 'x26_profile_page_natgeo.html' };
const reelPage = { [`^${home}/p/DdG4RIxIPyf/$`]: 'x26_post_page_reel_natgeo.html' };
const natgeo = { username: 'natgeo' };
const reel = { shortcode: 'DdG4RIxIPyf' };

describe('real pages of photosocial', { skip }, () => {
  test('a profile page of 2026-10', async () => {
    const { data } = await answer<PhotosocialProfile>(profile, natgeo, natgeoPage);
    assert.deepEqual(data, {
      username: 'natgeo',
      name: 'National Geographic',
      biography: 'Step into wonder and find your inner explorer with National Geographic 🌎',
      bio_links: [
        { title: null, url: 'http://visitstore.bio/natgeo' },
        {
          title: 'Subscribe Here!',
          url: 'https://ngmdomsubs.nationalgeographic.com/servlet/OrdersGateway?cds_mag_code=NGM&cds_page_id=283562&cds_response_key=I5FX10002',
        },
      ],
      followers_count: 268457110,
      follows_count: 194,
      media_count: null,
      is_verified: true,
      is_private: false,
      is_business_account: null,
      category: null,
      contact_buttons: null,
    });
  });

  test('the reel page of 2026-10', async () => {
    const { data } = await answer<PhotosocialPost>(post, reel, reelPage);
    const { caption, media_url, ...rest } = data;
    assert.ok(caption?.startsWith('Presented by @Rolex. Welcome to Africa 🌍'));
    assert.match(media_url ?? '', /^https:\/\/instagram\.[^/]+fbcdn\.net\/.*\.mp4/);
    assert.deepEqual(rest, {
      shortcode: 'DdG4RIxIPyf',
      permalink: `${home}/reel/DdG4RIxIPyf/`,
      media_type: 'VIDEO',
      timestamp: '2026-09-10T13:00:14.000Z',
      children: [],
      like_count: 78676,
      comments_count: 525,
      view_count: null,
      hashtags: ['rolex', 'perpetualplanet'],
      mentions: ['rolex', 'wunmimosaku', 'disneyplus', 'hulu'],
      is_paid_partnership: null,
      username: 'natgeo',
    });
  });

  test('the posts of a profile page, completed as far as their own pages answer', async () => {
    const { data, next } = await answer<PhotosocialPost[]>(posts, natgeo, { ...natgeoPage, ...reelPage });
    assert.equal(data.length, 12);
    assert.deepEqual(data.map(({ media_type }) => media_type).slice(0, 6), [
      'VIDEO',
      'VIDEO',
      'CAROUSEL_ALBUM',
      'VIDEO',
      'VIDEO',
      'IMAGE',
    ]);
    // The listing counts six pictures and shows none.
    assert.equal(data[2]?.children, null);
    assert.deepEqual(data[5]?.children, []);
    assert.equal(data[0]?.like_count, 78676);
    assert.equal(data[0]?.timestamp, '2026-09-10T13:00:14.000Z');
    assert.ok(data.every(({ username }) => username === 'natgeo'));
    for (const listed of data.slice(1)) {
      assert.equal(listed.timestamp, null);
      assert.equal(listed.like_count, null);
      assert.equal(listed.media_url === null, listed.media_type === 'VIDEO');
    }
    assert.match(
      JSON.stringify(next),
      /AQHTuMFy859wDGt0lU6L4cV8Jwly4BrEjm64jnpQ-Ip0px1Z6EyCKmmY0_loQlR3oIqwTpSFSeMn1kaDRzoRWn2tZg/,
    );
  });

  test('comments that the page withholds are no empty list', async () => {
    await assert.rejects(answer<PhotosocialComment[]>(comments, reel, reelPage), {
      code: 'platform_blocked',
    });
  });

  const varaiya = 'post_2026-01_rashi_varaiya_DM5F3Vzq6TN_V1_comments.html';

  test('a page with comments in the shape V1: they are those of the post that the page asked about', async () => {
    const asked = { [`^${home}/p/DM5F3Vzq6TN/$`]: varaiya };
    const { data, next } = await answer<PhotosocialComment[]>(comments, { shortcode: 'DM5F3Vzq6TN' }, asked);
    assert.equal(data.length, 8);
    assert.deepEqual(data[0], {
      username: 'stutishettyy',
      text: '😍😍😍',
      timestamp: '2025-08-03T19:25:07.000Z',
      like_count: null,
      reply_count: 1,
      parent_id: null,
    });
    // Its cursor is for signed-in visitors.
    assert.equal(next, null);
  });

  test('comments and a post in the shape V1 are not given for another post', async () => {
    for (const row of [comments, post]) {
      await assert.rejects(answer(row, reel, { [`^${home}/p/DdG4RIxIPyf/$`]: varaiya }), {
        code: 'platform_changed',
      });
    }
  });

  const shells: [file: string, code: (endpoint: Endpoint) => string][] = [
    ['x26_login_wall_page.html', () => 'platform_login_required'],
    ['x26_throttled_profile_page.html', () => 'platform_rate_limited'],
    ['x26_throttled_post_page.html', () => 'platform_rate_limited'],
    // The error route comes for what exists, too: it proves nothing missing.
    ['x26_not_found_page.html', () => 'platform_restricted'],
    ['error_route_2026-01_guru.html', () => 'platform_restricted'],
    ['embed_2026-07_cheffone_error-route.html', () => 'platform_restricted'],
  ];
  for (const [file, code] of shells) {
    for (const [row, identity] of [
      [profile, natgeo],
      [posts, natgeo],
      [post, reel],
      [comments, reel],
      [hashtag, { tag: 'travel' }],
    ] as const) {
      const endpoint = row as Endpoint;
      for (const [where, pattern] of [
        ['on the page', `^${home}/(natgeo|p/DdG4RIxIPyf|popular/travel)/$`],
        ['everywhere', '^http'],
      ] as const) {
        test(`${endpoint.path}: ${file} ${where} is ${code(endpoint)}`, async () => {
          await assert.rejects(answer(row, identity, { [pattern]: file }), { code: code(endpoint) });
        });
      }
    }
  }

  test('behind an error route two places say that a post is missing, and three that an account is', async () => {
    const file = 'error_route_2026-01_guru.html';
    const error = { pattern: `^${home}/(natgeo|p/DdG4RIxIPyf|popular/travel)/$`, file };
    const none = {
      pattern: '/graphql',
      body: '{"data":{"xig_user_by_username":null,"xig_polaris_media":null}}',
    };
    const refused = { pattern: '/graphql', status: 403 };
    const unknown = { pattern: '/natgeo/embed/', body: '<script>{"contextJSON":null}</script>' };
    const gone = {
      pattern: '/embed/captioned/',
      file: 'embed-captioned_2026-03-25_C-s7_vJvX1a_gone_contextJSON-empty_ua-app.html',
    };
    const oembed = { pattern: '/oembed/', status: 404, body: '{"message":"No Media Match"}' };
    const exists = { pattern: '/oembed/', body: '{"author_name":"natgeo"}' };
    for (const [row, identity, code, ...places] of [
      [profile, natgeo, 'profile_not_found', none, unknown, oembed],
      [profile, natgeo, 'platform_restricted', none, unknown],
      [profile, natgeo, 'platform_restricted', none, oembed],
      [profile, natgeo, 'platform_restricted', none, unknown, exists],
      [posts, natgeo, 'profile_not_found', none, unknown, oembed],
      [posts, natgeo, 'platform_restricted', none],
      [post, reel, 'post_not_found', none, gone],
      [post, reel, 'post_not_found', refused, gone, oembed],
      [post, reel, 'platform_restricted', none],
      [post, reel, 'platform_restricted', refused, gone],
      [post, reel, 'platform_restricted', none, exists],
      [comments, reel, 'post_not_found', none, gone],
      [comments, reel, 'platform_restricted', none],
    ] as const) {
      const endpoint = row as unknown as Endpoint;
      const source = routeSource(dir, [error, ...places, { pattern: '.', status: 599 }]);
      const question = { endpoint, identity, position: firstPosition, limit: 1 };
      const what = `${endpoint.path} ${places.map(({ pattern }) => pattern).join(' ')}`;
      await assert.rejects(fetchAnswer(question, source, stoppedClock), { code }, what);
    }
  });

  const gyozas = 'post_page_2025-11_beginveganbegun_DQwT90GjOcG_meta-only.html';
  const ulsan = 'profile_page_2026-01_ulsaninsta_meta-only.html';
  /** What stands behind a page without data: nothing, the same page, documents that know nothing, a second 404. */
  const behind = (file: string): Route[][] => [
    [{ pattern: '.', status: 599 }],
    [{ pattern: '.', file }],
    [
      { pattern: '/graphql', body: '{"data":{"xig_user_by_username":null,"xig_polaris_media":null}}' },
      { pattern: '.', status: 404 },
    ],
    [{ pattern: '.', status: 429 }],
  ];

  test('a profile page without data still describes the account', async () => {
    for (const rest of behind(ulsan)) {
      const source = routeSource(dir, [{ url: `${home}/ulsaninsta/`, file: ulsan }, ...rest]);
      const endpoint = profile as unknown as Endpoint;
      const question = { endpoint, identity: { username: 'ulsaninsta' }, position: firstPosition, limit: 1 };
      const { answer, seconds } = await fetchAnswer(question, source, stoppedClock);
      assert.deepEqual(JSON.parse(answer.data), {
        username: 'ulsaninsta',
        name: '울산인스타',
        biography:
          '▪️울산 관련 플랫폼 울산인 입니다😘\n▪️ 개인DM제보(맛집, 사람찾기,무료행사 등) 대환영📢\n  since 2010',
        bio_links: null,
        followers_count: 5351,
        follows_count: 3408,
        media_count: 713,
        is_verified: null,
        is_private: null,
        is_business_account: null,
        category: null,
        contact_buttons: null,
      });
      assert.equal(seconds, 300);
    }
  });

  test('a post page without data still describes the post', async () => {
    for (const rest of behind(gyozas)) {
      const source = routeSource(dir, [{ url: `${home}/p/DQwT90GjOcG/`, file: gyozas }, ...rest]);
      const endpoint = post as unknown as Endpoint;
      const question = {
        endpoint,
        identity: { shortcode: 'DQwT90GjOcG' },
        position: firstPosition,
        limit: 1,
      };
      const { answer, seconds } = await fetchAnswer(question, source, stoppedClock);
      const { caption, ...others } = JSON.parse(answer.data) as PhotosocialPost;
      assert.match(caption ?? '', /^✨Sopa de gyozas✨\n\nEs una forma[\s\S]+#sopa #onepot #recetasfaciles$/);
      assert.deepEqual(others, {
        shortcode: 'DQwT90GjOcG',
        permalink: `${home}/reel/DQwT90GjOcG/`,
        media_type: 'VIDEO',
        timestamp: null,
        media_url: null,
        children: [],
        like_count: 13_000,
        comments_count: 167,
        view_count: null,
        hashtags: ['vegan', 'gyozas', 'sopa', 'onepot', 'recetasfaciles'],
        mentions: [],
        is_paid_partnership: null,
        username: 'beginveganbegun',
      });
      assert.equal(seconds, 300);
    }
  });

  test('a rendered post page without data tells its kind by the address of its picture', async () => {
    const malik = 'post_page_2026-03_yum._.malik_DV8zNOpiDSV_rendered.html';
    const captures = { [`^${home}/p/DV8zNOpiDSV/$`]: malik };
    const { data } = await answer<PhotosocialPost>(post, { shortcode: 'DV8zNOpiDSV' }, captures);
    const { caption, media_url, hashtags, ...others } = data;
    assert.match(caption ?? '', /^Desi look are the comfort/);
    assert.match(media_url ?? '', /^https:\/\/scontent\.cdninstagram\.com\/.*651016692_/);
    assert.equal(hashtags?.[0], 'instagram');
    assert.deepEqual(others, {
      shortcode: 'DV8zNOpiDSV',
      permalink: `${home}/p/DV8zNOpiDSV/`,
      media_type: 'CAROUSEL_ALBUM',
      timestamp: null,
      children: null,
      like_count: 34,
      comments_count: 7,
      view_count: null,
      mentions: [],
      is_paid_partnership: null,
      username: 'yum._.malik',
    });
  });

  test('lists on such a page are withheld, whatever the other sources say', async () => {
    for (const [row, identity, url, file] of [
      [posts, { username: 'ulsaninsta' }, `${home}/ulsaninsta/`, ulsan],
      [comments, { shortcode: 'DQwT90GjOcG' }, `${home}/p/DQwT90GjOcG/`, gyozas],
    ] as const) {
      for (const rest of behind(file)) {
        const source = routeSource(dir, [{ url, file }, ...rest]);
        const question = {
          endpoint: row as unknown as Endpoint,
          identity,
          position: firstPosition,
          limit: 12,
        };
        await assert.rejects(fetchAnswer(question, source, stoppedClock), { code: 'platform_restricted' });
      }
    }
  });

  test('the head of another subject is no answer', async () => {
    for (const [row, identity, file] of [
      [profile, natgeo, ulsan],
      [post, reel, gyozas],
      [posts, natgeo, ulsan],
      [comments, reel, gyozas],
    ] as const) {
      await assert.rejects(answer(row, identity, { '^http': file }), (error: ExtractError) => {
        assert.equal(error.code, 'platform_changed', error.message);
        return true;
      });
    }
  });

  test('a profile of 2022: its category is hidden', async () => {
    const { data } = await answer<PhotosocialProfile>(
      profile,
      { username: 'robertdowneyjr' },
      { '^http': 'g22_profile_user_robertdowneyjr.json' },
    );
    assert.deepEqual(data, {
      username: 'robertdowneyjr',
      name: 'Robert Downey Jr. Official',
      biography: 'Get involved: @officialfootprintcoalition 🌎🙏',
      bio_links: [],
      followers_count: 52979346,
      follows_count: 5,
      media_count: 419,
      is_verified: true,
      is_private: false,
      is_business_account: true,
      category: null,
      contact_buttons: null,
    });
  });

  test('the posts of a profile of 2022 are withheld, not none', async () => {
    const captures = { '^http': 'g22_profile_user_robertdowneyjr.json' };
    await assert.rejects(answer(posts, { username: 'robertdowneyjr' }, captures), {
      code: 'platform_blocked',
    });
  });

  test('a profile of the app of 2021: its one link', async () => {
    const { data } = await answer<PhotosocialProfile>(
      profile,
      { username: 'robertdowneyjr' },
      { '^http': 'v1_21_users_info_robertdowneyjr.json' },
    );
    assert.deepEqual(data.bio_links, [{ title: null, url: 'http://www.swau.com/RDJ' }]);
    assert.equal(data.followers_count, 50857062);
    assert.equal(data.media_count, 400);
    assert.equal(data.category, null);
    assert.equal(data.is_business_account, true);
    assert.equal(data.contact_buttons, null);
  });

  test('a missing account of 2020', async () => {
    for (const row of [profile, posts]) {
      await assert.rejects(answer(row, { username: 'nobody' }, { '^http': 'g20_user_null.json' }), {
        code: 'profile_not_found',
      });
    }
  });

  test('a timeline of 2024: twenty whole posts', async () => {
    const captures = { [`^${home}/instagram/$`]: 'g24_timeline_edges_instagram.json' };
    const { data, next } = await answer<PhotosocialPost[]>(posts, { username: 'instagram' }, captures);
    assert.equal(data.length, 20);
    assert.ok(data.every(({ timestamp, like_count, media_url }) => timestamp && like_count && media_url));
    assert.equal(data[0]?.view_count, 5123024);
    assert.equal(data[1]?.media_type, 'CAROUSEL_ALBUM');
    assert.ok((data[1]?.children?.length ?? 0) > 1);
    assert.deepEqual(data[1]?.hashtags, ['aliyahcore', '24for24']);
    assert.deepEqual(data[11]?.mentions, ['maddieziegler', 'sagawards']);
    assert.deepEqual(data[11]?.hashtags, ['10things', 'sagawards']);
    // Its cursor is for a document that is dead.
    assert.equal(next, null);
  });

  test('a timeline of another account is not given', async () => {
    await assert.rejects(answer(posts, natgeo, { '^http': 'g24_timeline_edges_instagram.json' }), {
      code: 'platform_changed',
    });
  });
});
