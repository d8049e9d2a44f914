import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import {
  getPhotosocialPosts,
  getPlace,
  getPronetworkPosts,
  getShortvideoComments,
  getShortvideoProfile,
  getShortvideoVideos,
  searchPlaces,
  searchShortvideoVideos,
} from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { casesOf } from '../../../lib/samples.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import {
  type Answers,
  always,
  type BrowserSite,
  browserSite,
  noBrowser,
  sharedByFile,
  siteByBrowser,
} from '../../support/browser-site.js';
import {
  behindScript,
  companySite,
  companyUrl,
  photoPostsSite,
  placePageSite,
  placesQuery,
  placesSite,
  postsAccount,
} from '../../support/long-lists.js';
import { commentsOfVideo, shortvideoSite, videoId } from '../../support/shortvideo-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { walk } from '../../support/walk-list.js';

type Params = Record<string, string>;
const endpoint = (one: { readonly endpoint: unknown }) => one.endpoint as Endpoint;
const videos = [endpoint(getShortvideoVideos), { username: 'baker' }] as const;
const comments = [endpoint(getShortvideoComments), { id: videoId }] as const;
const search = [endpoint(searchShortvideoVideos), { query: 'rye bread' }] as const;
const places = [endpoint(searchPlaces), { query: placesQuery }] as const;
const photoPosts = [endpoint(getPhotosocialPosts), { username: postsAccount }] as const;
const companyPosts = [endpoint(getPronetworkPosts), { company_url: companyUrl }] as const;

/** The number that an invented item carries in one of its texts: its place in the list. */
const placeIn = (item: object) =>
  Number(/(?:Post|Video|Comment|Review|Bakery) (\d+)/.exec(JSON.stringify(item))?.[1]);

