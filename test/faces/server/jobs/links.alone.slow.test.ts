import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { requireAtom } from '../../../output/feed/require-atom.js';
import { ChangingSite, nextRun } from '../../../service/jobs/changing-site.js';
import { appOf, awaitJob, jobsHarness, makeJob, passSweep } from '../../../service/jobs/harness.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { clientOf, jobsApp } from './jobs-app.js';

interface LinkPage {
  readonly id: string;
  readonly kind: string;
  readonly prefix: string;
  readonly urls: readonly string[];
}

/** A schedule whose first run has ended, and a server that listens on a socket. */
async function scheduled(t: TestContext) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const site = new ChangingSite();
  site.names = ['a', 'b'];
  site.at = new Date(clock.now()).toISOString();
  const { all: harness, app, customer, get, post } = await jobsApp(t, { ask: site.ask, clock });
  const all = { ...harness, clock, pauseMs: 0 };
  const lineOptions = { history: true } as const;
  const order = { name: 'Boats', schedule: { every: '6h' }, lineOptions } as const;
  const first = await makeJob(all, customer, ['a'], order);
  await awaitJob(all, customer, first);
  const { schedule = '' } = await all.jobs.store.find(customer.account, first);
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  t.after(() => app.close());
  return {
    ...{ all, app, site, clock, customer, first, schedule, port, get, post },
    async link(path: string, kind: string): Promise<LinkPage> {
      const answer = await post(`/v1/${path}/links`, { kind });
      assert.equal(answer.statusCode, 201, answer.payload);
      return answer.json().data;
    },
    /** The answer to a client that has the address of a link, and no key. */
    read: (url: string | undefined, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${new URL(url ?? '').pathname}`, { method, headers }),
    /** Lets the schedule run once more. */
    async next() {
      site.at = new Date(clock.now() + 6 * 3_600_000).toISOString();
      const job = await nextRun(all, customer, schedule);
      await awaitJob(all, customer, job);
      return job;
    },
  };
}

const codeOf = async (answer: { json(): unknown }) =>
  ((await answer.json()) as { readonly error?: { readonly code: string } }).error?.code;

const refusalOf = async (reply: Promise<Response>) => [(await reply).status, await codeOf(await reply)];

/** The answer to bytes that are sent as they are, with nothing more. */
async function raw(port: number, request: string): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the links of a job or schedule', () => {
  test('are created showing their addresses once, listed without them, and revoked', async (t) => {
    const { customer, schedule, first, get, post, link, read, all, app } = await scheduled(t);
    const linkPage = await link(`schedules/${schedule}`, 'feed');
    assert.match(linkPage.urls.join(' '), /^https:\/\/docs\.example\/feeds\/[\w-]{43}\.atom \S+\.json$/);
    const table = await link(`jobs/${first}`, 'table');
    assert.match(table.urls.join(' '), /^https:\/\/docs\.example\/tables\/[\w-]{43}\.csv$/);
    const ofSchedule = `/v1/schedules/${schedule}/links`;
    const ofJob = `/v1/jobs/${first}/links`;
    const { urls, ...rest } = linkPage;
    assert.deepEqual((await get(ofSchedule)).json().data, [rest]);
    assert.ok(urls[0]?.includes(linkPage.prefix));
    assert.equal((await read(urls[0])).status, 200);
    const revoke = `${ofSchedule}/${linkPage.id}/revoke`;
    assert.equal((await post(revoke)).json().data.id, linkPage.id);
    for (const url of urls) assert.deepEqual(await refusalOf(read(url)), [404, 'link_not_found']);
    assert.equal(await codeOf(await post(revoke)), 'link_not_found');

    const { account } = customer;
    const other = await all.accounts.createKey({ account, name: 'other', platforms: ['shortvideo'] });
    for (const by of [await all.customer(), other]) {
      for (const [url, code] of [
        [ofSchedule, 'schedule_not_found'],
        [ofJob, 'job_not_found'],
        [`${ofJob}/${table.id}/revoke`, 'job_not_found'],
      ] as const)
        assert.equal(await codeOf(await clientOf(app, by).post(url, { kind: 'table' })), code, url);
    }
    for (const body of [undefined, {}, { kind: 'all' }, { kind: 'table', more: 1 }, []])
      assert.equal(await codeOf(await post(ofJob, body)), 'invalid_body');
    assert.equal(await codeOf(await post(ofJob, { kind: 'feed' })), 'invalid_parameter');
  });

  test('end with their schedule', async (t) => {
    const { schedule, post, link, read } = await scheduled(t);
    const { urls } = await link(`schedules/${schedule}`, 'table');
    assert.equal((await read(urls[0])).status, 200);
    await post(`/v1/schedules/${schedule}/end`);
    assert.equal(await codeOf(await read(urls[0])), 'link_not_found');
    const late = await post(`/v1/schedules/${schedule}/links`, { kind: 'table' });
    assert.equal(await codeOf(late), 'schedule_ended');
  });
});

describe('GET /feeds/{token}.atom and .json', () => {
  test('show readers the changes, under stable ids, with the time of the reading', async (t) => {
    const { schedule, link, read, next, site } = await scheduled(t);
    const { urls } = await link(`schedules/${schedule}`, 'feed');
    const [atom = '', json = ''] = urls;
    const first = await read(atom);
    assert.equal(first.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const before = await first.text();
    requireAtom(before);
    const firstAt = site.at;
    Object.assign(site, { names: ['c', 'a', 'b'], berths: 2 });
    await next();
    const text = await (await read(atom)).text();
    requireAtom(text);
    const feed = parseAtomFeed(text);
    const titles = feed.entries?.map(({ title }) => title?.value);
    assert.deepEqual(titles, ['b: berths 1 → 2', 'a: berths 1 → 2', 'New: c', 'b', 'a']);
    const times = feed.entries?.map(({ published }) => published);
    assert.deepEqual(times, [site.at, site.at, site.at, firstAt, firstAt]);
    assert.deepEqual([feed.title?.value, feed.updated], ['Boats', site.at]);
    assert.deepEqual(Object.fromEntries(feed.links?.map(({ rel, href }) => [rel, href]) ?? []), {
      ...{ self: atom, alternate: `https://docs.example/dashboard/schedules/${schedule}` },
    });
    const ids = feed.entries?.map(({ id }) => id) ?? [];
    assert.equal(new Set(ids).size, ids.length);
    const old = parseAtomFeed(before).entries?.map(({ id }) => id) ?? [];
    assert.deepEqual(ids.slice(-old.length), old);

    const answer = await read(json);
    assert.equal(answer.headers.get('content-type'), 'application/feed+json; charset=utf-8');
    const items = parseJsonFeed(await answer.text()).items?.map(({ id }) => id);
    assert.deepEqual(items, ids);
  });

  test('send nothing twice to readers that request only new entries', async (t) => {
    const { schedule, link, read, next, site, clock } = await scheduled(t);
    const { urls } = await link(`schedules/${schedule}`, 'feed');
    await clock.advance(2_000);
    const fullFeed = await read(urls[0]);
    const etag = fullFeed.headers.get('etag') ?? '';
    const modified = fullFeed.headers.get('last-modified') ?? '';
    assert.match(etag, /^"[\w-]{27}"$/);
    assert.equal(Date.parse(modified), Date.UTC(2026, 5, 1, 12));
    const status = async (headers: Record<string, string>, method?: string) =>
      (await read(urls[0], headers, method)).status;
    const tags = [etag, `"other", W/${etag}`, '*'].map((tag) => ({ 'if-none-match': tag }));
    for (const headers of [...tags, { 'if-modified-since': modified }]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await read(urls[0], headers, method);
        assert.deepEqual([answer.status, await answer.text()], [304, ''], JSON.stringify(headers));
        assert.deepEqual(
          ['etag', 'last-modified', 'cache-control'].map((name) => answer.headers.get(name)),
          [etag, modified, 'private, no-cache'],
        );
      }
    }
    // Apache compresses so; what it has stored goes by that tag.
    for (const tag of [etag.replace(/"$/, '-gzip"'), etag.replace(/"$/, '-br"')]) {
      const answer = await read(urls[0], { 'if-none-match': tag });
      assert.deepEqual([answer.status, answer.headers.get('etag')], [304, tag]);
    }
    assert.equal(await status({ 'if-none-match': etag.replace(/"$/, '-other"') }), 200);
    assert.equal(await status({ 'if-none-match': '"other"', 'if-modified-since': modified }), 200);
    assert.equal(await status({ 'if-modified-since': 'yesterday' }), 200);
    const head = await read(urls[0], {}, 'HEAD');
    assert.deepEqual(
      [head.status, head.headers.get('content-length'), head.headers.get('etag'), await head.text()],
      [200, String((await fullFeed.arrayBuffer()).byteLength), etag, ''],
    );
    site.names = ['a', 'b', 'c'];
    await next();
    // The current second may still bring another change, so no date is sent yet.
    const fresh = await read(urls[0], { 'if-none-match': etag });
    assert.deepEqual([fresh.status, fresh.headers.get('last-modified')], [200, null]);
    assert.equal(await status({ 'if-modified-since': modified }), 200);
  });
});

describe('GET /tables/{token}.csv', () => {
  test('returns the last rows to a client without any header', async (t) => {
    const { schedule, first, link, port, next, site, read } = await scheduled(t);
    const [csv = ''] = (await link(`schedules/${schedule}`, 'table')).urls;
    const [ofJob = ''] = (await link(`jobs/${first}`, 'table')).urls;
    const get = (url: string, method = 'GET') =>
      raw(port, `${method} ${new URL(url).pathname} HTTP/1.0\r\n\r\n`);
    const rowsOf = (answer: string) => {
      const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
      assert.match(head, /^HTTP\/1\.[01] 200 /);
      assert.match(head, /content-type: text\/csv; charset=utf-8/i);
      return (parse(body, { columns: true }) as { name: string; berths: string }[]).map(
        ({ name, berths }) => `${name} ${berths}`,
      );
    };
    assert.deepEqual(rowsOf(await get(csv)), ['a 1', 'b 1']);
    Object.assign(site, { names: ['=c', 'a'], berths: 2 });
    await next();
    assert.deepEqual(rowsOf(await get(csv)), ["'=c 2", 'a 2']);
    assert.deepEqual(rowsOf(await get(ofJob)), ['a 1', 'b 1']);
    const head = await get(csv, 'HEAD');
    assert.match(head, /^HTTP\/1\.[01] 200 .*content-length: [1-9]\d+\r\n.*\r\n\r\n$/is);
    assert.match(await raw(port, `GET ${new URL(csv).pathname} HTTP/1.1\r\n\r\n`), /^HTTP\/1\.1 400 /);
    const part = await read(csv, { range: 'bytes=0-4' });
    assert.deepEqual([part.status, await part.text()], [206, 'query']);
  });

  test('has a version by which a client requests a newer one', async (t) => {
    const { schedule, link, next, read, clock } = await scheduled(t);
    const [csv = ''] = (await link(`schedules/${schedule}`, 'table')).urls;
    await clock.advance(2_000);
    const answer = await read(csv);
    const etag = answer.headers.get('etag') ?? '';
    assert.equal(answer.headers.get('last-modified'), 'Mon, 01 Jun 2026 12:00:00 GMT');
    const modified = answer.headers.get('last-modified') ?? '';
    const part = async (version: string) =>
      (await read(csv, { range: 'bytes=1-', 'if-range': version })).status;
    assert.deepEqual([await part(etag), await part(modified), await part('"other"')], [206, 206, 200]);
    assert.equal((await read(csv, { 'if-none-match': etag })).status, 304);
    await next();
    assert.equal((await read(csv, { 'if-none-match': etag })).status, 200);
    // The rest of a version that there is no more would not fit to what the client has.
    assert.deepEqual([await part(etag), await part(modified)], [200, 200]);
  });

  test('reports missing and deleted results', async (t) => {
    const idle = await jobsHarness(t, { start: false });
    const owner = await idle.customer();
    const waiting = await makeJob(idle, owner, ['a'], { schedule: { every: '6h' } });
    const { schedule: later = '' } = await idle.jobs.store.find(owner.account, waiting);
    for (const subject of [
      { type: 'job', id: waiting },
      { type: 'schedule', id: later },
    ] as const) {
      const { token } = await idle.jobs.links.create(owner.account, subject, 'table');
      const answer = await appOf(idle).inject({ url: `/tables/${token}.csv` });
      assert.deepEqual([answer.statusCode, await codeOf(answer)], [409, 'job_not_finished']);
    }

    const { all, customer, first, link, read, clock, schedule } = await scheduled(t);
    const [ofJob = ''] = (await link(`jobs/${first}`, 'table')).urls;
    const [ofSchedule = ''] = (await link(`schedules/${schedule}`, 'table')).urls;
    await all.jobs.schedules.pause(customer.account, schedule);
    clock.set(clock.now() + 7 * 86_400_000);
    await passSweep(clock);
    for (const url of [ofJob, ofSchedule]) {
      assert.deepEqual(await refusalOf(read(url)), [410, 'results_expired']);
    }
    // They make room for links to what is there.
    await link(`schedules/${schedule}`, 'feed');
    assert.equal(await codeOf(await read(ofJob)), 'link_not_found');
  });
});

describe('callers without a link', () => {
  test('gets not found, whatever the address looks like, and so many tries a minute', async (t) => {
    const { schedule, link, read, app } = await scheduled(t);
    const feed = await link(`schedules/${schedule}`, 'feed');
    const table = await link(`schedules/${schedule}`, 'table');
    const token = /[\w-]{43}/.exec(feed.urls[0] ?? '')?.[0] ?? '';
    const other = /[\w-]{43}/.exec(table.urls[0] ?? '')?.[0] ?? '';
    const missing = ['feeds/x', 'feeds/x.atom', 'tables/x.csv', `tables/${token}.csv`, `feeds/${other}.atom`];
    const misspelt = ['', '.csv', '.toString'].map((ending) => `feeds/${token}${ending}`);
    for (const path of [...missing, ...misspelt, `feeds/${token.slice(1)}.atom`, `feeds/a${token}.atom`])
      assert.deepEqual(await refusalOf(read(`https://docs.example/${path}`)), [404, 'link_not_found'], path);
    assert.equal((await read(feed.urls[0], {}, 'POST')).status, 405);
    const reply = await app.inject({ url: `${new URL(feed.urls[0] ?? '').pathname}?since=1` });
    assert.equal(await codeOf(reply), 'unknown_parameter');
    let status = 0;
    let tries = 0;
    for (; status !== 429 && tries < 100; tries += 1)
      status = (await read('https://docs.example/feeds/x.atom')).status;
    assert.ok(tries > 40 && tries <= 60, String(tries));
    const refused = await read(feed.urls[0]);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });
});
