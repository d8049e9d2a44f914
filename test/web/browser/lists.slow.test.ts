import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { remembered } from '../../../lib/call/cursor.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import {
  getShortvideoComments,
  getShortvideoVideos,
  searchShortvideoVideos,
} from '../../../lib/endpoints.js';
import { savePages } from '../../../lib/web/save-pages.js';
import { fromSavedPages } from '../../../lib/web/saved-pages.js';
import { always, browserSite, noBrowser, siteByBrowser } from '../../support/browser-site.js';
import { commentsOfVideo, shortvideoSite, videoId, videosOfAccount } from '../../support/shortvideo-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ids, lengths, walk } from '../../support/walk-list.js';

const comments = getShortvideoComments.endpoint as unknown as Endpoint;
const videos = getShortvideoVideos.endpoint as unknown as Endpoint;
const search = searchShortvideoVideos.endpoint as unknown as Endpoint;

describe('lists that a page requests', { skip: noBrowser }, () => {
  const folder = temporaryFolder();

  test('continue to their end in one visit, with pauses', async (t) => {
    const site = await browserSite(t, folder, shortvideoSite());
    const source = siteByBrowser(t, site);
    const pages = await walk(comments, { id: videoId }, () => always(source));
    assert.deepEqual(lengths(pages), [20, 20, 15]);
    assert.equal(new Set(ids(pages)).size, commentsOfVideo);
    assert.equal(site.requests.filter((one) => one.includes('/@_/video/')).length, 1);
    const all = await walk(videos, { username: 'baker' }, () => always(source), 20);
    assert.deepEqual(lengths(all), [20, 10, 20, 10, 15]);
    assert.equal(new Set(ids(all)).size, videosOfAccount);
    assert.deepEqual(lengths(await walk(search, { query: 'rye bread' }, () => always(source))), [12, 12, 12]);
    await assert.rejects(
      walk(search, { query: 'no such words' }, () => always(source)),
      { code: 'platform_login_required' },
    );
  });

  for (const shifting of [false, true]) {
    const kind = shifting ? 'hold in one visit only' : 'hold everywhere';
    test(`continue in another process, if the platform’s tokens ${kind}`, async (t) => {
      const site = await browserSite(t, folder, shortvideoSite({ shifting }));
      let close = async () => {};
      const pages = await walk(videos, { username: 'baker' }, async () => {
        await close();
        const source = siteByBrowser(t, site);
        close = () => source.close();
        return always(source);
      });
      assert.equal(ids(pages).length, videosOfAccount);
      assert.equal(new Set(ids(pages)).size, videosOfAccount);
    });

    test(`continue after more items than a cursor remembers, if the platform’s tokens ${kind}`, async (t) => {
      const videosOfList = remembered + 95;
      const site = await browserSite(t, folder, shortvideoSite({ shifting, videos: videosOfList }));
      let source = siteByBrowser(t, site);
      let pages = 0;
      const readPages = await walk(videos, { username: 'baker' }, async () => {
        pages += 1;
        // Once the first items are forgotten, each page is read by another process.
        if (pages * 30 > remembered) {
          await source.close();
          source = siteByBrowser(t, site);
        }
        return always(source);
      });
      assert.deepEqual(lengths(readPages), [...Array(9).fill(30), 25]);
      const all = ids(readPages);
      assert.equal(new Set(all).size, videosOfList);
      assert.deepEqual(
        all,
        all.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)),
      );
    });
  }

  test('are saved by --save-pages, and read again without a browser', async (t) => {
    const site = await browserSite(t, folder, shortvideoSite());
    const saveFolder = temporaryFolder();
    const source = siteByBrowser(t, site);
    const first = await walk(videos, { username: 'baker' }, () => savePages(always(source), saveFolder));
    const again = await walk(videos, { username: 'baker' }, () => fromSavedPages(saveFolder));
    assert.deepEqual(again, first);
  });

  test('behind a login wall are platform_login_required', async (t) => {
    const site = await browserSite(t, folder, shortvideoSite({ walled: true }));
    const source = siteByBrowser(t, site);
    for (const [endpoint, params] of [
      [comments, { id: videoId }],
      [videos, { username: 'baker' }],
    ] as const) {
      await assert.rejects(
        walk(endpoint, params, () => always(source)),
        { code: 'platform_login_required' },
      );
    }
  });
});
