import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { BlockSums } from '../../../src/service/jobs/results/block-sums.js';
import { checkResults } from '../../../src/service/jobs/results/check-results.js';
import { forgetInResults } from '../../../src/service/jobs/results/forget-in-results.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import { indexBytes } from '../../../src/service/jobs/results/results-index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);
const line = (name: string) => `${JSON.stringify({ input: {}, data: { name, about: 'x'.repeat(300) } })}\n`;
const forget = (files: ResultsFiles) =>
  forgetInResults(files, traces, () => assert.fail('there is no archive'));
const names = ['other', 'zebrabaker', 'third'];

/** The results of a finished job. */
function finishedJob(): ResultsFiles {
  const files = new ResultsFiles(temporaryFolder());
  mkdirSync(files.folder, { recursive: true });
  const lines = names.map((name) => Buffer.from(line(name)));
  const sums = new BlockSums();
  const ends = lines.map((one) => {
    sums.add(one);
    return sums.bytes;
  });
  writeFileSync(files.lines('job_1'), Buffer.concat(lines));
  writeFileSync(files.index('job_1'), indexBytes(ends, sums.values));
  return files;
}

async function assertForgotten(files: ResultsFiles): Promise<void> {
  const text = readFileSync(files.lines('job_1'), 'utf8');
  assert.doesNotMatch(text, /zebrabaker/);
  assert.equal(Buffer.byteLength(text), names.map(line).join('').length);
  const { damaged, jobs } = await checkResults(files, {
    isOver: () => false,
    wait: async () => undefined,
  });
  assert.deepEqual([damaged.length, jobs], [0, 1]);
  assert.deepEqual(
    readdirSync(files.folder).sort(),
    ['job_1.index', 'job_1.ndjson'].map((name) => path.basename(name)),
  );
}

describe('forgetting in the results of jobs', () => {
  test('keeps the other lines where they were', async () => {
    const files = finishedJob();
    writeFileSync(files.download('job_1', 'csv'), 'zebrabaker');
    assert.deepEqual(await forget(files), { lines: 1, records: 0, running: [] });
    await assertForgotten(files);
  });

  test('loses nothing where the system writes less than it was given', async (t) => {
    const files = finishedJob();
    const handle = await open(files.lines('job_1'));
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const { write } = prototype;
    t.mock.method(prototype, 'write', async function (this: FileHandle, data: Buffer) {
      return write.call(this, data.subarray(0, Math.ceil(data.length / 2)) as never);
    });
    await forget(files);
    await assertForgotten(files);
  });

  test('is taken up where it was killed before the index was written', async () => {
    const files = finishedJob();
    writeFileSync(`${files.lines('job_1')}.forget`, 'hal');
    await forget(files);
    await assertForgotten(files);
  });

  test('is taken up where it was killed between the two files', async () => {
    const files = finishedJob();
    const index = files.index('job_1');
    const before = readFileSync(index);
    await forget(files);
    renameSync(index, `${index}.forget`);
    writeFileSync(index, before);
    await forget(files);
    await assertForgotten(files);
  });

  test('leaves a job that runs alone, and says so', async () => {
    const files = finishedJob();
    writeFileSync(files.sums('job_1'), '');
    assert.deepEqual(await forget(files), { lines: 0, records: 0, running: ['job_1'] });
  });
});
