import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fastify from 'fastify';
import { endpoints } from '../../../lib/endpoints.js';
import type { Job } from '../../../src/service/jobs/job.js';
import { writeEarlierArchive } from '../../../src/service/jobs/results/earlier-archives.js';
import { writeJobFile } from '../../../src/service/jobs/results/job-file.js';
import { alternating } from '../../../src/service/jobs/results/positioned.js';
import { ResultDownloads } from '../../../src/service/jobs/results/result-downloads.js';
import { sendFile } from '../../../src/service/jobs/results/send-file.js';
import type { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const line = Buffer.from('{"input":{"place_id":"a"},"error":{"code":"place_not_found","message":"gone"}}\n');

test('files are built one at a time per account', async () => {
  const folder = temporaryFolder();
  const held = Promise.withResolvers<void>();
  const begun: string[] = [];
  const store = {
    readProgress: async () => ({ lines: 1, bytes: 1, total: 1 }),
    find: async (_: string, id: string) =>
      ({ id, endpoint: 'maps/place', finished_at: null }) as unknown as Job,
  } as unknown as StoredJobs;
  const files = { download: (id: string, kind: string) => path.join(folder, `${id}.${kind}`) };
  async function* read(id: string) {
    begun.push(id);
    if (id.startsWith('many')) await held.promise;
    yield line;
  }
  const lines = {
    open: async ({ id }: Pick<Job, 'id'>) => ({ edition: '', read: () => read(id) }),
    isKept: async () => true,
  };
  const records = { read: () => Readable.from([]) };
  const downloads = new ResultDownloads(store, files, lines as never, records, endpoints);
  const many = Array.from({ length: 72 }, (_, n) => downloads.open('many', `many${n}`, 'csv'));
  while (begun.length === 0) await setImmediate();
  const { handle: file } = await downloads.open('few', 'few', 'csv');
  await file.close();
  assert.match(readFileSync(path.join(folder, 'few.csv'), 'utf8'), /place_not_found/);
  assert.deepEqual([begun.length, begun[0]?.slice(0, 4), begun[1]], [2, 'many', 'few']);
  held.resolve();
  for (const { handle } of await Promise.all(many)) await handle.close();
  assert.equal(begun.length, 73);
});

test('a failed file leaves nothing behind', async () => {
  const folder = path.join(temporaryFolder(), 'failed');
  mkdirSync(folder);
  const job = { id: 'job_a', endpoint: 'maps/place', finished_at: '2026-01-01T00:00:00.000Z' } as Job;
  async function* torn() {
    yield line;
    throw new Error('the disk is gone');
  }
  for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
    const file = path.join(folder, `job_a.${kind}`);
    await assert.rejects(writeJobFile('a', job, file, { read: torn }, endpoints), /the disk is gone/);
    assert.deepEqual(readdirSync(folder), [], kind);
  }
  const archive = path.join(folder, 'job_a.wacz');
  await assert.rejects(writeEarlierArchive(job, archive, torn(), null), /the disk is gone/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a file is closed if its client left while it was built', async () => {
  const app = fastify();
  const handle = await open(import.meta.filename);
  app.get('/', async (request, reply) => {
    reply.raw.destroy();
    await once(reply.raw, 'close');
    await sendFile(request, reply, 'ann', handle, 'http://localhost');
    return reply;
  });
  await assert.rejects(app.inject('/'));
  await app.close();
  assert.equal(handle.fd, -1);
});

test('two hundred downloads move two chunks a turn of the event loop, each as many as the others', async () => {
  let inTurn = 0;
  let most = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; inTurn = 0) {
      await setImmediate();
      most = Math.max(most, inTurn);
    }
  })();
  const moved: number[] = Array(200).fill(0);
  let widest = 0;
  const download = async (at: number) => {
    const chunks = async function* () {
      for (let n = 0; n < 3; n += 1) {
        inTurn += 1;
        yield Buffer.from([at, n]);
      }
    };
    const bytes: number[] = [];
    for await (const chunk of alternating(`acct_${at}`, chunks())) {
      bytes.push(chunk[1] as number);
      moved[at] = bytes.length;
      widest = Math.max(widest, Math.max(...moved) - Math.min(...moved));
    }
    assert.deepEqual(bytes, [0, 1, 2]);
  };
  await Promise.all(moved.map((_, at) => download(at)));
  isOver = true;
  await counting;
  // The turn may be looked at between its two.
  assert.ok(most <= 4, `${most} chunks a turn`);
  assert.ok(widest <= 1, `${widest} chunks ahead of the others`);
});

test('an abandoned download closes what it reads', async () => {
  let isClosed = false;
  const chunks = async function* () {
    try {
      for (;;) yield Buffer.alloc(1);
    } finally {
      isClosed = true;
    }
  };
  for await (const _ of alternating('acct_1', chunks())) break;
  assert.ok(isClosed);
});

test('the downloads of one account delay no other', async () => {
  const chunks = async function* (count: number) {
    for (let n = 0; n < count; n += 1) yield Buffer.alloc(1);
  };
  let moved = 0;
  const many = Array.from({ length: 200 }, async () => {
    for await (const _ of alternating('acct_many', chunks(3))) moved += 1;
  });
  await setImmediate();
  for await (const _ of alternating('acct_few', chunks(3)));
  assert.ok(moved < 20, `${moved} chunks of the other account went first`);
  await Promise.all(many);
});