describe('a complete list, however its page shows it', { skip: noBrowser, concurrency: 2 }, () => {
  /** A site and its browser, for one test at a time: what one test reads to its end leaves nothing to the next. */
  interface Lane {
    readonly site: BrowserSite;
    readonly source: PageSource;
    answers: Answers;
  }
  const folder = temporaryFolder();
  const shared = sharedByFile();
  const free: Lane[] = [];

  async function openLane(): Promise<Lane> {
    const lane = { answers: (() => undefined) as Answers };
    const site = await browserSite(shared, mkdtempSync(path.join(folder, 'lane-')), (request) =>
      lane.answers(request),
    );
    return Object.assign(lane, { site, source: always(siteByBrowser(shared, site)) });
  }

  /** Reads a list to its end, and asserts that each item comes once and in order. Returns the requests. */
  async function gathered(
    answers: Answers,
    [of, params]: readonly [Endpoint, Params],
    items: number,
  ): Promise<readonly string[]> {
    const lane = free.pop() ?? (await openLane());
    lane.answers = answers;
    const requestsBefore = lane.site.requests.length;
    const pages = await walk(of, params, () => lane.source);
    assert.deepEqual(
      pages.flat().map(placeIn),
      Array.from({ length: items }, (_, at) => at),
    );
    // A failed test may have left a visit open, so its lane is not reused.
    free.push(lane);
    return lane.site.requests.slice(requestsBefore);
  }

  const isComplete = async (...list: Parameters<typeof gathered>) => void (await gathered(...list));
  const isChanged = (error: unknown) => error instanceof ExtractError && error.code === 'platform_changed';

  for (const [name, list, site] of [
    ['shortvideo videos', videos, shortvideoSite({ videos: 95, how: { shows: 35 } })],
    ['shortvideo comments', comments, shortvideoSite({ how: { shows: 20 } })],
    ['shortvideo search', search, shortvideoSite({ how: { shows: 12 } })],
    ['maps places', places, placesSite(75, { shows: 20 })],
  ] as const) {
    test(`${name} of a page that embeds the first part are refused, not incomplete`, async (t) => {
      const source = always(siteByBrowser(t, await browserSite(t, temporaryFolder(), site)));
      await assert.rejects(
        walk(list[0], list[1], () => source),
        isChanged,
      );
    });
  }

  test('maps places: the first part is read from the page’s state', async () => {
    const requests = await gathered(placesSite(75, { shows: 20, holds: true }), places, 75);
    assert.equal(requests.filter((one) => one.includes('/maps/search/')).length, 1);
    assert.equal(requests.filter((one) => one.includes('tbm=map')).length, 3);
  });

  test('maps place: the place is read from the page’s state', async (t) => {
    const site = await browserSite(t, temporaryFolder(), placePageSite());
    const source = always(siteByBrowser(t, site));
    const [sample] = await casesOf(endpoint(getPlace));
    const [place] = await walk(endpoint(getPlace), sample?.params as Params, () => source);
    assert.ok((place as unknown as { name: string }).name.length > 0);
    assert.deepEqual(
      site.requests.filter((one) => one.includes('preview')),
      [],
    );
  });

  for (const by of ['panel', 'frame', 'button', 'wheel'] as const) {
    test(`shortvideo videos by a ${by}`, () =>
      isComplete(shortvideoSite({ videos: 95, how: { by } }), videos, 95));
    test(`photosocial posts by a ${by}`, () => isComplete(photoPostsSite(60, { by }), photoPosts, 60));
  }
  for (const by of ['panel', 'button'] as const) {
    test(`shortvideo comments by a ${by}`, () =>
      isComplete(shortvideoSite({ how: { by } }), comments, commentsOfVideo));
  }
  test('shortvideo search by a panel', () =>
    isComplete(shortvideoSite({ how: { by: 'panel' } }), search, 36));

  for (const more of [
    { words: 'Show more', isLink: true },
    { words: 'Next' },
    { words: 'Mehr anzeigen' },
    { words: 'もっと見る', isLink: true },
  ]) {
    test(`shortvideo videos by “${more.words}”${more.isLink === true ? ', a link' : ''}`, () =>
      isComplete(shortvideoSite({ videos: 65, how: { by: 'button', more } }), videos, 65));
  }
  test('photosocial posts by “View all comments” and the like', () =>
    isComplete(photoPostsSite(36, { by: 'button', more: { words: 'View all 36' } }), photoPosts, 36));
  for (const prompt of ['corner', 'not now', 'escape'] as const) {
    test(`shortvideo videos under a prompt that a visitor closes: ${prompt}`, () =>
      isComplete(shortvideoSite({ videos: 65, how: { prompt } }), videos, 65));
  }
  test('shortvideo videos end before a prompt that cannot be closed', () =>
    isComplete(shortvideoSite({ videos: 65, how: { prompt: 'never' } }), videos, 30));

  test('an empty answer that the page requests again is not the list', () =>
    isComplete(shortvideoSite({ videos: 65, how: { againMs: 2500 } }), videos, 65));

  test('an HTTP 500 after which the page asks again is not the end', () => {
    let failed = false;
    const answers = shortvideoSite({ videos: 65, how: { againMs: 2500 } });
    return isComplete(
      (request) => {
        if (failed || request.query.get('cursor') !== '30') return answers(request);
        failed = true;
        return { status: 500, body: '' };
      },
      videos,
      65,
    );
  });

  test('a page that redirects after some seconds is waited for', async (t) => {
    const open = shortvideoSite();
    for (const leads of [
      '<meta http-equiv="refresh" content="2">',
      '<script>setTimeout(() => location.reload(), 3000)</script>',
    ]) {
      let opened = 0;
      const site = await browserSite(t, temporaryFolder(), (request) => {
        if (request.path !== '/@baker') return open(request);
        opened += 1;
        return opened === 1 ? { body: `<title>A moment</title>${leads}` } : open(request);
      });
      const source = always(siteByBrowser(t, site));
      const [profiles] = await walk(endpoint(getShortvideoProfile), { username: 'baker' }, () => source);
      assert.equal((profiles as unknown as { username: string }).username, 'baker');
    }
  });

  test('a cookie dialog over the page is declined', () =>
    isComplete(photoPostsSite(36, { dialog: true }), photoPosts, 36));

  test('a script before each page of pronetwork also runs before its lists', () =>
    isComplete(behindScript(companySite(45)), companyPosts, 45));

  test('lists of six hundred are complete, and each opens one document', async () => {
    const requests = await gathered(shortvideoSite({ videos: 600 }), videos, 600);
    assert.equal(requests.filter((one) => one.endsWith('/@baker')).length, 1);
    assert.equal(requests.filter((one) => one.includes('item_list')).length, 20);
  });
});
