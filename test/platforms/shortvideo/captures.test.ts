import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
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
const missingPage = () => scope('video_page_2026-09_missing_10204.scope.json');

describe('real shortvideo pages', { skip }, () => {
  test('a profile that never existed', async () => {
    await assert.rejects(
      read(profile, { username: 'nobody.at.all' }, [
        { url: `${site}/@nobody.at.all`, body: scope('profile_page_2026-09_nonexistent_10221.scope.json') },
      ]),
      { code: 'profile_not_found' },
    );
  });

  test('the captions of speech, original and translated, of the page and of that for mobile clients', async () => {
    for (const [id, file, original] of [
      ['7571863205253778710', videoFile, 'spa-ES'],
      ['7585124257601162516', 'mobile_reflow_2026-01_7585124257601162516.html', 'vie-VN'],
    ] as const) {
      const { captions } = await read(video, { id }, [{ url: `${site}/@_/video/${id}`, file }]);
      const [caption] = JSON.parse(captions ?? '[]') as ItemCaptions[];
      assert.ok(caption?.id === id);
      assert.deepEqual(caption.captions.map(({ language, kind }) => [language, kind]).sort(), [
        ['eng-US', 'translated'],
        [original, 'original'],
      ]);
      for (const { url } of caption.captions) assert.match(url, /^https:\/\/[^/]+\.tiktok(cdn-eu)?\.com\/.+/);
      assert.equal(new Set(caption.captions.map(({ url }) => url)).size, 2);
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

  test('the waiting-room challenge, before any of the pages', async () => {
    const route = [{ pattern: '.', file: 'waf_please_wait_2026-09.html' }];
    for (const [endpoint, params] of [
      [profile, { username: 'nasa' }],
      [videos, { username: 'nasa' }],
      [video, { id: photoId }],
    ] as const) {
      await assert.rejects(read(endpoint, params, route), { code: 'platform_blocked' });
    }
  });

  test('the scope cut out of a page is the one that parsing all of it gives', () => {
    for (const [file, name] of [
      [videoFile, 'webapp.video-detail'],
      [profileFile, 'webapp.user-detail'],
    ] as const) {
      const bytes = readFileSync(path.join(dir, file));
      const json = scriptById(bytes.toString('utf8'), '__UNIVERSAL_DATA_FOR_REHYDRATION__');
      const full = JSON.parse(json ?? '').__DEFAULT_SCOPE__[name];
      assert.deepEqual(scopeOf(page(site, 200, {}, bytes), { scopes: [name], apiData: 'none' }), full);
    }
  });
});
