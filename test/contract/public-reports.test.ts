import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { at, listAt } from '../../lib/read/json.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { pagesOf } from '../support/cases.js';

// Bugs that users of similar programs reported, three or more of each kind. Reported URLs are in `pasted-urls.txt`,
// table cells in the tests of formats.

const fixture = (name: string) => `fixtures/${name}`;
const search = (file: string, change = (body: string) => body): Route => ({
  pattern: 'tbm=map',
  body: change(readFileSync(fixture(`maps/places/${file}`), 'utf8')),
});
const bakeries = { query: 'bakery in Graz' };
const jobs: Route = { pattern: 'seeMoreJobPostings', file: fixture('pronetwork/jobs/list-0.html') };
const page = (name: string): Route => ({ pattern: '.', file: fixture(name) });
const closed: Route = { pattern: '.', status: 500 };

/** The first row of a search with the place of another answer in it. */
function withPlace(body: string, file: string): string {
  const rootOf = (text: string) => JSON.parse(text.replace(/^\)\]\}'\s*/, ''));
  const root = rootOf(body);
  root[64][0][1] = rootOf(readFileSync(fixture(file), 'utf8'))[6];
  return `)]}'\n${JSON.stringify(root)}`;
}

type Item = Readonly<Record<string, unknown>>;

interface Report {
  readonly report: string;
  readonly asks: readonly [endpoint: string, params: Item];
  readonly pages: readonly Route[];
  readonly of?: (items: Item[]) => unknown;
  /** A value of the answer, or an error's code. */
  readonly is: unknown;
}

const repeats = (items: Item[]) => items.length - new Set(items.map((item) => JSON.stringify(item))).size;

/** A page of TikTok whose exact counts are 0. */
const withZeros = (name: string): Route => ({
  pattern: '.',
  body: readFileSync(fixture(name), 'utf8').replace(/"statsV2":\{[^}]*\}/, (stats) =>
    stats.replaceAll(/:"\d+"/g, ':"0"'),
  ),
});

const place = { place_id: 'ChIJtjc9rEc1bkcRzq9EdYiTlqE' };

const anotherSubject: readonly Report[] = [
  {
    report: 'spinlud/linkedin-jobs-scraper#23: the fields of another job',
    asks: ['pronetwork/jobs', { query: 'lantern engineer', limit: 1 }],
    pages: [jobs, page('pronetwork/jobs/jobs/4300000002.html')],
    of: (items) => at(items, 0, 'description'),
    is: null,
  },
  {
    report: 'gosom/google-maps-scraper#223: the results of another query',
    asks: ['maps/places', { query: 'car wraps in Florida' }],
    pages: [search('bakeries-1.json')],
    is: 'platform_changed',
  },
  {
    report: 'JoTec2002/InstagramToMealie#8: the code of a share link, taken for that of the post',
    asks: ['photosocial/post', { url: 'https://www.instagram.com/share/reel/BAinventedToken' }],
    pages: [
      {
        pattern: '/share/',
        finalUrl: 'https://www.instagram.com/reel/Dd_qEMJuIux/',
        file: fixture('photosocial/post/reel.html'),
      },
      page('photosocial/post/reel.html'),
    ],
    of: (items) => at(items, 0, 'shortcode'),
    is: 'Dd_qEMJuIux',
  },
];

const repeatedPages: readonly Report[] = [
  {
    report: 'spinlud/linkedin-jobs-scraper#15: the same jobs on every page',
    asks: ['pronetwork/jobs', { query: 'lantern engineer' }],
    pages: [jobs, closed],
    of: repeats,
    is: 0,
  },
  {
    report: 'subzeroid/instagrapi#1575: the same cursor again',
    asks: ['maps/reviews', { ...place, sort: 'newest', limit: 4 }],
    pages: [{ pattern: 'GetLocalBoqProxy', file: fixture('maps/reviews/page-1.json') }, closed],
    of: repeats,
    is: 0,
  },
  {
    report: 'subzeroid/instagrapi#1811: a cursor that leads back to the beginning',
    asks: ['shortvideo/comments', { id: '7574000000000000014' }],
    pages: [{ pattern: 'comment/list', file: fixture('shortvideo/comments/answer-still.json') }, closed],
    of: repeats,
    is: 0,
  },
];

