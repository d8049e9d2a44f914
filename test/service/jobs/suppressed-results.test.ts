import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { SuppressedSubjects } from '../../../lib/suppressions/suppressed-subjects.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import {
  forgetInResultRows,
  noteForgotten,
} from '../../../src/service/jobs/results/forget-in-result-rows.js';
import { forgottenLine } from '../../../src/service/jobs/results/forgotten-line.js';
import { unsuppressedLine } from '../../../src/service/jobs/results/unsuppressed-line.js';
import { unsuppressedLines } from '../../../src/service/jobs/results/unsuppressed-results.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { awaitJob, echo, jobsHarness, linesOf, makeJob } from './harness.js';

const comment = (id: string, username: string) => ({ id, video_id: '7', username, text: `of ${username}` });
const video = { id: '70', description: 'of @zebrabaker, say others' };

/** Comments by three people, or a video whose page alone tells whose it is. */
const ask: CallFunction = async (endpoint, params, caller, signal) => {
  const { meta } = await echo(endpoint, params, caller, signal);
  const data = endpoint.many
    ? ['first', 'zebrabaker', 'third'].map((name, at) => comment(`${at}`, name))
    : video;
  const author = { id: null, handle: 'zebrabaker', name: null, url: 'https://www.tiktok.com/@zebrabaker' };
  const at = { url: null, position: 1, fetched_at: '2026-01-01T00:00:00.000Z' };
  const sources = JSON.stringify([{ id: '70', author, ...at }]);
  return { source: 'platform', json: JSON.stringify(data), meta, ...(endpoint.many ? {} : { sources }) };
};

/** A finished job with stored results, some of whose subjects are suppressed now. */
async function keptResults(t: TestContext, path: string, ids: readonly string[]) {
  let suppressed: SuppressedSubjects | null = null;
  const harness = await jobsHarness(t, { endpoints, ask, services: { suppressed: () => suppressed } });
  const customer = await harness.customer();
  const inputs = ids.map((id) => JSON.stringify({ id }));
  const id = await makeJob(harness, customer, [], { endpoint: path, inputs, lineOptions: { sources: true } });
  await awaitJob(harness, customer, id);
  const open = () => harness.jobs.results.open(customer.account, id);
  return {
    ...{ harness, customer, id, open },
    leaveOut(...subjects: readonly string[]) {
      suppressed = subjects.length === 0 ? null : new SuppressedSubjects(subjects.map(parseSubject));
    },
    async whole() {
      const results = await open();
      return text(results.read(0, results.bytes));
    },
  };
}

const many = Array.from({ length: 40 }, (_, at) => String(7_000_000_000_000_000_000n + BigInt(at)));

test('stored results hide a person suppressed later, at unchanged positions, until she is allowed', async (t) => {
  const { leaveOut, whole, open } = await keptResults(t, 'shortvideo/comments', many);
  const before = await whole();
  assert.match(before, /zebrabaker/);
  leaveOut('tiktok:@zebrabaker');
  const now = await whole();
  assert.doesNotMatch(now, /zebrabaker/);
  assert.equal(now.length, before.length);
  const lines = now
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const names = lines[3].data.map(({ username }: { username: string }) => username);
  assert.deepEqual(names, ['first', 'third']);
  const ids = lines.map(({ input }) => input.id);
  assert.deepEqual(ids, many);
  const results = await open();
  for (let from = 0; from < now.length; from += 97) {
    const to = Math.min(now.length, from + (from % 1500) + 1);
    assert.equal(await text(results.read(from, to)), now.slice(from, to), `${from} to ${to}`);
  }
  assert.equal(await text(results.pick([2, 0])), [2, 0].map((at) => `${now.split('\n')[at]}\n`).join(''));
  assert.equal(await results.offsetOf(1), now.indexOf('\n') + 1);
  assert.equal(await text(results.follow(39, new AbortController().signal)), `${now.split('\n')[39]}\n`);
  leaveOut();
  assert.equal(await whole(), before);
});

test('a line about her alone, or whose input names her, becomes an error', async (t) => {
  const { leaveOut, whole } = await keptResults(t, 'shortvideo/video', many.slice(0, 2));
  for (const subject of ['tiktok:@zebrabaker', `tiktok:${many[0]}`]) {
    leaveOut(subject);
    const [first, second] = (await whole())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error);
    assert.equal(first.code, 'subject_suppressed');
    assert.match(first.message, /\w\.$/);
    assert.equal(second?.code, subject.includes('@') ? 'subject_suppressed' : undefined);
  }
  leaveOut('tiktok:@somebody', 'instagram:@zebrabaker');
  assert.doesNotMatch(await whole(), /subject_suppressed/);
});

