import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { parseParams } from '../../lib/params/parse.js';
import { at, listAt } from '../../lib/read/json.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from '../support/cases.js';

// Bugs that users of similar programs reported, tested here. Reported URLs are in `pasted-urls.txt`, table cells in the
// tests of formats.

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

const answered: readonly Report[] = [
  {
    report: 'spinlud/linkedin-jobs-scraper#15: the same jobs on every page',
    asks: ['pronetwork/jobs', { query: 'lantern engineer' }],
    pages: [jobs, closed],
    of: (items) => items.length - new Set(items.map((item) => JSON.stringify(item))).size,
    is: 0,
  },
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

describe('what was reported elsewhere holds here:', () => {
  for (const {
    report,
    asks: [path, params],
    pages,
    of,
    is,
  } of answered) {
    test(report, async () => {
      const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail(path);
      const identity = endpoint.identify(parseParams(endpoint, { ...params }));
      const limit = Number(params.limit ?? endpoint.page?.max ?? 1);
      try {
        const question = { endpoint, identity, position: firstPosition, limit };
        const { answer } = await fetchAnswer(question, routeSource('.', pages), stoppedClock);
        assert.deepEqual(of?.([JSON.parse(answer.data)].flat() as Item[]), is);
      } catch (error) {
        if (!(error instanceof ExtractError)) throw error;
        assert.equal(error.code, is, error.message);
      }
    });
  }
});
