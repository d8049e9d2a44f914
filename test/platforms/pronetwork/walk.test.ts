import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseParams } from '../../../lib/params/parse.js';
import type { Json } from '../../../lib/read/json.js';
import { page } from '../../../lib/web/page.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { stoppedClock } from '../../support/cases.js';

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly to?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A source that answers with a function and records the requested paths. */
function recordingSource(answer: (path: string) => Answer): { source: PageSource; paths: string[] } {
  const paths: string[] = [];
  const source: PageSource = {
    open: () => ({
      async fetch({ url }) {
        const path = url.replace('https://www.linkedin.com', '');
        paths.push(path);
        const { status = 200, body = '', to, headers = {} } = answer(path);
        const from = to === undefined ? url : `https://www.linkedin.com${to}`;
        const type = { 'content-type': 'text/html; charset=utf-8' };
        return page(from, status, { ...type, ...headers }, Buffer.from(body));
      },
      cookie: () => null,
      end() {},
    }),
    async close() {},
  };
  return { source, paths };
}

const endpointOf = (path: string) => endpoints.find((one) => one.path === path) as Endpoint;

async function read(path: string, params: object, source: PageSource, position: Json = null) {
  const endpoint = endpointOf(path);
  const identity = endpoint.identify(parseParams(endpoint, { ...params }));
  const limit = 'limit' in params ? Number(params.limit) : (endpoint.page?.max ?? 1);
  const place = { ...firstPosition, position };
  const request = { endpoint, identity, position: place, limit };
  const { answer, seconds } = await fetchAnswer(request, source, stoppedClock);
  const data = JSON.parse(answer.data) as { title?: string; description?: string; text?: string }[];
  return { data, next: answer.next, seconds, size: data.length };
}