test('files made of them are rebuilt under another edition', async (t) => {
  const { leaveOut, harness, customer, id } = await keptResults(t, 'shortvideo/comments', many.slice(0, 1));
  const table = async () => {
    const { handle, edition } = await harness.jobs.downloads.open(customer.account, id, 'csv');
    const content = await handle.readFile('utf8');
    await handle.close();
    return { content, edition };
  };
  const before = await table();
  assert.match(before.content, /zebrabaker/);
  leaveOut('tiktok:@zebrabaker');
  const now = await table();
  assert.doesNotMatch(now.content, /zebrabaker/);
  assert.match(now.content, /third/);
  assert.notEqual(now.edition, before.edition);
  leaveOut();
  assert.deepEqual(await table(), before);
});

const subjects = [parseSubject('tiktok:@zebrabaker')];
const videos = endpoints.find(({ path }) => path === 'shortvideo/videos') as Endpoint;
const input = { username: 'zebrabaker' };
const lineOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

/** Lines of results that are shorter than the error that would take their place. */
const short = [
  { input, data: [] },
  { input, data: [], sources: [], left_out: 3 },
  { input, data: null, left_out: 1 },
];

test('a line too short for an error stays one of the same length after its subject was forgotten', () => {
  for (const value of short) {
    const line = lineOf(value);
    const forgotten = forgottenLine(line, new Traces(subjects));
    assert.equal(forgotten.length, line.length);
    assert.deepEqual(JSON.parse(String(forgotten)), { ...value, input: {} });
  }
});

test('a line too short for an error shows only its input for a suppressed subject', () => {
  const suppressed = new SuppressedSubjects(subjects);
  const rebuild = (line: Buffer) =>
    unsuppressedLine(line, { endpoint: videos, suppressed, docsBase: 'https://x.test' });
  for (const value of short) assert.deepEqual(JSON.parse(String(rebuild(lineOf(value)))), value);
  const line = lineOf({ input, data: [], removed: ['7000000000000000001'] });
  const rebuilt = rebuild(line);
  assert.equal(rebuilt.length, line.length);
  assert.deepEqual(JSON.parse(String(rebuilt)), { input, data: [], removed: [] });
});

test('forgetting in the results of jobs changes no other line, and no line’s length', async (t) => {
  const all = await jobsHarness(t);
  const { results, database } = all.opened;
  const customer = await all.customer();
  const id = await makeJob(all, customer, ['other', 'zebrabaker', 'third']);
  await awaitJob(all, customer, id);
  const before = await linesOf(all, customer, id);
  const forget = () => results.transaction((queries) => forgetInResultRows(queries, new Traces(subjects)));
  const forgotten = await forget();
  await database.stores.transaction((queries) => noteForgotten(queries, forgotten));
  assert.deepEqual(forgotten, { lines: 1, jobs: [id] });
  const lines = await linesOf(all, customer, id);
  assert.deepEqual([lines[0], lines[2]], [before[0], before[2]]);
  assert.doesNotMatch(JSON.stringify(lines[1]), /zebrabaker/);
  assert.deepEqual(await forget(), { lines: 0, jobs: [] });
});

test('a suppressed subject is left out of a line wherever the chunks that hold it end', async () => {
  const commentLine = (username: string) =>
    lineOf({ input: { id: '7' }, data: [{ ...comment(username.slice(0, 1), username), text: 'ä' }] });
  const stored = ['first', 'zebrabaker', 'third'].map(commentLine);
  const all = Buffer.concat(stored);
  const services = { suppressed: () => new SuppressedSubjects(subjects), docsBase: 'https://x.test' };
  for (let size = 1; size <= all.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, (at + 1) * size),
    );
    const source = { read: () => Readable.from(chunks), isKept: async () => true, edition: async () => '' };
    const lines = unsuppressedLines(source, { services, endpoints });
    const { read } = await lines.open({ id: 'job_1', endpoint: 'shortvideo/comments' });
    const [first, changed = '', third] = (await text(read())).split(/(?<=\n)/);
    assert.deepEqual([first, third], [String(stored[0]), String(stored[2])], `chunks of ${size} bytes`);
    assert.deepEqual(JSON.parse(changed), { input: { id: '7' }, data: [] });
    assert.equal(Buffer.byteLength(changed), stored[1]?.length);
  }
});
