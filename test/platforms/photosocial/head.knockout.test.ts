import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { fixturesOf } from '../../support/fixtures.js';

const home = 'https://www.instagram.com';

/** What the answer becomes, or the error's code, where the page has that head and all else is refused. */
async function outcome(row: unknown, identity: Record<string, string>, url: string, body: string) {
  const endpoint = row as Endpoint;
  const source = routeSource('.', [
    { url, body },
    { pattern: '.', status: 403 },
  ]);
  try {
    const question = { endpoint, identity, position: firstPosition, limit: 1 };
    const { answer, seconds } = await fetchAnswer(question, source, stoppedClock);
    assert.equal(seconds, 300);
    return JSON.parse(answer.data) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ExtractError) return error.code;
    throw error;
  }
}

const fixture = (row: unknown, file: string) =>
  readFileSync(path.join(fixturesOf(row as Endpoint), file), 'utf8');

/** The page without the meta elements of those names. */
function without(html: string, ...names: string[]): string {
  const left = names.reduce(
    (text, name) => text.replace(new RegExp(`<meta [a-z]+="${name}" [^>]*>`, 'g'), ''),
    html,
  );
  assert.notEqual(left, html, `nothing was removed for ${names}`);
  return left;
}

type Change = string | Readonly<Record<string, unknown>>;

function knockOutHead(
  row: unknown,
  identity: Record<string, string>,
  url: string,
  file: string,
  knockouts: readonly (readonly [names: string[], becomes: Change])[],
) {
  const html = fixture(row, file);
  for (const [names, becomes] of knockouts) {
    test(`${file} without ${names.join(' and ')}`, async () => {
      const whole = (await outcome(row, identity, url, html)) as Record<string, unknown>;
      const expected = typeof becomes === 'string' ? becomes : { ...whole, ...becomes };
      assert.deepEqual(await outcome(row, identity, url, without(html, ...names)), expected);
    });
  }
}

describe('a profile from the head of its page', () => {
  const counts = { followers_count: null, follows_count: null, media_count: null };
  knockOutHead(profile, { username: 'head.lantern' }, `${home}/head.lantern/`, 'head.html', [
    [['og:url'], 'platform_rate_limited'],
    [['og:title'], { name: null }],
    [['og:description'], {}],
    [['description'], { biography: null }],
    [['og:description', 'description'], { ...counts, biography: null }],
    [['og:description', 'description', 'og:title'], 'platform_restricted'],
    [['og:image'], {}],
    [['og:type'], {}],
  ]);
});

describe('a post from the head of its page', () => {
  const reel = { shortcode: 'Dd_qEMHeadA' };
  knockOutHead(post, reel, `${home}/p/Dd_qEMHeadA/`, 'head-reel.html', [
    [['og:url'], 'platform_rate_limited'],
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

  test('whose counts are hidden or written otherwise keeps the rest', async () => {
    const html = fixture(post, 'head-reel.html');
    const read = (words: string) =>
      outcome(post, reel, `${home}/p/Dd_qEMHeadA/`, html.replaceAll('13K likes, 167 comments', words));
    const counts = async (words: string) => {
      const { like_count, comments_count, caption } = (await read(words)) as Record<string, unknown>;
      assert.match(String(caption), /^Soup/);
      return [like_count, comments_count];
    };
    assert.deepEqual(await counts('1,234 likes, 1 comment'), [1234, 1]);
    assert.deepEqual(await counts('1.2M likes, 3 comments'), [1_200_000, 3]);
    assert.deepEqual(await counts('167 comments'), [null, 167]);
    assert.deepEqual(await counts('13 Tsd. Gefällt-mir-Angaben, 167 Kommentare'), [null, null]);
  });

  test('whose caption is cut off is none: its hashtags are not known', async () => {
    const html = fixture(post, 'head-reel.html').replaceAll('&quot;. "', '"');
    assert.equal(await outcome(post, reel, `${home}/p/Dd_qEMHeadA/`, html), 'platform_restricted');
  });
});
