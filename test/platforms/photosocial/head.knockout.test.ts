import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { fixturesOf } from '../../support/fixtures.js';
import { readRoutes } from '../../support/read-routes.js';

const home = 'https://www.instagram.com';

/** Returns the answer or error code for a page with this head if everything else is refused. */
async function outcome(row: unknown, params: object, url: string, body: string) {
  try {
    const pages = [
      { url, body },
      { pattern: '.', status: 403 },
    ];
    const { data, seconds } = await readRoutes<Record<string, unknown>>(row, params, pages);
    assert.equal(seconds, 300);
    return data;
  } catch (error) {
    if (error instanceof ExtractError) return error.code;
    throw error;
  }
}

const fixture = (row: unknown, file: string) =>
  readFileSync(path.join(fixturesOf(row as Endpoint), file), 'utf8');

/** The page without the meta elements of those names, and without its links where `alternate` is among them. */
function without(html: string, ...names: string[]): string {
  const altered = names.reduce(
    (text, name) => text.replace(new RegExp(`<(?:meta|link) [a-z]+="${name}" [^>]*>`, 'g'), ''),
    html,
  );
  assert.notEqual(altered, html, `nothing was removed for ${names}`);
  return altered;
}

type Change = string | Readonly<Record<string, unknown>>;

function knockOutHead(
  row: unknown,
  params: object,
  url: string,
  file: string,
  knockouts: readonly (readonly [names: string[], becomes: Change])[],
) {
  const html = fixture(row, file);
  for (const [names, becomes] of knockouts) {
    test(`${file} without ${names.join(' and ')}`, async () => {
      const full = (await outcome(row, params, url, html)) as Record<string, unknown>;
      const expected = typeof becomes === 'string' ? becomes : { ...full, ...becomes };
      assert.deepEqual(await outcome(row, params, url, without(html, ...names)), expected);
    });
  }
}

describe('a profile from the head of its page', () => {
  const counts = { followers_count: null, follows_count: null, media_count: null };
  knockOutHead(profile, { username: 'head.lantern' }, `${home}/head.lantern/`, 'head.html', [
    [['og:url'], {}],
    [['alternate'], {}],
    [['og:url', 'alternate'], 'platform_rate_limited'],
    [['og:title'], { name: null }],
    [['og:description'], {}],
    [['description'], { biography: null }],
    [['og:description', 'description'], { ...counts, biography: null }],
    [['og:description', 'description', 'og:title'], 'platform_restricted'],
    [['og:image'], {}],
    [['og:type'], {}],
  ]);
});

describe('the counts in the head of a profile, in words', () => {
  const html = fixture(profile, 'head.html');
  for (const [words, counts] of [
    ['1,234 Followers, 5 Following, 1 Post', [1234, 5, 1]],
    ['12.3K Followers, 1 234 Following, 7,000 Posts', [12_300, 1234, 7000]],
    ['12,3K Followers, 5 Following, 12 Posts', [12_300, 5, 12]],
    ['41M Followers, 1.234 Following, 1,23,456 Posts', [41_000_000, 1234, 123_456]],
    ['1,234,5 Followers, 12 xyz Following, 12,3 Posts', null],
    ['1,234,5 Followers, 5 Following, 12 Posts', [null, 5, 12]],
    ['1, 234 Followers, 5 Following, 12 Posts', null],
    ['12 mil Followers, 5 Following, 12 Posts', [null, 5, 12]],
    ['12 tys. obserwujących, 5 obserwowanych, 12 postów', null],
    ['1.234 Follower, 5 Gefolgt, 12 Beiträge', [1234, null, null]],
    ['12,3 Tsd. Follower, 5 Gefolgt, 12 Beiträge', null],
    ['12 mil seguidores, 5 seguidos, 12 publicaciones', null],
    ['1,2 mi seguidores, 5 seguindo, 12 posts', [null, null, 12]],
    ['12 K abonnés, 5 suivi(e)s, 12 publications', null],
    ['1,2 Mln follower, 5 profili seguiti, 12 post', [null, null, 12]],
    ['12 B takipçi, 5 takip, 12 gönderi', null],
    ['12 E követő, 5 követés, 12 bejegyzés', null],
    ['12 тыс. подписчиков, 5 подписок, 12 публикаций', null],
    ['١٢ ألف متابع، ٥ متابَعين، ١٢ منشورًا', null],
    ['フォロワー1.2万人、フォロー中5人、投稿12件', null],
    ['12 rb pengikut, 5 mengikuti, 12 postingan', null],
    ['1,2 Tr người theo dõi, 5 đang theo dõi, 12 bài viết', null],
  ] as const) {
    test(`“${words}” are ${counts ?? 'unknown'}`, async () => {
      const body = html.replaceAll('5,351 Followers, 3,408 Following, 713 Posts', words);
      assert.notEqual(body, html);
      const answer = await outcome(profile, { username: 'head.lantern' }, `${home}/head.lantern/`, body);
      const { followers_count, follows_count, media_count } = answer as Record<string, unknown>;
      assert.deepEqual([followers_count, follows_count, media_count], counts ?? [null, null, null]);
    });
  }
});

