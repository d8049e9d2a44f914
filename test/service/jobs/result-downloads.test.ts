import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import type { Job } from '../../../src/service/jobs/job.js';
import { writeJobArchive } from '../../../src/service/jobs/results/earlier-archives.js';
import { writeJobFile } from '../../../src/service/jobs/results/job-file.js';
import { ResultDownloads } from '../../../src/service/jobs/results/result-downloads.js';
import type { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('files of one account are made one at a time, beside those of others', async () => {
  const folder = temporaryFolder();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun: string[] = [];
  const store = {
    readProgress: async () => ({ lines: 1, bytes: 1, total: 1 }),
    find: async (_: string, id: string) =>
      ({ id, endpoint: 'maps/place', finished_at: null }) as unknown as Job,
  } as unknown as StoredJobs;
  const files = { download: (id: string, kind: string) => path.join(folder, `${id}.${kind}`) };
  async function* read(id: string) {
    begun.push(id);
    if (id.startsWith('many')) await held;
    yield Buffer.from('{"input":{"place_id":"a"},"error":{"code":"place_not_found","message":"gone"}}\n');
  }
  const lines = {
    open: async ({ id }: Pick<Job, 'id'>) => ({ edition: '', read: () => read(id) }),
    isKept: async () => true,
  };
  const downloads = new ResultDownloads(
    store,
    files,
    lines as never,
    { read: () => Readable.from([]) },
    endpoints,
  );
  const many = Array.from({ length: 72 }, (_, n) => downloads.open('many', `many${n}`, 'csv'));
  while (begun.length === 0) await setImmediate();
  const { handle: file } = await downloads.open('few', 'few', 'csv');
  await file.close();
  assert.match(readFileSync(path.join(folder, 'few.csv'), 'utf8'), /place_not_found/);
  assert.deepEqual([begun.length, begun[0]?.slice(0, 4), begun[1]], [2, 'many', 'few']);
  release();
  for (const { handle } of await Promise.all(many)) await handle.close();
  assert.equal(begun.length, 73);
});

test('a file that cannot be made leaves nothing behind', async () => {
  const folder = path.join(temporaryFolder(), 'failed');
  mkdirSync(folder);
  const job = { id: 'job_a', endpoint: 'maps/place', finished_at: '2026-01-01T00:00:00.000Z' } as Job;
  async function* torn() {
    yield Buffer.from('{"input":{"place_id":"a"},"error":{"code":"place_not_found","message":"gone"}}\n');
    throw new Error('the disk is gone');
  }
  for (const kind of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
    const file = path.join(folder, `job_a.${kind}`);
    await assert.rejects(writeJobFile('a', job, file, { read: torn }, endpoints), /the disk is gone/);
    assert.deepEqual(readdirSync(folder), [], kind);
  }
  const archive = path.join(folder, 'job_a.wacz');
  await assert.rejects(writeJobArchive(job, archive, torn(), null), /the disk is gone/);
  assert.deepEqual(readdirSync(folder), []);
});