const numbered = (word: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${word} ${from + n}`);

/** The markup around a fragment's items, and the only content after the last. */
const frame = '<!DOCTYPE html>\n\n<!---->\n';
const job = (n: number) =>
  `<li><div class="base-search-card" data-entity-urn="urn:li:jobPosting:${n}"><h3 class="base-search-card__title">Job ${n}</h3></div></li>`;
const jobs = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => job(from + at)).join('');
const detail = (n: string) =>
  `<section class="top-card-layout"><h2 class="topcard__title">Job ${n}</h2></section><div class="show-more-less-html__markup">About ${n}</div><code id="decoratedJobPostingId"><!--"${n}"--></code>`;
const startOf = (path: string) => Number(/start=(\d+)$/.exec(path)?.[1]);
const isPosting = (path: string) => path.includes('jobPosting/');
const jobSite =
  (total: number, size = 10) =>
  (path: string): Answer => {
    const id = /jobPosting\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) return { body: detail(id) };
    return { body: frame + jobs(startOf(path), Math.min(total, startOf(path) + size)) };
  };
const lists = (paths: readonly string[]) => paths.filter((path) => path.includes('/search?')).map(startOf);
const searchAt = (start: number, skip: number) => ({ route: 'search', at: { start, skip } });

describe('jobs', () => {
  const none =
    '<section class="no-results"><h1>We couldn’t find a match for <strong class="no-results__main-title-keywords">A b jobs in Oslo</strong></h1></section>';
  const searchPage = (total: number | null, items = '', tags = '') =>
    `<html><head><meta name="pageKey" content="d_jobs_guest_search"><meta name="linkedin:pageTag" content="${tags}"></head><body><main><ul class="jobs-search__results-list">${items}</ul>${total === null ? '' : `<code id="totalResults"><!--${total}--></code>`}</main></body></html>`;
  const isPage = (path: string) => path.startsWith('/jobs/search?');
  /** Searches for jobs on a site, and records the requested paths. */
  const search = async (site: (path: string) => Answer, params: object = {}, position: Json = null) => {
    const { source, paths } = recordingSource(site);
    return { ...(await read('pronetwork/jobs', { query: 'job', ...params }, source, position)), paths };
  };

  test('take three fragments and 25 pages for 25, and continue within the third', async () => {
    const first = await search(jobSite(42));
    assert.deepEqual([lists(first.paths), first.paths.length], [[0, 10, 20], 28]);
    assert.deepEqual(first.next, searchAt(20, 5));
    const second = await search(jobSite(42), {}, first.next);
    assert.deepEqual([lists(second.paths), second.next], [[20, 30, 40, 42], null]);
    const titles = [...first.data, ...second.data].map(({ title }) => title);
    assert.deepEqual(titles, numbered('Job', 42));
  });

  const repeating = (path: string) => jobSite(10)(path.replace(/start=\d+$/, 'start=0'));
  for (const [name, site, params, position, size, starts, next] of [
    ['take no pages beyond the limit', jobSite(42), { limit: 3 }, null, 3, [0], searchAt(0, 3)],
    ['continue with a fragment after the received cards', jobSite(20, 7), {}, null, 20, [0, 7, 14, 20], null],
    ['end if the list repeats itself', repeating, {}, null, 10, [0, 10], null],
    ['end at a thousand', jobSite(5000), {}, { start: 990, skip: 0 }, 10, [990], null],
  ] as const) {
    test(name, async () => {
      const answer = await search(site, params, position);
      assert.deepEqual([answer.size, lists(answer.paths), answer.next], [size, starts, next]);
      assert.equal(answer.paths.filter(isPosting).length, size);
    });
  }

  const coverageOf = async (params: object, answer: (path: string) => Answer) => {
    const endpoint = endpointOf('pronetwork/jobs');
    const session = recordingSource(answer).source.open(endpoint.site);
    const identity = endpoint.identify(parseParams(endpoint, { query: 'job', ...params }));
    const { ended, ignored, total } = await endpoint.read({ identity, limit: 25, position: null, session });
    return { ended, ignored, total };
  };

  test('say why the list ended', async () => {
    assert.equal((await coverageOf({}, repeating)).ended, 'repeated');
    assert.equal((await coverageOf({}, jobSite(12))).ended, 'end');
    assert.equal((await coverageOf({}, jobSite(80))).ended, 'more');
    const page = (path: string) => ({ body: isPage(path) ? searchPage(2, jobs(0, 2)) : '' });
    assert.deepEqual(await coverageOf({}, page), { ended: 'end', ignored: [], total: 2 });
  });

  /** A site with one job, whose card has a date or a place as well. */
  const marked =
    (mark: string, hits: Answer = {}) =>
    (path: string) =>
      path.includes('/typeaheadHits')
        ? hits
        : {
            headers: { date: 'Sat, 28 Nov 2026 09:00:00 GMT' },
            body: jobSite(1)(path).body?.replace('</h3>', `</h3>${mark}`) ?? '',
          };
  const dated = (day: string) => marked(`<time class="job-search-card__listdate" datetime="${day}">`);
  const located = (place: string, hits: Answer) =>
    marked(`<span class="job-search-card__location">${place}</span>`, hits);
  const week = { posted_within_days: 7 };
  const placed = { location: 'Zimbleville' };
  const another = { body: '[{"id":"7","displayName":"Quarv"}]' };
  for (const [name, params, site, ignored] of [
    ['a job of the week', week, dated('2026-11-21'), []],
    ['an older job', week, dated('2026-11-19'), ['posted_within_days']],
    ['another workplace', { ...week, workplace_type: 'remote' }, jobSite(1), ['workplace_type']],
    // Jobs of any country come for a place that the platform does not know.
    ['an unknown place', placed, located('Osaka, Japan', { body: '[]' }), ['location']],
    ['the place', placed, located('Zimbleville, Quarv', { body: '[]' }), []],
    ['a known place', placed, located('Osaka, Japan', another), []],
    ['refused suggestions', placed, located('Osaka, Japan', { status: 429 }), []],
  ] as const) {
    test(`with ${name} report the ignored filters [${ignored}]`, async () =>
      assert.deepEqual((await coverageOf(params, site)).ignored, ignored));
  }

  test('are refused if a later fragment is refused', async () => {
    const refusing = (path: string) => (startOf(path) === 10 ? { status: 429 } : jobSite(42)(path));
    await assert.rejects(search(refusing), { code: 'platform_rate_limited' });
  });

  for (const body of ['', ' \n', frame]) {
    for (const page of [
      searchPage(0),
      searchPage(0, job(7)),
      searchPage(null, '', 'x=1;emptyResult=false').replace('<ul', `${none}<ul`),
    ]) {
      test(`are none after ${JSON.stringify(body)} if the search page says so: ${page.length} bytes`, async () => {
        const hits = '[{"id":"105719246","type":"GEO","displayName":"Oslo, Norway","trackingId":"x"}]';
        const { data, next, paths } = await search(
          (path) => ({ body: path.includes('typeaheadHits') ? hits : isPage(path) ? page : body }),
          { query: 'a b', location: 'Oslo', posted_within_days: 1, workplace_type: 'remote' },
        );
        assert.deepEqual([data, next], [[], null]);
        assert.deepEqual(paths.filter(isPage), [
          '/jobs/search?keywords=a+b&location=Oslo%2C+Norway&geoId=105719246&f_WT=2&f_TPR=r86400',
        ]);
      });
    }

    for (const [page, message] of [
      [{ body: '' }, /an empty page/],
      [{ status: 999 }, /999/],
      [{ status: 429 }, /limits the rate of requests/],
      [{ body: searchPage(12) }, /lacks a list of jobs/],
      // Without a count they may be suggestions.
      [{ body: searchPage(null, job(7)) }, /the number of its jobs/],
      [{ body: searchPage(null).replace('<ul', `${none}<ul`) }, /lacks a list of jobs/],
    ] as const) {
      test(`are refused after ${JSON.stringify(body)} if the search page is refused: ${message.source}`, async () => {
        const site = (path: string) => (isPage(path) ? page : { body });
        await assert.rejects(search(site), { code: 'platform_blocked', message });
      });
    }
  }

  test('come from the search page if the first fragment is empty', async () => {
    const { size, next } = await search((path) => {
      if (isPage(path)) return { body: searchPage(2, jobs(0, 2)) };
      return isPosting(path) ? jobSite(2)(path) : { body: '' };
    });
    assert.deepEqual([size, next], [2, null]);
  });

  for (const instead of [{ body: '' }, { status: 400 }]) {
    const site = (total: number | null) => (path: string) => {
      if (isPage(path)) return total === null ? { status: 999 } : { body: searchPage(total, jobs(0, 10)) };
      return startOf(path) === 20 ? instead : jobSite(42)(path);
    };
    const resumed = searchAt(20, 0);

    test(`end at ${JSON.stringify(instead)} if the search page counts no more`, async () => {
      const { size, next } = await search(site(20));
      assert.deepEqual([size, next], [20, null]);
      assert.deepEqual((await search(site(20), {}, resumed)).data, []);
    });

    for (const total of [42, null]) {
      test(`are refused at ${JSON.stringify(instead)} if the search page counts ${total}`, async () => {
        const { size, next } = await search(site(total));
        assert.deepEqual([size, next], [20, resumed], 'the answer ends before what is refused');
        await assert.rejects(search(site(total), {}, resumed), { code: 'platform_blocked' });
      });
    }
  }

  for (const [to, isComplete] of [
    ['/jobs/search?keywords=job&trk=expired_jd_redirect', true],
    ['/jobs/view/job-7-at-co-7?trk=expired_jd_redirect', true],
    ['/jobs/view/job-7-at-co-7', false],
  ] as const) {
    test(`that expired, with a page that leads to ${to}, have the list’s values`, async () => {
      const { data, seconds } = await search((path) => {
        if (/jobPosting\/1$/.test(path)) return { status: 404 };
        if (path === '/jobs/view/1') return { body: `<main>${detail('7')}</main>`, to };
        return jobSite(2)(path);
      });
      const descriptions = data.map(({ description }) => description);
      assert.deepEqual([descriptions, seconds > 300], [['About 0', null], isComplete]);
    });
  }

  test('request no further page after a refusal, and are cached for minutes', async () => {
    const refusing = (path: string) => (isPosting(path) ? { status: 999 } : jobSite(8)(path));
    const { data, seconds, paths } = await search(refusing);
    assert.deepEqual(
      data.map(({ description }) => description),
      Array(8).fill(null),
    );
    assert.deepEqual([paths.filter(isPosting).length, seconds <= 300], [1, true]);
  });

  test('request pages if fragments fail', async () => {
    const { data, paths } = await search((path) => {
      if (isPosting(path)) return { status: 599 };
      const id = /\/jobs\/view\/(\d+)$/.exec(path)?.[1];
      return id === undefined ? jobSite(3)(path) : { body: `<main>${detail(id)}</main>` };
    });
    assert.deepEqual(
      data.map(({ description }) => description),
      numbered('About', 3),
    );
    assert.equal(paths.filter(isPosting).length, 1);
  });
});

const post = (n: number) =>
  `<li><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${7_000_000_000_000_000_000n + BigInt(n)}"><a href="https://no.linkedin.com/company/co?trk=organization_guest_main-feed-card_feed-actor-name">Co</a><p data-test-id="main-feed-activity-card__commentary">Post ${n}</p><div class="social-action-bar"></div></article></li>`;
const posts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => post(from + at)).join('');
const code = (id: string, value: string) => `<code id="${id}"><!--${JSON.stringify(value)}--></code>`;
const companyPage = (items: string, codes: string) =>
  `<html><head><meta name="pageKey" content="d_org_guest_company_overview"><link rel="canonical" href="https://www.linkedin.com/company/co"></head><body><main><section class="top-card-layout"><h1 class="top-card-layout__title">Co</h1></section><section data-test-id="updates"><ul class="updates__list">${items}</ul>${codes}</section></main></body></html>`;
