import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { maxDataLength } from '../../../src/faces/mcp/condense.js';
import type { Job } from '../../../src/service/jobs/job.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { awaitJob } from '../../service/jobs/harness.js';
import { FakeClock } from '../../support/fake-clock.js';
import { gate } from '../../support/gate.js';
import { answerOf, refusalOf } from './call-tool.js';
import { keyed, type ServedTools, serveTools } from './server-harness.js';

const endpoint = 'shortvideo/search';

interface Line {
  readonly line: number;
  readonly input: { readonly query: string };
  readonly data?: readonly { readonly id: string; readonly description: string }[];
  readonly error?: { readonly code: string };
}

interface Page {
  readonly lines: readonly Line[];
  readonly next_from: number | null;
}

/** A site that finds what the test says for each query; a query of “bad” fails. */
class Site {
  ids: (query: string) => readonly string[] = (query) => [query];
  text = 'a cup';

  readonly ask: CallFunction = async (_, { query, sources }, { requestId }) => {
    if (query === 'bad') throw new ExtractError('video_not_found');
    const fetched_at = '2026-01-01T00:00:00.000Z';
    const ids = this.ids(String(query));
    const place = { url: null, author: null, position: 1, fetched_at };
    return {
      source: 'platform',
      json: JSON.stringify(ids.map((id) => ({ id, description: this.text }))),
      ...(sources === true ? { sources: JSON.stringify(ids.map((id) => ({ id, ...place }))) } : {}),
      meta: {
        ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
        ...{ fetched_at, next_cursor: null },
      },
    };
  };
}

async function make(client: Client, queries: readonly string[], more: object = {}): Promise<Job> {
  const inputs = queries.map((query) => ({ query }));
  return (await answerOf(client, 'create_job', { endpoint, inputs, ...more })).data as Job;
}

/** Waits until the last line of a job is there, whatever the clock says. */
const ended = ({ jobs }: ServedTools, account: string, id: string) => awaitJob({ jobs }, { account }, id);

const page = async (client: Client, args: object) => {
  const { data, notes } = await answerOf(client, 'job_results', { ...args });
  return { ...(data as Page), notes };
};

