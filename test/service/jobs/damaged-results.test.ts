import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { checkJobResults } from '../../../src/faces/doctor/check-results.js';
import type { JobStore } from '../../../src/service/jobs/job-store.js';
import { blockBytes } from '../../../src/service/jobs/results/block-sums.js';
import { fileLines } from '../../../src/service/jobs/results/file-lines.js';
import { FileResults } from '../../../src/service/jobs/results/file-results.js';
import type { OpenResults } from '../../../src/service/jobs/results/job-results.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import { ResultsWriter } from '../../../src/service/jobs/results/results-writer.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { appOf, awaitJob, echo, jobsHarness, makeJob, newHome, numbered } from './harness.js';

const id = 'job_1';
const total = 1000;
/** Lines of a kilobyte: 64 in a block. */
const line = (index: number) =>
  Buffer.from(`${JSON.stringify({ input: { at: index }, data: 'x'.repeat(1000) })}\n`);
const nothing = { lines: 0, bytes: 0, lateBytes: 0 };
const inputOf = async (index: number) => `{"at":${index}}`;
const bytes = Buffer.concat(Array.from({ length: total }, (_, index) => line(index)));

interface Finished {
  readonly home: string;
  readonly files: ResultsFiles;
  open(): Promise<OpenResults>;
}

/** The files of a job that has finished, its lines written in groups out of order. */
async function finished(t: TestContext): Promise<Finished> {
  const home = newHome(t);
  const files = new ResultsFiles(home);
  const writer = await ResultsWriter.open(files, id, total, nothing, inputOf);
  for (let group = 0; group < 10; group += 1) {
    const some = Array.from({ length: total / 10 }, (_, at) => at * 10 + ((group + 3) % 10));
    await writer.append(new Map(some.map((index) => [index, line(index)] as const)));
    await writer.applyCommitted();
  }
  assert.ok(readFileSync(files.lines(id)).equals(bytes));
  const progress = { lines: total, total, bytes: bytes.length };
  const store = { readProgress: async () => progress } as unknown as JobStore;
  const results = new FileResults(store, files, () => new Promise(() => undefined), systemClock);
  return {
    home,
    files,
    async open() {
      const opened = await results.open('acc', id);
      t.after(() => opened.close());
      return opened;
    },
  };
}

function change(file: string, edit: (bytes: Buffer) => void): void {
  const content = readFileSync(file);
  edit(content);
  writeFileSync(file, content);
}

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const damaged = (name: string) => (error: unknown) => {
  assert.ok(error instanceof StorageError && error.fault === 'damaged', String(error));
  assert.ok(error.message.includes(`jobs/${name} `), error.message);
  assert.match(error.message, /Put the file back from a backup, or run the inputs again/);
  return true;
};

describe('a bit that is flipped within a stored line', () => {
  const at = bytes.indexOf('xxx', 5 * blockBytes);
  const flipped = async (t: TestContext) => {
    const job = await finished(t);
    change(job.files.lines(id), (content) => {
      content[at] = (content[at] ?? 0) ^ 1;
    });
    return job;
  };
  const inBlock = Math.floor(at / blockBytes) * blockBytes;

  test('is never sent, whatever is asked for', async (t) => {
    const { open, files } = await flipped(t);
    const results = await open();
    for (const [from, to] of [
      [0, bytes.length],
      [at, at + 1],
      [inBlock + blockBytes - 1, inBlock + blockBytes + 9],
      [inBlock - 5, inBlock + 1],
    ] as const) {
      await assert.rejects(bytesOf(results.read(from, to)), damaged('job_1.ndjson'), `${from} to ${to}`);
    }
    const lineAt = Math.floor(at / line(500).length) + 1;
    await assert.rejects(bytesOf(results.pick([0, lineAt])), damaged('job_1.ndjson'));
    await assert.rejects(bytesOf(fileLines(files).read(id)), damaged('job_1.ndjson'));
  });

  test('leaves what stands in other blocks readable', async (t) => {
    const results = await (await flipped(t)).open();
    for (const [from, to] of [
      [0, inBlock],
      [inBlock + blockBytes, bytes.length],
      [7, 9],
      [bytes.length - 3, bytes.length],
    ] as const) {
      assert.ok((await bytesOf(results.read(from, to))).equals(bytes.subarray(from, to)), `${from} to ${to}`);
    }
    assert.ok((await bytesOf(results.pick([999, 0]))).equals(Buffer.concat([line(999), line(0)])));
  });

  test('is told by extract doctor, with what to do', async (t) => {
    const { home } = await flipped(t);
    const finding = await checkJobResults(home);
    assert.equal(finding.status, 'warning');
    assert.match(finding.message, /jobs\/job_1\.ndjson/);
    assert.match(finding.next ?? '', /backup/);
  });
});