const feed = '/organization-guest/api/feedUpdates/77';
const more = (start: number, token = 't%3D') => `${feed}?paginationToken=${token}&paginationStart=${start}`;
const companySite =
  (total: number, codes = code('feedUpdatesBaseUrl', `${feed}?paginationToken=t%3D`)) =>
  (path: string): Answer => {
    const from = /paginationStart=(\d+)$/.exec(path)?.[1];
    if (from === undefined) return { body: companyPage(posts(0, Math.min(10, total)), codes) };
    if (Number(from) >= total) return { status: 400 };
    return { body: posts(Number(from), Math.min(total, Number(from) + 10)) };
  };

describe('posts of a company', () => {
  const co = { company_url: 'https://www.linkedin.com/company/co' };
  /** Reads the posts of a company on a site, and records the requested paths. */
  const list = async (site: (path: string) => Answer, position: Json = null, params: object = {}) => {
    const { source, paths } = recordingSource(site);
    const answer = await read('pronetwork/posts', { ...co, ...params }, source, position);
    return { ...answer, texts: answer.data.map(({ text }) => text), paths };
  };
  /** A site whose further posts, or those at one place, are another answer. */
  const instead = (answer: Answer, total: number, start?: number) => (path: string) =>
    (start === undefined ? path.includes('paginationStart') : path.endsWith(`Start=${start}`))
      ? answer
      : companySite(total)(path);
  const at = (start: number, token = 't=') => ({ owner: 'co', org: '77', token, start, skip: 0 });

  test('take the page and a fragment for twenty, and fragments for more', async () => {
    const first = await list(companySite(34));
    assert.deepEqual(first.paths, ['/company/co', more(10)]);
    const second = await list(companySite(34), first.next);
    assert.deepEqual(second.paths, [more(20), more(30), more(40)]);
    assert.deepEqual([...first.texts, ...second.texts], numbered('Post', 34));
    assert.equal(second.next, null);
  });

  for (const limit of [1, 3, 10, 11, 20]) {
    test(`come once each with a limit of ${limit}`, async () => {
      const all: unknown[] = [];
      for (let next: Json = null; ; ) {
        const answer = await list(companySite(27), next, { limit });
        all.push(...answer.texts);
        if (answer.next === null) break;
        next = answer.next as Json;
      }
      assert.deepEqual(all, numbered('Post', 27));
    });
  }

  test('may have a token next to the path, and end without either', async () => {
    const beside = code('feedUpdatesBaseUrl', feed) + code('paginationToken', 'a/b');
    assert.equal((await list(companySite(12, beside))).paths[1], more(10, 'a%2Fb'));
    const none = await list(companySite(12, ''));
    assert.deepEqual([none.next, none.paths.length], [null, 1]);
  });

  for (const base of ['https://example.org/organization-guest/api/x', '/uas/login', '//example.org/x', '']) {
    test(`do not continue at “${base}”`, async () => {
      const { paths } = await list(companySite(12, code('feedUpdatesBaseUrl', base)));
      assert.deepEqual(paths, ['/company/co']);
    });
  }

  for (const body of ['', ' \n']) {
    test(`are refused at ${JSON.stringify(body)}`, async () => {
      const first = String(7_000_000_000_000_000_000n);
      const resumed = { route: 'posts-page', at: { ...at(10), first } };
      const { size, next, seconds } = await list(instead({ body }, 34, 10));
      assert.deepEqual([size, next, seconds <= 300], [10, resumed, true]);
      await assert.rejects(list(instead({ body }, 34, 10), resumed), { code: 'platform_blocked' });
    });
  }

  test('end at a fragment without posts', async () => {
    const { size, next } = await list(instead({ body: code('feedPageStart', '10') }, 34, 10));
    assert.deepEqual([size, next], [10, null]);
  });

  for (const [head, error] of [
    ['<title>Security check</title>', 'platform_blocked'],
    ['<meta name="pageKey" content="auth_wall_desktop_company">', 'platform_login_required'],
  ] as const) {
    test(`are ${error} at a wall with status 400`, async () => {
      const wall = { status: 400, body: `<html><head>${head}</head></html>` };
      await assert.rejects(list(instead(wall, 34, 20), at(20)), { code: error });
    });
  }

  for (const status of [400, 404]) {
    test(`renew an expired token once after the status ${status}`, async () => {
      const site = (path: string) => (path.includes('Token=old') ? { status } : companySite(34)(path));
      const { texts, next, paths } = await list(site, at(20, 'old'));
      assert.deepEqual([texts, next], [numbered('Post', 14, 20), null]);
      assert.deepEqual(paths.slice(0, 3), [more(20, 'old'), '/company/co', more(20)]);
    });
  }

  test('end after a renewed token, and do not renew the same token again', async () => {
    const ended = await list(companySite(20), at(20, 'old'));
    assert.deepEqual([ended.data, ended.next, ended.paths.length], [[], null, 3]);
    assert.equal((await list(companySite(20), at(20))).paths.length, 2);
  });

  test('end if the list repeats itself, over calls, too', async () => {
    const site = instead({ body: posts(0, 10) }, 10);
    const { size, next, paths } = await list(site);
    assert.deepEqual([size, next, paths.length], [10, null, 2]);
    const ten = await list(site, null, { limit: 10 });
    assert.deepEqual((await list(site, ten.next)).data, []);
  });

  test('are not requested again if they are missing for a new token', async () => {
    const { size, next, seconds } = await list(instead({ status: 404 }, 10));
    assert.deepEqual([size, next, seconds <= 300], [10, null, true]);
  });
});

describe('renamed parameters', () => {
  for (const [path, params, message] of [
    ['pronetwork/profile', { public_id: 'a' }, /vanity_name/],
    ['pronetwork/profile', { slug: 'a' }, /vanity_name/],
    ['pronetwork/company', { slug: 'a' }, /vanity_name/],
    ['pronetwork/jobs', { query: 'a', remote: true }, /workplace_type/],
  ] as const) {
    test(`of ${path} include ${Object.keys(params).at(-1)}, now ${message.source}`, () =>
      assert.throws(() => parseParams(endpointOf(path), params), { code: 'renamed_parameter', message }));
  }

  const [profile_url, company_url] = ['in', 'company'].map((kind) => `https://www.linkedin.com/${kind}/a`);
  for (const [params, code] of [
    [{ profile_url, company_url }, 'conflicting_parameters'],
    [{}, 'missing_parameter'],
  ] as const) {
    test(`are not accepted for posts without exactly one URL: ${code}`, () =>
      assert.throws(() => parseParams(endpointOf('pronetwork/posts'), params), { code }));
  }
});