describe('a post from the head of its page', () => {
  const reel = { shortcode: 'Dd_qEMHeadA' };
  knockOutHead(post, reel, `${home}/p/Dd_qEMHeadA/`, 'head-reel.html', [
    [['og:url'], {}],
    [['alternate'], {}],
    [['og:url', 'alternate'], 'platform_rate_limited'],
    [['og:description'], {}],
    [['og:description', 'description'], 'platform_restricted'],
    // The address says that it is a reel.
    [['og:type', 'twitter:title', 'medium'], {}],
    [['og:title'], {}],
    [['og:image'], {}],
  ]);
  const picture = { shortcode: 'Dd_qEMHeadB' };
  knockOutHead(post, picture, `${home}/p/Dd_qEMHeadB/`, 'head-picture.html', [
    [['og:image'], { media_url: null }],
    [['twitter:title'], {}],
    [['og:type', 'twitter:title'], 'platform_restricted'],
  ]);

  const album = { shortcode: 'Dd_qEMHeadE' };
  knockOutHead(post, album, `${home}/p/Dd_qEMHeadE/`, 'head-carousel.html', [
    [['og:image'], 'platform_restricted'],
    [['og:type', 'twitter:title'], {}],
  ]);
  const film = { shortcode: 'Dd_qEMHeadC' };
  knockOutHead(post, film, `${home}/p/Dd_qEMHeadC/`, 'head-hidden.html', [
    [['og:video'], { media_url: null }],
    [['og:type', 'twitter:title'], {}],
    [['og:type', 'twitter:title', 'og:video'], 'platform_restricted'],
  ]);

  test('has its kind from the tag of its picture, if nothing else says it', async () => {
    const html = fixture(post, 'head-carousel.html');
    const tagged = (json: string) => {
      const efg = encodeURIComponent(Buffer.from(json).toString('base64'));
      return outcome(post, album, `${home}/p/Dd_qEMHeadE/`, html.replace(/efg=[^&]*/, `efg=${efg}`));
    };
    for (const [tag, kind] of [
      ['{"efg_tag":"FEED.best_image_urlgen.C3"}', 'IMAGE'],
      ['{"efg_tag":"CLIPS.best_image_urlgen.C3"}', 'VIDEO'],
      ['{"vencode_tag":"CAROUSEL_ITEM.xpids.1080.sdr.C3"}', 'CAROUSEL_ALBUM'],
    ] as const) {
      const { media_type, children } = (await tagged(tag)) as Record<string, unknown>;
      assert.deepEqual([media_type, children], [kind, kind === 'CAROUSEL_ALBUM' ? null : []]);
    }
    for (const tag of ['{"efg_tag":"profile_pic.www.400.C3"}', '{"efg_tag":"NEWS.FEED.C3"}', 'no json']) {
      assert.equal(await tagged(tag), 'platform_restricted');
    }
  });

  test('keeps its caption if its counts are hidden or in other words', async () => {
    const html = fixture(post, 'head-reel.html');
    const read = (words: string) =>
      outcome(post, reel, `${home}/p/Dd_qEMHeadA/`, html.replaceAll('13K likes, 167 comments', words));
    const counts = async (words: string) => {
      const { like_count, comments_count, caption } = (await read(words)) as Record<string, unknown>;
      assert.match(String(caption), /^Soup/);
      return [like_count, comments_count];
    };
    for (const [words, expected] of [
      ['1,234 likes, 1 comment', [1234, 1]],
      ['1.2M likes, 3 comments', [1_200_000, 3]],
      ['167 comments', [null, 167]],
      ['13 Tsd. Gefällt-mir-Angaben, 167 Kommentare', [null, null]],
      ['12,3K likes, 1 234 comments', [12_300, 1234]],
      ['1, 234 likes', [null, null]],
      ['1,234,5 likes, 12 mil comments', [null, null]],
      ['1 234 567 likes, 12 B comments', [1_234_567, 12_000_000_000]],
    ] as const)
      assert.deepEqual(await counts(words), expected, words);
  });

  test('is refused if its caption is cut off, because its hashtags are unknown', async () => {
    const html = fixture(post, 'head-reel.html').replaceAll('&quot;. "', '"');
    assert.equal(await outcome(post, reel, `${home}/p/Dd_qEMHeadA/`, html), 'platform_restricted');
  });
});
