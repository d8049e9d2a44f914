import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
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

async function read(
  path: string,
  params: Record<string, unknown>,
  source: PageSource,
  position: Json = null,
) {
  const endpoint = endpointOf(path);
  const identity = endpoint.identify(parseParams(endpoint, params));
  const limit = typeof params.limit === 'number' ? params.limit : (endpoint.page?.max ?? 1);
  const { answer, seconds } = await fetchAnswer(
    { endpoint, identity, position: { ...firstPosition, position }, limit },
    source,
    stoppedClock,
  );
  return { data: JSON.parse(answer.data) as unknown[], next: answer.next, seconds };
}

/** The markup around a fragment's items, and the only content after the last. */
const frame = '<!DOCTYPE html>\n\n<!---->\n';
const job = (n: number) =>
  `<li><div class="base-search-card" data-entity-urn="urn:li:jobPosting:${n}"><h3 class="base-search-card__title">Job ${n}</h3></div></li>`;
const jobs = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => job(from + at)).join('');
const detail = (n: string) =>
  `<section class="top-card-layout"><h2 class="topcard__title">Job ${n}</h2></section><div class="show-more-less-html__markup">About ${n}</div><code id="decoratedJobPostingId"><!--"${n}"--></code>`;
const startOf = (path: string) => Number(/start=(\d+)$/.exec(path)?.[1]);
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
  test('25 are three fragments and 25 pages; the next page continues within the third', async () => {
    const { source, paths } = recordingSource(jobSite(42));
    const first = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.deepEqual(lists(paths), [0, 10, 20]);
    assert.equal(paths.length, 28);
    assert.deepEqual(first.next, searchAt(20, 5));
    const second = await read('pronetwork/jobs', { query: 'job' }, source, first.next);
    assert.deepEqual(lists(paths).slice(3), [20, 30, 40, 42]);
    const titles = [...first.data, ...second.data].map((one) => (one as { title: string }).title);
    assert.deepEqual(
      titles,
      Array.from({ length: 42 }, (_, n) => `Job ${n}`),
    );
    assert.equal(second.next, null);
  });

  test('the reader requests no more pages than the limit needs', async () => {
    const { source, paths } = recordingSource(jobSite(42));
    const { data, next } = await read('pronetwork/jobs', { query: 'job', limit: 3 }, source);
    assert.equal(data.length, 3);
    assert.equal(paths.length, 4);
    assert.deepEqual(next, searchAt(0, 3));
  });

  test('the next fragment begins behind the cards that came, however many', async () => {
    const { source, paths } = recordingSource(jobSite(20, 7));
    const { data } = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.equal(data.length, 20);
    assert.deepEqual(lists(paths), [0, 7, 14, 20]);
  });

  test('a list that repeats itself ends', async () => {
    const { source, paths } = recordingSource((path) =>
      path.includes('/search?') ? { body: jobs(0, 10) } : { body: detail(/\d+$/.exec(path)?.[0] ?? '') },
    );
    const { data, next } = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.equal(data.length, 10);
    assert.equal(next, null);
    assert.deepEqual(lists(paths), [0, 10]);
  });

  const coverageOf = async (params: Record<string, unknown>, answer: (path: string) => Answer) => {
    const endpoint = endpointOf('pronetwork/jobs');
    const session = recordingSource(answer).source.open(endpoint.site);
    const identity = endpoint.identify(parseParams(endpoint, params));
    const { ended, ignored, total } = await endpoint.read({ identity, limit: 25, position: null, session });
    return { ended, ignored, total };
  };

  test('the answer says why its list ended', async () => {
    const repeating = (path: string) => jobSite(10)(path.replace(/start=\d+$/, 'start=0'));
    assert.equal((await coverageOf({ query: 'job' }, repeating)).ended, 'repeated');
    assert.equal((await coverageOf({ query: 'job' }, jobSite(12))).ended, 'end');
    assert.equal((await coverageOf({ query: 'job' }, jobSite(80))).ended, 'more');
    const page = (path: string) => (isPage(path) ? { body: searchPage(2, jobs(0, 2)) } : { body: '' });
    assert.deepEqual(await coverageOf({ query: 'job' }, page), { ended: 'end', ignored: [], total: 2 });
  });

  test('filters that did not hold are named, and their jobs are returned', async () => {
    const dated = (day: string) => (path: string) => ({
      headers: { date: 'Sat, 28 Nov 2026 09:00:00 GMT' },
      body:
        jobSite(1)(path).body?.replace(
          '</h3>',
          `</h3><time class="job-search-card__listdate" datetime="${day}">`,
        ) ?? '',
    });
    const params = { query: 'job', posted_within_days: 7 };
    assert.deepEqual((await coverageOf(params, dated('2026-11-21'))).ignored, []);
    assert.deepEqual((await coverageOf(params, dated('2026-11-19'))).ignored, ['posted_within_days']);
    const remote = { ...params, workplace_type: 'remote' };
    assert.deepEqual((await coverageOf(remote, jobSite(1))).ignored, ['workplace_type']);

    // Jobs of any country come for a place that the platform does not know.
    const located = (place: string, hits: Answer) => (path: string) =>
      path.includes('/typeaheadHits')
        ? hits
        : {
            body:
              jobSite(1)(path).body?.replace(
                '</h3>',
                `</h3><span class="job-search-card__location">${place}</span>`,
              ) ?? '',
          };
    const placed = { query: 'job', location: 'Zimbleville' };
    const none = { body: '[]' };
    assert.deepEqual((await coverageOf(placed, located('Osaka, Japan', none))).ignored, ['location']);
    assert.deepEqual((await coverageOf(placed, located('Zimbleville, Quarv', none))).ignored, []);
    for (const hits of [{ body: '[{"id":"7","displayName":"Quarv"}]' }, { status: 429 }])
      assert.deepEqual((await coverageOf(placed, located('Osaka, Japan', hits))).ignored, []);
  });

  test('the reader requests nothing beyond a thousand', async () => {
    const { source, paths } = recordingSource(jobSite(5000));
    const { data, next } = await read('pronetwork/jobs', { query: 'job' }, source, { start: 990, skip: 0 });
    assert.equal(data.length, 10);
    assert.equal(next, null);
    assert.deepEqual(lists(paths), [990]);
  });

  test('a list that is refused half-way is not an answer', async () => {
    const { source } = recordingSource((path) =>
      startOf(path) === 10 ? { status: 429 } : jobSite(42)(path),
    );
    await assert.rejects(read('pronetwork/jobs', { query: 'job' }, source), {
      code: 'platform_rate_limited',
    });
  });

  const none =
    '<section class="no-results"><h1>We couldn’t find a match for <strong class="no-results__main-title-keywords">A b jobs in Oslo</strong></h1></section>';
  const searchPage = (total: number | null, items = '', tags = '') =>
    `<html><head><meta name="pageKey" content="d_jobs_guest_search"><meta name="linkedin:pageTag" content="${tags}"></head><body><main><ul class="jobs-search__results-list">${items}</ul>${total === null ? '' : `<code id="totalResults"><!--${total}--></code>`}</main></body></html>`;
  const isPage = (path: string) => path.startsWith('/jobs/search?');
  const empty = ['', ' \n', frame] as const;

  test('an empty beginning is an empty list if the search page says that there are none', async () => {
    for (const body of empty)
      for (const page of [
        searchPage(0),
        searchPage(0, job(7)),
        searchPage(null, '', 'x=1;emptyResult=false').replace('<ul', `${none}<ul`),
      ]) {
        const { source, paths } = recordingSource((path) => ({
          body: path.includes('typeaheadHits')
            ? '[{"id":"105719246","type":"GEO","displayName":"Oslo, Norway","trackingId":"x"}]'
            : isPage(path)
              ? page
              : body,
        }));
        const { data, next } = await read(
          'pronetwork/jobs',
          { query: 'a b', location: 'Oslo', posted_within_days: 1, workplace_type: 'remote' },
          source,
        );
        assert.deepEqual([data, next], [[], null]);
        assert.deepEqual(paths.filter(isPage), [
          '/jobs/search?keywords=a+b&location=Oslo%2C+Norway&geoId=105719246&f_WT=2&f_TPR=r86400',
        ]);
      }
  });

  test('an empty beginning is not an empty list without confirmation', async () => {
    for (const body of empty)
      for (const [page, error] of [
        [{ body: '' }, 'an empty page'],
        [{ status: 999 }, '999'],
        [{ status: 429 }, 'limits the rate of requests'],
        [{ body: searchPage(12) }, 'without a list of jobs'],
        // Without a count they may be suggestions.
        [{ body: searchPage(null, job(7)) }, 'the number of its jobs'],
        [{ body: searchPage(null).replace('<ul', `${none}<ul`) }, 'without a list of jobs'],
      ] as const) {
        const { source } = recordingSource((path) => (isPage(path) ? page : { body }));
        await assert.rejects(read('pronetwork/jobs', { query: 'job' }, source), (thrown: ExtractError) => {
          assert.equal(thrown.code, 'platform_blocked');
          assert.ok(thrown.message.includes(error), thrown.message);
          return true;
        });
      }
  });

  test('the page of the search has the jobs that an empty beginning lacks', async () => {
    const { source } = recordingSource((path) =>
      isPage(path)
        ? { body: searchPage(2, jobs(0, 2)) }
        : path.includes('jobPosting')
          ? jobSite(2)(path)
          : { body: '' },
    );
    const { data, next } = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.deepEqual([data.length, next], [2, null]);
  });

  test('an empty body instead of further jobs is their end if the search page counts no more', async () => {
    const site = (total: number | null) =>
      recordingSource((path) => {
        if (isPage(path)) return total === null ? { status: 999 } : { body: searchPage(total, jobs(0, 10)) };
        return startOf(path) === 20 ? { body: '' } : jobSite(42)(path);
      }).source;
    const resumed = searchAt(20, 0);
    const ended = await read('pronetwork/jobs', { query: 'job' }, site(20));
    assert.deepEqual([ended.data.length, ended.next], [20, null]);
    assert.deepEqual((await read('pronetwork/jobs', { query: 'job' }, site(20), resumed)).data, []);
    for (const total of [42, null]) {
      const { data, next } = await read('pronetwork/jobs', { query: 'job' }, site(total));
      assert.deepEqual([data.length, next], [20, resumed], 'the answer ends before what is refused');
      await assert.rejects(read('pronetwork/jobs', { query: 'job' }, site(total), resumed), {
        code: 'platform_blocked',
      });
    }
  });

  test('status 400 instead of further jobs is their end if the search page counts no more', async () => {
    const site = (total: number) =>
      recordingSource((path) => {
        if (isPage(path)) return { body: searchPage(total, jobs(0, 10)) };
        return startOf(path) === 20 ? { status: 400 } : jobSite(42)(path);
      }).source;
    const ended = await read('pronetwork/jobs', { query: 'job' }, site(20));
    assert.deepEqual([ended.data.length, ended.next], [20, null]);
    const resumed = searchAt(20, 0);
    const { data, next } = await read('pronetwork/jobs', { query: 'job' }, site(42));
    assert.deepEqual([data.length, next], [20, resumed], 'the answer ends before what is refused');
    await assert.rejects(read('pronetwork/jobs', { query: 'job' }, site(42), resumed), {
      code: 'platform_blocked',
    });
  });

  test('a job that has expired since it was listed has the list’s values, and the answer is complete', async () => {
    for (const [to, isWhole] of [
      ['/jobs/search?keywords=job&trk=expired_jd_redirect', true],
      ['/jobs/view/job-7-at-co-7?trk=expired_jd_redirect', true],
      ['/jobs/view/job-7-at-co-7', false],
    ] as const) {
      const { source } = recordingSource((path) => {
        if (/jobPosting\/1$/.test(path)) return { status: 404 };
        if (path === '/jobs/view/1') return { body: `<main>${detail('7')}</main>`, to };
        return jobSite(2)(path);
      });
      const { data, seconds } = await read('pronetwork/jobs', { query: 'job' }, source);
      assert.deepEqual(
        data.map((one) => (one as { description: unknown }).description),
        ['About 0', null],
      );
      assert.equal(seconds > 300, isWhole, to);
    }
  });

  test('after a refusal the reader requests no further page, and the answer is cached for minutes', async () => {
    const { source, paths } = recordingSource((path) =>
      path.includes('jobPosting') ? { status: 999 } : jobSite(8)(path),
    );
    const { data, seconds } = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.equal(data.length, 8);
    assert.equal(paths.filter((path) => path.includes('jobPosting')).length, 1);
    assert.ok(seconds <= 300);
    assert.ok(data.every((one) => (one as { description: unknown }).description === null));
  });

  test('where fragments fail, the reader requests pages, and no further fragment', async () => {
    const { source, paths } = recordingSource((path) => {
      if (path.includes('jobPosting')) return { status: 599 };
      const id = /\/jobs\/view\/(\d+)$/.exec(path)?.[1];
      return id === undefined ? jobSite(3)(path) : { body: `<main>${detail(id)}</main>` };
    });
    const { data } = await read('pronetwork/jobs', { query: 'job' }, source);
    assert.deepEqual(
      data.map((one) => (one as { description: unknown }).description),
      ['About 0', 'About 1', 'About 2'],
    );
    assert.equal(paths.filter((path) => path.includes('jobPosting')).length, 1);
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
const companySite =
  (total: number, codes = code('feedUpdatesBaseUrl', `${feed}?paginationToken=t%3D`)) =>
  (path: string): Answer => {
    const from = /paginationStart=(\d+)$/.exec(path)?.[1];
    if (from === undefined) return { body: companyPage(posts(0, Math.min(10, total)), codes) };
    if (Number(from) >= total) return { status: 400 };
    return { body: posts(Number(from), Math.min(total, Number(from) + 10)) };
  };
const co = { company_url: 'https://www.linkedin.com/company/co' };
/** A position in the posts of a company; `first` is the newest post of its page. */
const postsAt = (place: Record<string, Json>) => ({ route: 'posts-page', at: place });
const first = String(7_000_000_000_000_000_000n);
const texts = (data: unknown[]) => data.map((one) => (one as { text: string }).text);

describe('posts of a company', () => {
  test('twenty are the page and a fragment; further pages are fragments alone', async () => {
    const { source, paths } = recordingSource(companySite(34));
    const first = await read('pronetwork/posts', co, source);
    assert.deepEqual(paths, ['/company/co', `${feed}?paginationToken=t%3D&paginationStart=10`]);
    const second = await read('pronetwork/posts', co, source, first.next);
    assert.deepEqual(
      paths.slice(2),
      [20, 30, 40].map((n) => `${feed}?paginationToken=t%3D&paginationStart=${n}`),
    );
    assert.deepEqual(
      texts([...first.data, ...second.data]),
      Array.from({ length: 34 }, (_, n) => `Post ${n}`),
    );
    assert.equal(second.next, null);
  });

  test('any limit gives every post once', async () => {
    for (const limit of [1, 3, 10, 11, 20]) {
      const { source } = recordingSource(companySite(27));
      const all: string[] = [];
      let next: Json = null;
      do {
        const answer: Awaited<ReturnType<typeof read>> = await read(
          'pronetwork/posts',
          { ...co, limit },
          source,
          next,
        );
        all.push(...texts(answer.data));
        next = answer.next as Json;
      } while (next !== null);
      assert.deepEqual(
        all,
        Array.from({ length: 27 }, (_, n) => `Post ${n}`),
        `limit ${limit}`,
      );
    }
  });

  test('a token next to the path is used, and a page without either has no more', async () => {
    const beside = recordingSource(
      companySite(12, code('feedUpdatesBaseUrl', feed) + code('paginationToken', 'a/b')),
    );
    await read('pronetwork/posts', co, beside.source);
    assert.equal(beside.paths[1], `${feed}?paginationToken=a%2Fb&paginationStart=10`);
    const none = recordingSource(companySite(12, ''));
    assert.equal((await read('pronetwork/posts', co, none.source)).next, null);
    assert.equal(none.paths.length, 1);
  });

  test('a path that leads elsewhere is not followed', async () => {
    for (const base of [
      'https://example.org/organization-guest/api/x',
      '/uas/login',
      '//example.org/x',
      '',
    ]) {
      const { source, paths } = recordingSource(companySite(12, code('feedUpdatesBaseUrl', base)));
      await read('pronetwork/posts', co, source);
      assert.deepEqual(paths, ['/company/co']);
    }
  });

  test('an empty body instead of further posts is a refusal, and a fragment without posts the end', async () => {
    const site = (body: string) =>
      recordingSource((path) => (path.endsWith('Start=10') ? { body } : companySite(34)(path))).source;
    const resumed = postsAt({ owner: 'co', org: '77', token: 't=', start: 10, skip: 0, first });
    for (const body of ['', ' \n']) {
      const { data, next, seconds } = await read('pronetwork/posts', co, site(body));
      assert.equal(data.length, 10);
      assert.deepEqual(next, resumed, 'the answer ends before what is refused, and leads to it');
      assert.ok(seconds <= 300);
      await assert.rejects(read('pronetwork/posts', co, site(body), resumed), { code: 'platform_blocked' });
    }
    const framed = await read('pronetwork/posts', co, site(code('feedPageStart', '10')));
    assert.deepEqual([framed.data.length, framed.next], [10, null]);
  });

  test('a wall with status 400 is not the end', async () => {
    for (const [body, error] of [
      ['<html><head><title>Security check</title></head></html>', 'platform_blocked'],
      [
        '<html><head><meta name="pageKey" content="auth_wall_desktop_company"></head></html>',
        'platform_login_required',
      ],
    ] as const) {
      const { source } = recordingSource((path) =>
        path.endsWith('Start=20') ? { status: 400, body } : companySite(34)(path),
      );
      const resumed = { owner: 'co', org: '77', token: 't=', start: 20, skip: 0 };
      await assert.rejects(read('pronetwork/posts', co, source, resumed), { code: error });
    }
  });

  test('an expired token is renewed once, and is not the end of the list', async () => {
    const old = { owner: 'co', org: '77', token: 'old', start: 20, skip: 0 };
    for (const status of [400, 404]) {
      const { source, paths } = recordingSource((path) =>
        path.includes('Token=old') ? { status } : companySite(34)(path),
      );
      const { data, next } = await read('pronetwork/posts', co, source, old);
      assert.deepEqual(
        texts(data),
        Array.from({ length: 14 }, (_, n) => `Post ${20 + n}`),
      );
      assert.equal(next, null);
      assert.deepEqual(paths.slice(0, 3), [
        `${feed}?paginationToken=old&paginationStart=20`,
        '/company/co',
        `${feed}?paginationToken=t%3D&paginationStart=20`,
      ]);
    }
    const ended = recordingSource(companySite(20));
    const end = await read('pronetwork/posts', co, ended.source, old);
    assert.deepEqual([end.data, end.next, ended.paths.length], [[], null, 3]);
    const same = recordingSource(companySite(20));
    await read('pronetwork/posts', co, same.source, { ...old, token: 't=' });
    assert.equal(same.paths.length, 2);
  });

  test('a list that repeats itself ends', async () => {
    const { source, paths } = recordingSource((path) =>
      path.includes('paginationStart') ? { body: posts(0, 10) } : companySite(10)(path),
    );
    const { data, next } = await read('pronetwork/posts', co, source);
    assert.equal(data.length, 10);
    assert.equal(next, null);
    assert.equal(paths.length, 2);
    const ten = await read('pronetwork/posts', { ...co, limit: 10 }, source);
    assert.deepEqual((await read('pronetwork/posts', co, source, ten.next)).data, [], 'over calls, too');
  });

  test('further posts that are missing for a new token are not requested again', async () => {
    const { source } = recordingSource((path) =>
      path.includes('paginationStart') ? { status: 404 } : companySite(10)(path),
    );
    const { data, next, seconds } = await read('pronetwork/posts', co, source);
    assert.deepEqual([data.length, next], [10, null]);
    assert.ok(seconds <= 300);
  });
});

describe('abandoned names', () => {
  for (const [path, params, name] of [
    ['pronetwork/profile', { public_id: 'a' }, 'vanity_name'],
    ['pronetwork/profile', { slug: 'a' }, 'vanity_name'],
    ['pronetwork/company', { slug: 'a' }, 'vanity_name'],
    ['pronetwork/jobs', { query: 'a', remote: true }, 'workplace_type'],
  ] as const) {
    test(`${path} ${Object.keys(params).at(-1)} points to ${name}`, () => {
      assert.throws(
        () => parseParams(endpointOf(path), params),
        (error) =>
          error instanceof ExtractError && error.code === 'renamed_parameter' && error.message.includes(name),
      );
    });
  }

  test('one of a pair, and not both', () => {
    const params = {
      profile_url: 'https://www.linkedin.com/in/a',
      company_url: 'https://www.linkedin.com/company/a',
    };
    assert.throws(() => parseParams(endpointOf('pronetwork/posts'), params), {
      code: 'conflicting_parameters',
    });
    assert.throws(() => parseParams(endpointOf('pronetwork/posts'), {}), { code: 'missing_parameter' });
  });
});
