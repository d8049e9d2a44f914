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
import type { PhotosocialComment, PhotosocialPost } from '../../../lib/platforms/photosocial/objects.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

const dir = path.join(packageRoot(), '..', 'shared', 'captures', 'photosocial');
const skip = existsSync(dir) ? false : 'the real captures are not beside this checkout';
const home = 'https://www.instagram.com';

/** Answers with captures at some addresses and failures at all others. */
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
  const answer = await fetchAnswer({ endpoint, identity, position: place, limit }, source, stoppedClock);
  return { data: JSON.parse(answer.answer.data) as Data, next: answer.answer.next };
}
const natgeo = { username: 'natgeo' };
const reel = { shortcode: 'DdG4RIxIPyf' };

describe('real pages of photosocial', { skip }, () => {
  const varaiya = 'post_2026-01_rashi_varaiya_DM5F3Vzq6TN_V1_comments.html';

  test('a page with comments in the shape V1: they are those of the post that the page asked about', async () => {
    const pages = { [`^${home}/p/DM5F3Vzq6TN/$`]: varaiya };
    const { data, next } = await answer<PhotosocialComment[]>(comments, { shortcode: 'DM5F3Vzq6TN' }, pages);
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
    const missingPage = {
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
      [post, reel, 'post_not_found', none, missingPage],
      [post, reel, 'post_not_found', refused, missingPage, oembed],
      [post, reel, 'platform_restricted', none],
      [post, reel, 'platform_restricted', refused, missingPage],
      [post, reel, 'platform_restricted', none, exists],
      [comments, reel, 'post_not_found', none, missingPage],
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
  /** The routes after a page without data: none, the same page, documents without the subject, a second 404. */
  const behind = (file: string): Route[][] => [
    [{ pattern: '.', status: 599 }],
    [{ pattern: '.', file }],
    [
      { pattern: '/graphql', body: '{"data":{"xig_user_by_username":null,"xig_polaris_media":null}}' },
      { pattern: '.', status: 404 },
    ],
    [{ pattern: '.', status: 429 }],
  ];

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

  test('a timeline of another account is not given', async () => {
    await assert.rejects(answer(posts, natgeo, { '^http': 'g24_timeline_edges_instagram.json' }), {
      code: 'platform_changed',
    });
  });
});
