import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { StorageError } from '../../../lib/errors/storage-error.js';
import type { RunnerStore } from '../../../src/service/jobs/job-store.js';
import { FileLineStore } from '../../../src/service/jobs/results/file-line-store.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import type { FinishedInput } from '../../../src/service/jobs/runner/run-input.js';
import { jobsHarness, makeJob, numbered } from './harness.js';
import { assertJobsSound } from './processes.js';

const finished = (index: number): FinishedInput => ({
  index,
  line: Buffer.from(`{"input":{"query":"q${index}"},"data":[]}\n`),
  ending: { status: 'ok', cached: false, credits: 3 },
});

/** The store of a disk that fails for a moment: what is committed is there, and its caller hears of a fault. */
function reportingFailure(store: RunnerStore): RunnerStore {
  const failing = new Set(['commit', 'findUnfinished']);
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        // The second look is the one after the commit.
        const isLook = name === 'findUnfinished' && failing.has('commit');
        const result: unknown = await method.apply(target, given);
        if (isLook || !failing.delete(String(name))) return result;
        throw new StorageError('failed', `${String(name)} failed.`);
      };
    },
  });
}

for (const first of [[0, 3], [3]]) {
  test(`lines ${first} whose commit is there and was reported as failed hold up no others`, async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const id = await makeJob(all, customer, numbered(5));
    const store = reportingFailure(all.opened.jobStores.jobs);
    const files = new ResultsFiles(all.home);
    await files.prepare();
    const lines = new FileLineStore({
      ...{ store, files, docsBase: '', archives: { settle: async () => undefined } },
      onError: (_, cause) => assert.fail(String(cause)),
    });
    await lines.takeUp(id);
    await assert.rejects(lines.commit(id, first.map(finished)), StorageError);
    // The runner tries the same lines again, with those that ended meanwhile.
    const left = [0, 1, 2, 4].filter((index) => !first.includes(index));
    assert.equal(await lines.commit(id, [...first, ...left].map(finished)), 'finished');
    assert.equal(
      readFileSync(path.join(all.home, 'jobs', `${id}.ndjson`), 'utf8'),
      [0, 1, 2, 3, 4].map((index) => String(finished(index).line)).join(''),
    );
    const job = await all.jobs.store.find(customer.account, id);
    assert.deepEqual([job.status, job.completed, job.credits_refunded], ['done', 5, 0]);
    assertJobsSound(all.home);
  });
}

test('a job whose account is deleted while its cancelled lines are written has none left', async (t) => {
  const all = await jobsHarness(t, { start: false });
  const customer = await all.customer();
  const id = await makeJob(all, customer, numbered(5));
  await all.jobs.store.cancel(customer.account, id);
  let looks = 0;
  const store = new Proxy<RunnerStore>(all.opened.jobStores.jobs, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        const result: unknown = await method.apply(target, given);
        looks += name === 'findUnfinished' ? 1 : 0;
        // The second look is the one that opens the files.
        if (name === 'findUnfinished' && looks === 2) await all.accounts.delete(customer.account);
        return result;
      };
    },
  });
  const lines = new FileLineStore({
    ...{
      store,
      files: new ResultsFiles(all.home),
      docsBase: '',
      archives: { settle: async () => undefined },
    },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  assert.equal(await lines.writeCancelled(id), true);
});