test('extract doctor says how much of the results is as it was written', async (t) => {
  const { home } = await finished(t);
  assert.equal((await checkJobResults(home)).message, '1 jobs, 1.0 MiB, undamaged');
  assert.equal((await checkJobResults(newHome(t))).message, 'nothing is stored yet');
});

test('a block that stands in the place of another is noticed', async (t) => {
  const { open, files } = await finished(t);
  change(files.lines(id), (content) => {
    const block = Buffer.from(content.subarray(0, blockBytes));
    content.copyWithin(0, blockBytes, 2 * blockBytes);
    block.copy(content, blockBytes);
  });
  await assert.rejects(bytesOf((await open()).read(0, 10)), damaged('job_1.ndjson'));
});

test('a lines file that was cut, or is gone, is noticed', async (t) => {
  const { open, files } = await finished(t);
  truncateSync(files.lines(id), bytes.length - 1);
  await assert.rejects(bytesOf((await open()).read(0, bytes.length)), damaged('job_1.ndjson'));
  await assert.rejects(bytesOf(fileLines(files).read(id)), StorageError);
});

test('a file that cannot be read is named, with what to do', async (t) => {
  for (const kind of ['lines', 'index'] as const) {
    const { open, files } = await finished(t);
    rmSync(files[kind](id));
    mkdirSync(files[kind](id));
    const read = async () => bytesOf((await open()).read(0, 10));
    await assert.rejects(read, (error) => {
      assert.ok(error instanceof StorageError, String(error));
      assert.match(
        error.message,
        /cannot be read: jobs\/job_1\.\w+ \(EISDIR\)\. Check the disk and the perm/,
      );
      return true;
    });
  }
});

describe('an index that is damaged', () => {
  const harms: Readonly<Record<string, (file: string) => void>> = {
    'a bit of a line end': (file) =>
      change(file, (content) => content.writeUInt8((content[805] ?? 0) ^ 4, 805)),
    'a bit of a sum': (file) =>
      change(file, (content) => content.writeUInt8((content[total * 8 + 9] ?? 0) ^ 128, total * 8 + 9)),
    'its last byte': (file) => truncateSync(file, readFileSync(file).length - 1),
    'half of it': (file) => truncateSync(file, readFileSync(file).length >> 1),
    'all of it': (file) => truncateSync(file),
    'a text': (file) => writeFileSync(file, 'a letter\n'.repeat(1000)),
    zeros: (file) => change(file, (content) => content.fill(0)),
    'being gone': (file) => rmSync(file),
  };
  for (const [name, harm] of Object.entries(harms)) {
    test(`by ${name} is named, and nothing is read by it`, async (t) => {
      const { open, files } = await finished(t);
      harm(files.index(id));
      const results = await open();
      await assert.rejects(results.offsetOf(100), damaged('job_1.index'));
      await assert.rejects(bytesOf(results.pick([100])), damaged('job_1.index'));
      await assert.rejects(bytesOf(results.read(0, 1)), damaged('job_1.index'));
      await assert.rejects(bytesOf(fileLines(files).read(id)), damaged('job_1.index'));
    });
  }
});

test('an index of an older version, which has no sums, is read as before', async (t) => {
  const { open, files, home } = await finished(t);
  truncateSync(files.index(id), total * 8);
  const results = await open();
  assert.equal(
    await results.offsetOf(100),
    Buffer.concat(Array.from({ length: 100 }, (_, n) => line(n))).length,
  );
  assert.ok((await bytesOf(results.pick([7]))).equals(line(7)));
  assert.ok((await bytesOf(results.read(3, bytes.length))).equals(bytes.subarray(3)));
  assert.ok((await bytesOf(fileLines(files).read(id))).equals(bytes));
  assert.match((await checkJobResults(home)).message, /1 older not read/);
  // One whose ends are no line ends any more is refused all the same.
  change(files.index(id), (content) => content.fill(0, 80, 88));
  await assert.rejects((await open()).offsetOf(10), damaged('job_1.index'));
});

