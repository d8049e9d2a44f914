import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { WatchedSuppressions } from '../../../lib/suppressions/watched-suppressions.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { routeSource } from '../../../lib/web/routes.js';
import { memberContent, memberSize } from '../../../src/files/evidence/gzip-member.js';
import { nextRun } from '../../service/jobs/changing-site.js';
import { awaitJob } from '../../service/jobs/harness.js';
import { FakeClock } from '../../support/fake-clock.js';
import { fixturesOf } from '../../support/fixtures.js';
import { tablesOf } from '../../support/server-store.js';
import { newRevisionMeta } from '../mcp/server-harness.js';
import { type JobsServer, jobsServer } from './support/jobs-server.js';

const comments = endpoints.find(({ path }) => path === 'shortvideo/comments') as Endpoint;
const video = '7571000000000000201';
const cases = await casesOf(comments);
const subject = parseSubject('tiktok:@quiet.harbour');
/** The handle, and the ID of the comment. */
const word = /quiet\.harbour|7575000000000000004/i;

/** Tables that hold somebody of an answer, and the roads by which they give it again. */
const roadsOf: Readonly<Record<string, readonly string[]>> = {
  answers: ['a call again'],
  transient_texts: ['get_answer'],
  job_results: ['lines', 'ndjson', 'csv', 'sqlite', 'table', 'job_results', 'job page'],
  history_objects: ['changes', 'feed.atom', 'feed.json', 'whats_new', 'schedule page', 'changes.csv'],
};

/** The recorded pages, whose comments somebody edits. */
function editedPages(): { readonly pages: PageSource; edit(): void } {
  let edited = false;
  const routes = cases.filter(({ params }) => params.id === video).flatMap(({ pages }) => pages);
  const source = routeSource(fixturesOf(comments), routes);
  return {
    edit: () => {
      edited = true;
    },
    pages: {
      ...source,
      open: (...args) => {
        const session = source.open(...args);
        return {
          ...session,
          async fetch(request) {
            const page = await session.fetch(request);
            if (!edited) return page;
            const text = page.text().replaceAll('"text":"', '"text":"Edited: ');
            return { ...page, body: Buffer.from(text), text: () => text };
          },
        };
      },
    },
  };
}

const magic = Buffer.from([0x1f, 0x8b, 0x08]);

/** All that can be read in bytes, what is packed and the members of an archive included. */
function readable(bytes: Buffer): string {
  const texts = [bytes.toString('latin1')];
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const rest = bytes.subarray(at);
    const size = memberSize(rest);
    if (size !== null) texts.push(String(memberContent(rest.subarray(0, size.length))));
    else if (at === 0) texts.push(String(gunzipSync(rest)));
  }
  return texts.join(' ');
}

const idOf = (row: object) =>
  Object.values(row)
    .map((value) => (Buffer.isBuffer(value) ? readable(value) : JSON.stringify(value)))
    .join(' ');