describe('the tools for jobs', () => {
  test('create a job, return it immediately, and read its lines page by page', async (t) => {
    const { server, client, account } = await keyed(t, { ask: new Site().ask });
    const job = await make(client, ['a', 'bad', 'c', 'd', 'e'], { name: 'Cups' });
    assert.deepEqual([job.status, job.name, job.total, job.completed], ['queued', 'Cups', 5, 0]);
    const waiting = await page(client, { id: job.id });
    assert.deepEqual([waiting.lines, waiting.next_from], [[], 0]);
    assert.match(waiting.notes.join(), /not ready yet/);
    server.jobs.start();
    await ended(server, account, job.id);
    const { data } = await answerOf(client, 'job_status', { id: job.id });
    const { status, completed, failed } = data as Job;
    assert.deepEqual([status, completed, failed], ['done', 4, 1]);
    const first = await page(client, { id: job.id, limit: 2, fields: ['id'] });
    assert.deepEqual(first.lines[0], { line: 0, input: { query: 'a' }, data: [{ id: 'a' }] });
    assert.equal(first.lines[1]?.error?.code, 'video_not_found');
    assert.equal(first.next_from, 2);
    const rest = await page(client, { id: job.id, from: 2 });
    assert.deepEqual(
      rest.lines.map(({ line }) => line),
      [2, 3, 4],
    );
    assert.equal(rest.next_from, null);
    assert.deepEqual((await page(client, { id: job.id, from: 5 })).lines, []);
  });

  test('show lines of any length within a bound, each once', async (t) => {
    const site = new Site();
    site.ids = (query) => Array.from({ length: 300 }, (_, at) => `${query}-${at}`);
    site.text = 'tea '.repeat(300);
    const { server, client, account } = await keyed(t, { ask: site.ask });
    server.jobs.start();
    const job = await make(client, ['a', 'b', 'c', 'd', 'e']);
    await ended(server, account, job.id);
    const lineNumbers: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const { lines, next_from, notes } = await page(client, { id: job.id, from });
      assert.ok(JSON.stringify(lines).length <= maxDataLength);
      assert.match(notes.join(), /truncated, such as data\.lines\[0\]/);
      lineNumbers.push(...lines.map(({ line }) => line));
      from = next_from;
    }
    assert.deepEqual(lineNumbers, [0, 1, 2, 3, 4]);
  });

  test('are unavailable without a key, and explain what is missing', async (t) => {
    const server = await serveTools(t);
    const { secret } = await server.holder();
    const jobTools = ['create_job', 'job_status', 'job_results', 'whats_new'];
    const listed = async (key?: string) => {
      const { client } = await server.connect(key);
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name).filter((name) => jobTools.includes(name));
    };
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await listed(secret), jobTools);
    const { client } = await server.connect();
    assert.equal((await refusalOf(client, 'job_status', { id: 'job_1' })).code, 'missing_api_key');
  });

  test('refuse what the API refuses, with its permissions, and count it once', async (t) => {
    const { server, client, account } = await keyed(t);
    const code = async (from: Client, name: string, args: object) =>
      (await refusalOf(from, name, { ...args })).code;
    const creating = async (from: Client, more: object) =>
      code(from, 'create_job', { endpoint, inputs: [{}], ...more });
    assert.equal(await creating(client, { endpoint: 'maps/plase' }), 'endpoint_not_found');
    assert.equal(await code(client, 'create_job', { endpoint }), 'missing_parameter');
    assert.equal(await creating(client, { inputs: [] }), 'invalid_parameter');
    assert.equal(await creating(client, { color: 1 }), 'unknown_parameter');
    assert.equal(await code(client, 'job_results', { id: 'job_x/../../balance' }), 'job_not_found');
    const { text } = await server.ask('/metrics');
    assert.match(text, /extract_refusals_total\{[^}]*code="endpoint_not_found"[^}]*\} 1\n/);
    for (const idempotency_key of ['週次', 'two\nlines', {}, ''])
      assert.equal(await creating(client, { idempotency_key }), 'invalid_parameter');
    const again = { idempotency_key: 'once', schedule: '6h' };
    const { id, schedule } = await make(client, ['a'], again);
    assert.equal((await make(client, ['a'], again)).id, id);
    assert.equal(await code(client, 'job_results', { id, fields: ['colour'] }), 'invalid_parameter');
    const limited = await server.accounts.createKey({ account, name: 'maps', platforms: ['maps'] });
    const { client: narrow } = await server.connect(limited.secret);
    assert.equal(await creating(narrow, {}), 'platform_not_allowed');
    for (const name of ['job_status', 'job_results'])
      assert.equal(await code(narrow, name, { id }), 'job_not_found');
    assert.equal(await code(narrow, 'whats_new', { schedule }), 'schedule_not_found');
    const { client: stranger } = await server.connect((await server.holder()).secret);
    assert.equal(await code(stranger, 'job_status', { id }), 'job_not_found');
    assert.equal(await code(client, 'whats_new', { schedule, since: 'yesterday' }), 'invalid_parameter');
  });

  test('report what is new in a schedule: its latest run, or all since a time', async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const site = new Site();
    const { server, client, account } = await keyed(t, { ask: site.ask, clock });
    server.jobs.start();
    site.ids = (query) => (query === 'tea' ? ['1', '2'] : []);
    const news = { schedule: '6h', new: true };
    const { id: first, schedule = '' } = await make(client, ['tea', 'none', 'bad'], news);
    await ended(server, account, first);
    site.ids = (query) => (query === 'tea' ? ['3', '1', '2'] : []);
    await clock.advance(6 * 3_600_000);
    server.jobs.wake();
    let second = first;
    while (second === first) {
      await clock.advance(1);
      second = (await server.jobs.schedules.find(account, schedule)).last_run.job ?? first;
    }
    await ended(server, account, second);
    const readNews = async (args: object = {}) => {
      const { data, notes } = await answerOf(client, 'whats_new', { schedule, fields: ['id'], ...args });
      return { ...(data as { lines: (Line & { job: string })[]; runs: unknown[]; rest: unknown[] }), notes };
    };
    const summary = ({ lines }: { readonly lines: readonly (Line & { job: string })[] }) =>
      lines.map(({ job, line, data }) => [job, line, data?.map(({ id }) => id)]);
    const latest = await readNews();
    assert.deepEqual(summary(latest), [[second, 0, ['3']]]);
    assert.deepEqual([latest.runs.length, latest.rest, latest.notes], [1, [], []]);
    const all = await readNews({ since: '2026-06-01T00:00:00Z' });
    assert.deepEqual(summary(all), [
      [second, 0, ['3']],
      [first, 0, ['1', '2']],
    ]);
    assert.equal(all.runs.length, 2);
    const part = await readNews({ since: '2026-06-01', limit: 1 });
    assert.deepEqual(summary(part), [[second, 0, ['3']]]);
    assert.deepEqual(part.rest, [{ job: first, from: 0 }], 'what follows in the second job is not new');
    assert.deepEqual((await readNews({ since: '2027-01-01T00:00:00Z' })).runs, []);
  });

  test('report a run in progress, and where its lines continue', async (t) => {
    const site = new Site();
    const { opened, open } = gate();
    t.after(open);
    const ask: CallFunction = async (...args) => {
      if (args[1].query === 'late') await opened;
      return site.ask(...args);
    };
    const { server, client, account } = await keyed(t, { ask });
    server.jobs.start();
    const { id: job, schedule = '' } = await make(client, ['tea', 'late'], { schedule: '6h', new: true });
    const readNews = async () => {
      const { data, notes } = await answerOf(client, 'whats_new', { schedule });
      const { lines, rest } = data as { readonly lines: readonly unknown[]; readonly rest: unknown };
      return { lines: lines.length, rest, notes };
    };
    let latest = await readNews();
    while (latest.lines === 0) latest = await readNews();
    // The job was looked at before its lines were.
    latest = await readNews();
    assert.deepEqual(latest.rest, [{ job, from: 1 }]);
    assert.match(latest.notes.join(), /in progress: 1 of 2 inputs are done/);
    open();
    await ended(server, account, job);
    assert.deepEqual(await readNews(), { lines: 2, rest: [], notes: [] });
  });
});