describe('lines of a job at work, taken up by another process', () => {
  const half = Array.from({ length: 500 }, (_, index) => [index, line(index)] as const);
  const begun = async (t: TestContext) => {
    const files = new ResultsFiles(newHome(t));
    const writer = await ResultsWriter.open(files, id, total, nothing, inputOf);
    for (let from = 0; from < 500; from += 100) {
      await writer.append(new Map(half.slice(from, from + 100)));
      await writer.applyCommitted();
    }
    const late = [700, 701, 702].map((index) => [index, line(index)] as const);
    await writer.append(new Map(late));
    await writer.applyCommitted();
    return { files, extent: writer.extent };
  };

  for (const [name, at] of [
    ['a whole block', 3 * blockBytes + 100],
    ['the last block', 500 * line(400).length - 2000],
  ] as const) {
    test(`are lost from the block on in which a bit was flipped: ${name}`, async (t) => {
      const { files, extent } = await begun(t);
      change(files.lines(id), (content) => content.writeUInt8((content[at] ?? 0) ^ 1, at));
      const taken = await ResultsWriter.open(files, id, total, extent, inputOf);
      const block = Math.floor(at / blockBytes) * blockBytes;
      assert.ok(taken.extent.bytes <= block && taken.extent.bytes > block - 2 * line(0).length);
      assert.equal(taken.has(taken.extent.lines), false);
      assert.deepEqual([taken.has(700), taken.has(702)], [true, true]);
      // What is written in their place counts, and is summed.
      const rest = new Map<number, Buffer>();
      for (let index = 0; index < total; index += 1) if (!taken.has(index)) rest.set(index, line(index));
      await taken.append(new Map([...rest].slice(0, 50)));
      await taken.applyCommitted();
      const again = await ResultsWriter.open(files, id, total, taken.extent, inputOf);
      assert.deepEqual(again.extent, taken.extent);
      await again.append(new Map([...rest].slice(50)));
      await again.applyCommitted();
      assert.ok((await bytesOf(fileLines(files).read(id))).equals(bytes));
    });
  }

  test('that wait for their turn are lost with the first that was changed', async (t) => {
    const { files, extent } = await begun(t);
    const at = readFileSync(files.late(id)).lastIndexOf('xx');
    const middle = Math.floor(at / 2);
    change(files.late(id), (content) => content.writeUInt8((content[middle] ?? 0) ^ 1, middle));
    const taken = await ResultsWriter.open(files, id, total, extent, inputOf);
    assert.deepEqual(
      [700, 701, 702].map((index) => taken.has(index)),
      [true, false, false],
    );
  });

  test('are taken as they are where no sums were kept, or those of a later moment', async (t) => {
    const { files, extent } = await begun(t);
    const earlier = { lines: 400, bytes: 400 * line(0).length, lateBytes: 0 };
    const ends = readFileSync(files.lines(id));
    let end = 0;
    for (let found = 0; found < 400; found += 1) end = ends.indexOf('\n', end) + 1;
    const taken = await ResultsWriter.open(files, id, total, { ...earlier, bytes: end }, inputOf);
    assert.deepEqual(taken.extent, { ...earlier, bytes: end });
    rmSync(files.sums(id));
    const without = await ResultsWriter.open(files, id, total, extent, inputOf);
    assert.deepEqual(without.extent, extent);
  });
});

/** Answers with as much as a page of harbours has. */
const large: CallFunction = async (endpoint, params, caller, signal) => {
  const answer = await echo(endpoint, params, caller, signal);
  const data = { name: String(params.query), text: 'y'.repeat(9_000) };
  return { ...answer, json: JSON.stringify(data) } as typeof answer;
};

test('a download is refused before its head, or cut, so that nobody takes it for whole', async (t) => {
  const all = await jobsHarness(t, { ask: large });
  const customer = await all.customer(10_000);
  const job = await makeJob(all, customer, numbered(400));
  await awaitJob(all, customer, job);
  const file = new ResultsFiles(all.home).lines(job);
  const whole = readFileSync(file);
  assert.ok(whole.length > 3_000_000);
  const app = appOf(all);
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const get = (query = '', headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string; isCut: boolean; form: unknown }>((resolve, reject) => {
      const request = http.get(
        `http://127.0.0.1:${port}/v1/jobs/${job}/results${query}`,
        { headers: { ...headers, authorization: `Bearer ${customer.secret}` } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          const end = (isCut: boolean) =>
            resolve({
              ...{ status: response.statusCode ?? 0, text: String(Buffer.concat(chunks)), isCut },
              form: response.headers['content-encoding'] ?? response.headers['content-range'],
            });
          response.on('end', () => end(!response.complete));
          response.on('error', () => end(true));
        },
      );
      request.on('error', reject);
    });
  assert.deepEqual(await get(), { status: 200, text: whole.toString(), isCut: false, form: undefined });
  const last = whole.length - 100;
  change(file, (content) => content.writeUInt8((content[last] ?? 0) ^ 1, last));
  for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
    const late = await get('', headers);
    assert.deepEqual([late.status, late.isCut], [200, true]);
    if (headers['accept-encoding'] === undefined) assert.ok(whole.toString().startsWith(late.text));
  }
  for (const [query, headers] of [
    ['?from=399', {}],
    ['?from=399', { 'accept-encoding': 'gzip' }],
    ['', { range: `bytes=${last}-` }],
    ['?format=csv', {}],
  ] as const) {
    const refused = await get(query, headers);
    assert.deepEqual([refused.status, refused.form], [500, undefined], query);
    const { error } = JSON.parse(refused.text) as { error: { code: string; message: string } };
    assert.equal(error.code, 'internal_error');
    assert.match(error.message, new RegExp(`${job} are damaged.*backup`));
  }
  const first = await get('', { range: 'bytes=0-99' });
  assert.deepEqual([first.status, first.text], [206, whole.subarray(0, 100).toString()]);
});