/** A server whose stores hold somebody, and every road by which they could be read again. */
async function filled(t: TestContext) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { pages, edit } = editedPages();
  const list = new WatchedSuppressions(async () => all.opened.suppressions, clock);
  const services = { pages: async () => pages, suppressed: () => list.current() };
  const all: JobsServer = await jobsServer(t, { clock, ask: undefined, endpoints, services });
  const { browser, account } = await all.signedIn();
  const { key, secret } = await all.accounts.createKey({ account: account.id, name: 'k', platforms: null });
  const customer = { account: account.id, secret, key };
  const headers = { authorization: `Bearer ${secret}`, host: 'localhost' };
  const get = async (url: string) => readable((await all.app.inject({ url, headers })).rawPayload);
  const post = async (url: string, body: object) => {
    const answer = await all.app.inject({ method: 'POST', url, headers, payload: body });
    assert.ok(answer.statusCode < 300, answer.payload);
    return answer.json().data;
  };
  const tool = async (name: string, args: object) => {
    const answer = await all.app.inject({
      ...{ method: 'POST', url: '/mcp' },
      headers: {
        ...{ ...headers, accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      },
      payload: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: args, _meta: newRevisionMeta },
      },
    });
    return answer.body;
  };

  const call = `/v1/${comments.path}?id=${video}`;
  const order = { endpoint: comments.path, inputs: [{ id: video }], sources: true };
  const job = await post('/v1/jobs', { ...order, history: true, schedule: '0 */6 * * *' });
  await awaitJob(all, customer, job.id);
  edit();
  const newest = await nextRun({ jobs: all.jobs, clock, pauseMs: 5 }, customer, job.schedule);
  await awaitJob(all, customer, newest);
  await get(call);
  const toolText = await tool(comments.operation, { id: video });
  const request = /req_\w+/.exec(toolText)?.[0] ?? assert.fail(toolText);
  const [table] = (await post(`/v1/jobs/${job.id}/links`, { kind: 'table' })).urls;
  const [atom, feed] = (await post(`/v1/schedules/${job.schedule}/links`, { kind: 'feed' })).urls;
  const page = async (url: string) => (await browser.get(url)).text;
  const results = `/v1/jobs/${job.id}/results`;
  const roads: Readonly<Record<string, () => Promise<string>>> = {
    'a call again': () => get(call),
    get_answer: () => tool('get_answer', { request_id: request }),
    lines: () => get(results),
    ndjson: () => get(`${results}?format=ndjson`),
    csv: () => get(`${results}?format=csv`),
    sqlite: () => get(`${results}?format=sqlite`),
    table: () => get(new URL(table).pathname),
    job_results: () => tool('job_results', { id: job.id }),
    'job page': () => page(`/dashboard/jobs/${job.id}`),
    changes: () => get(`/v1/schedules/${job.schedule}/changes`),
    'feed.atom': () => get(new URL(atom).pathname),
    'feed.json': () => get(new URL(feed).pathname),
    whats_new: () => tool('whats_new', { schedule: job.schedule }),
    'schedule page': () => page(`/dashboard/schedules/${job.schedule}?what=all`),
    'changes.csv': () => page(`/dashboard/schedules/${job.schedule}/changes.csv?what=all`),
  };
  return { all, clock, roads };
}

test('no store of a server returns a suppressed or forgotten subject again', async (t) => {
  const { all, clock, roads } = await filled(t);
  const holders = async () => {
    const tables = await tablesOf(all.home);
    return [...tables].filter(([, rows]) => rows.some((row) => word.test(idOf(row)))).map(([name]) => name);
  };
  const naming = async () => {
    const leaks: string[] = [];
    for (const [road, readRoad] of Object.entries(roads)) if (word.test(await readRoad())) leaks.push(road);
    return leaks;
  };
  // A store that contains a person but is missing here would be untested.
  const holding = await holders();
  t.diagnostic(holding.join(' '));
  for (const table of holding)
    assert.ok(Object.hasOwn(roadsOf, table), `${table} holds the subject: by which roads is it read?`);
  assert.deepEqual(await naming(), Object.keys(roads));
  for (const road of Object.values(roadsOf).flat()) assert.ok(Object.hasOwn(roads, road), road);

  await all.opened.suppressions.add(subject);
  await clock.advance(1_000);
  assert.deepEqual(await naming(), [], 'after suppress');
  await all.opened.suppressions.remove(subject);
  await clock.advance(1_000);
  assert.deepEqual(await naming(), Object.keys(roads), 'where it is allowed again');
  await all.opened.suppressions.add(subject);
  await clock.advance(1_000);
  await all.opened.forget(subject, new Traces([subject]));
  assert.deepEqual(await naming(), [], 'after forget');
  assert.deepEqual(
    (await holders()).filter((table) => table !== 'suppressions'),
    [],
  );
});
