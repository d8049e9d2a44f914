import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answers, noBrowser } from '../support/browser-site.js';
import {
  behindScript,
  companySite,
  companyUrl,
  photoPostsSite,
  placesQuery,
  placesSite,
  postsAccount,
  reviewedPlace,
  reviewsSite,
} from '../support/long-lists.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { type Arrival, medianGap, serveSite } from './harness.js';

interface LongList {
  readonly name: string;
  readonly site: Answers;
  readonly args: readonly string[];
  readonly items: number;
  /** Path of the requests for its parts, and milliseconds between two of them at the platform's pace. */
  readonly parts: RegExp;
  readonly paceMs: number;
  /** Seconds that the list takes on an idle machine; one minute by default. */
  readonly within?: number;
}

const lists: readonly LongList[] = [
  {
    name: 'maps/places',
    site: placesSite(95, { pauseMs: 500 }),
    args: ['--query', placesQuery],
    items: 95,
    parts: /^\/search$/,
    paceMs: 1000,
  },
  {
    name: 'maps/reviews',
    site: reviewsSite(105),
    args: ['--place-id', reviewedPlace.placeId],
    items: 105,
    parts: /GetLocalBoqProxy$/,
    paceMs: 1000,
  },
  {
    name: 'photosocial/posts',
    site: photoPostsSite(108, { by: 'panel', dialog: true }),
    args: ['--username', postsAccount],
    items: 108,
    parts: /^\/graphql\/query$/,
    paceMs: 3000,
  },
  {
    name: 'pronetwork/posts',
    site: behindScript(companySite(95)),
    args: ['--company-url', companyUrl],
    items: 95,
    parts: /feedUpdates/,
    paceMs: 5000,
    // Twelve turns at its pace: the script, the page, and ten parts of ten, of which the last is empty.
    within: 75,
  },
  {
    name: 'shortvideo/comments',
    site: shortvideoSite({ how: { by: 'panel', pauseMs: 3000 } }),
    args: ['--id', videoId],
    items: 55,
    parts: /^\/api\/comment\/list\/$/,
    paceMs: 1500,
  },
];

/** When each came, in seconds: what a failure is understood by. */
const listed = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ at, path, cookie }) => `${(at / 1000).toFixed(1)} ${path} ${cookie}`).join('\n');

/** The number that an invented item carries in one of its texts: its place in the list. */
const placeIn = (item: object) =>
  Number(/(?:Post|Comment|Review|Bakery) (\d+)/.exec(JSON.stringify(item))?.[1]);

describe('long lists, with every setting as it comes', { skip: noBrowser, concurrency: 2 }, () => {
  for (const { name, site, args, items, parts, paceMs, within = 60 } of lists) {
    test(`${name}: ${items} items come completely, in order and at the pace`, async () => {
      const { extract, browsed } = await serveSite((request) =>
        request.browsed ? site(request) : { status: 403, body: 'Forbidden' },
      );
      const startedAt = performance.now();
      const { status, out, err } = await extract(name, [...args, '--all']);
      const seconds = (performance.now() - startedAt) / 1000;
      assert.equal(status, 0, `${err}${listed(browsed())}`);
      assert.deepEqual(
        JSON.parse(out).data.map(placeIn),
        Array.from({ length: items }, (_, at) => at),
      );
      // Most of it is the pace. A busy machine takes up to twice as long.
      assert.ok(seconds < 2 * within, `${seconds} s`);
      const partRequests = browsed().filter(({ path }) => parts.test(path));
      assert.ok(partRequests.length > 2);
      // Each list opens one page, whatever its length, and one more if a script ran before it.
      const pages = browsed().filter(
        ({ path, host }) => !parts.test(path) && path !== '/' && host.startsWith('www.'),
      );
      assert.ok(pages.length <= 2, pages.map(({ path }) => path).join());
      assert.ok(
        medianGap(partRequests) > 0.9 * paceMs,
        `${medianGap(partRequests)} ms between the parts\n${listed(partRequests)}`,
      );
    });
  }
});