const lostFields: readonly Report[] = [
  {
    report: 'apify-projects/store-crawler-google-places#341: closed for a time, but open in a search',
    asks: ['maps/places', bakeries],
    pages: [search('bakeries-1.json', (body) => withPlace(body, 'maps/place/closed-for-a-time.json'))],
    of: (items) => at(items, 0, 'business_status'),
    is: 'CLOSED_TEMPORARILY',
  },
  {
    report: 'serpapi/public-roadmap#3180: the hours of a row of a search',
    asks: ['maps/places', bakeries],
    pages: [search('bakeries-1.json')],
    of: (items) => listAt(items, 0, 'opening_hours', 'weekday_text').length,
    is: 7,
  },
  {
    report: 'joshuatz/linkedin-to-jsonresume#68: the third role at one employer',
    asks: ['pronetwork/profile', { vanity_name: 'ilse-brandvik' }],
    pages: [page('pronetwork/profile/rich.html')],
    of: (items) =>
      listAt(items, 0, 'experience').filter((role) => at(role, 'company') === 'Tunnel Tile Works').length,
    is: 3,
  },
];

const falseNumbers: readonly Report[] = [
  {
    report: 'drawrowfly/tiktok-scraper#375: an account with 0 followers, and millions of them',
    asks: ['shortvideo/profile', { username: 'mira.kettle' }],
    pages: [withZeros('shortvideo/profile/rich.html')],
    of: (items) => [at(items, 0, 'follower_count'), at(items, 0, 'video_count')],
    is: [783_400, 219],
  },
  {
    report: 'drawrowfly/tiktok-scraper#499: a video with 0 views, and thousands of them',
    asks: ['shortvideo/video', { id: '7571000000000000201' }],
    pages: [withZeros('shortvideo/video/rich.html')],
    of: (items) => [at(items, 0, 'view_count'), at(items, 0, 'like_count')],
    is: [192_100, 25_500],
  },
  {
    report: 'digitalmethodsinitiative/zeeschuimer#45: hidden likes, told as 3',
    asks: ['photosocial/post', { shortcode: 'Dd_qEMKoiMT' }],
    pages: [page('photosocial/post/hidden.html')],
    of: (items) => at(items, 0, 'like_count'),
    is: null,
  },
];

const emptyAnswers: readonly Report[] = [
  {
    report: 'serpapi/public-roadmap#3526: “no reviews” for a place that has some',
    asks: ['maps/reviews', { ...place, sort: 'lowest' }],
    pages: [
      { pattern: 'GetLocalBoqProxy', body: `)]}'\n[null,[${'null,'.repeat(10)}[null,null,null]]]` },
      { pattern: 'preview/place', file: fixture('maps/place/rich.json') },
    ],
    is: 'platform_changed',
  },
  {
    report: 'firecrawl/firecrawl#1091: completed, with a total of 0',
    asks: ['shortvideo/videos', { username: 'mira.kettle' }],
    pages: [page('shortvideo/profile/challenge.html')],
    is: 'platform_blocked',
  },
  {
    report: 'firecrawl/firecrawl#2413: the page of a wall, billed as an answer',
    asks: ['pronetwork/company', { vanity_name: 'ember-and-clay' }],
    pages: [page('pronetwork/company/guest-home.html')],
    is: 'platform_blocked',
  },
  {
    report: 'covidatlas/coronadatascraper#315: zeros while the source is down',
    asks: ['shortvideo/profile', { username: 'mira.kettle' }],
    pages: [{ pattern: '.', status: 503 }],
    is: 'platform_unavailable',
  },
];

/** Answers of a list that are read, page by page. */
const most = 4;

/** The items of an answer and of the pages that its cursor leads to, or the code of its error. */
async function answerTo({ asks: [path, params], pages, of }: Report): Promise<unknown> {
  const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail(path);
  const source = routeSource('.', pages);
  try {
    const items = (await pagesOf(endpoint, { name: path, params, pages }, source, most)).flat() as Item[];
    return of === undefined ? items : of(items);
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    return error.code;
  }
}

for (const [kind, reports] of Object.entries({
  'another subject': anotherSubject,
  'a page that repeats': repeatedPages,
  'fields that were lost': lostFields,
  'numbers that are not so': falseNumbers,
  'an empty answer for a refusal': emptyAnswers,
})) {
  describe(`reported elsewhere, ${kind}:`, () => {
    assert.ok(reports.length >= 3);
    for (const one of reports) test(one.report, async () => assert.deepEqual(await answerTo(one), one.is));
  });
}
