import assert from 'node:assert/strict';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ShortageError } from '../../../lib/errors/shortage.js';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { FileRunnerLock } from '../../../src/service/jobs/sqlite/runner-lock.js';
import { FakeClock } from '../../support/fake-clock.js';
import { awaitJob, jobsHarness, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';
import { assertJobsSound } from './processes.js';

/** Answers up to a query that waits until it is let go. */
function gated(): { ask: CallFunction; open(): void } {
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  return {
    async ask(endpoint, params, caller, signal) {
      if (String(params.query).includes('gate')) {
        await Promise.race([
          gate,
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]);
      }
      return picky(endpoint, params, caller, signal);
    },
    open: () => openGate(),
  };
}

const queries = [...numbered(20).map((query, at) => (at % 3 === 0 ? `bad${query}` : query)), 'gate', 'last'];
const failed = queries.filter((query) => query.startsWith('bad')).length;

describe('a results file that cannot be opened', () => {
  test('is named in the log with what to do, and its job goes on when that is done', async (t) => {
    const home = newHome(t);
    const clock = new FakeClock();
    const { ask, open: openGate } = gated();
    const all = await jobsHarness(t, { home, clock, ask });
    const customer = await all.customer();
    const id = await makeJob(all, customer, ['gate', 'a']);
    const file = path.join(home, 'jobs', `${id}.ndjson`);
    mkdirSync(file);
    openGate();
    await clock.passing(until(() => all.errors.length > 0));
    const [fault] = all.errors;
    assert.ok(fault instanceof StorageError, String(fault));
    assert.ok(fault.message.includes(file) && /move it away/.test(fault.message), fault.message);
    rmSync(file, { recursive: true });
    const job = await clock.passing(awaitJob(all, customer, id), 60_000);
    assert.equal(job.completed + job.failed, 2);
    assertJobsSound(home);
  });

  test('as the lock of the jobs is named likewise', async (t) => {
    const home = newHome(t);
    const lock = path.join(home, 'jobs', 'runner.lock');
    mkdirSync(lock, { recursive: true });
    const never = new AbortController().signal;
    const taking = new FileRunnerLock(path.join(home, 'jobs'), new FakeClock()).acquire(never);
    await assert.rejects(taking, (error) => {
      return error instanceof StorageError && error.message.includes(lock) && /delete it/.test(error.message);
    });
    rmSync(lock, { recursive: true });
    (await new FileRunnerLock(path.join(home, 'jobs'), new FakeClock()).acquire(never))();
  });

  for (const code of ['EMFILE', 'EACCES', 'EIO']) {
    test(`once (${code}) is tried again, and the job goes on`, async (t) => {
      const home = newHome(t);
      const clock = new FakeClock();
      let refusals = 0;
      const files = new ResultsFiles(home, async (file) => {
        refusals += 1;
        if (refusals <= 2) throw Object.assign(new Error(code), { code });
        return open(file, 'a+').then(async (made) => {
          await made.close();
          return open(file, 'r+');
        });
      });
      const all = await jobsHarness(t, { home, clock, files, ask: picky });
      const customer = await all.customer();
      const id = await makeJob(all, customer, queries);
      const job = await clock.passing(awaitJob(all, customer, id), 60_000);
      assert.equal(job.completed + job.failed, queries.length);
      assert.ok(refusals > 2);
      assertJobsSound(home);
    });
  }

  test('by the process that takes the job up is tried again, too', async (t) => {
    const home = newHome(t);
    const gate = gated();
    const one = await jobsHarness(t, { home, ask: gate.ask });
    const customer = await one.customer();
    const id = await makeJob(one, customer, queries);
    await until(async () => (await linesOf(one, customer, id)).length === 20);
    await one.close();
    const clock = new FakeClock();
    let refusals = 0;
    const real = new ResultsFiles(home);
    const files = new ResultsFiles(home, async (file) => {
      refusals += 1;
      if (refusals <= 3) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return real.open(file);
    });
    const two = await jobsHarness(t, { home, clock, files, ask: picky });
    await clock.passing(awaitJob(two, customer, id), 60_000);
    assert.deepEqual(
      (await linesOf(two, customer, id)).map(({ input }) => input.query),
      queries,
    );
    assertJobsSound(home);
  });
});

describe('lines that are lost', () => {
  const harms: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['with their file', async (file) => rmSync(file)],
    ['with half of their file', async (file) => truncateSync(file, Math.floor((await stat(file)).size / 2))],
    ['with all but a byte', async (file) => truncateSync(file, (await stat(file)).size - 1)],
    [
      'as their bytes are others',
      async (file) => writeFileSync(file, (await readFile(file)).fill(0x5a, 100, 400)),
    ],
    [
      'as a letter of a value is another',
      async (file) => {
        const bytes = await readFile(file);
        writeFileSync(file, bytes.fill('p', bytes.lastIndexOf('q'), bytes.lastIndexOf('q') + 1));
      },
    ],
    ['as the file is a text', async (file) => writeFileSync(file, 'a letter\n'.repeat(1000))],
  ];
  for (const [name, harm] of harms) {
    for (const running of [true, false]) {
      // A process that has the file open does not read it again.
      if (running && name.startsWith('as')) continue;
      test(`${name} are made anew ${running ? 'by the process at work' : 'after a restart'}: the job ends, and costs what it would have`, async (t) => {
        const home = newHome(t);
        const gate = gated();
        let all = await jobsHarness(t, { home, ask: gate.ask });
        const customer = await all.customer();
        const before = await all.credits(customer.account);
        const id = await makeJob(all, customer, queries);
        await until(async () => (await linesOf(all, customer, id)).length === 20);
        if (!running) await all.close();
        await harm(new ResultsFiles(home).lines(id));
        if (!running) all = await jobsHarness(t, { home, ask: gate.ask });
        gate.open();
        const job = await awaitJob(all, customer, id);
        assert.deepEqual([job.completed, job.failed], [queries.length - failed, failed]);
        assert.deepEqual(
          (await linesOf(all, customer, id)).map(({ input }) => input.query),
          queries,
        );
        assert.equal(await all.credits(customer.account), before - 3 * (queries.length - failed));
        assert.match(String(all.errors), /lines of its results were lost/);
        await all.close();
        assertJobsSound(home);
      });
    }
  }

  test('before those that wait for their turn are given back when the job is cancelled', async (t) => {
    const home = newHome(t);
    const gate = gated();
    const one = await jobsHarness(t, { home, ask: gate.ask });
    const customer = await one.customer();
    const before = await one.credits(customer.account);
    const id = await makeJob(one, customer, ['a', 'b', 'gate', 'c', 'd', 'gate2']);
    await until(async () => (await one.jobs.store.find(customer.account, id)).completed === 4);
    await one.close();
    const files = new ResultsFiles(home);
    rmSync(files.lines(id));
    rmSync(files.late(id));
    const two = await jobsHarness(t, { home, ask: gate.ask, start: false });
    await two.jobs.store.cancel(customer.account, id);
    two.jobs.start();
    await until(async () => two.errors.length > 0);
    await awaitJob(two, customer, id);
    const codes = (await linesOf(two, customer, id)).map(({ error }) => error?.code);
    assert.deepEqual(
      codes,
      Array.from({ length: 6 }, () => 'job_cancelled'),
    );
    assert.equal(await two.credits(customer.account), before);
    await two.close();
    assertJobsSound(home);
  });
});

describe('an input that meets a shortage or a store that cannot be used', () => {
  for (const [name, error] of [
    ['a shortage of descriptors', new ShortageError({})],
    ['a full disk', new StorageError('full', 'The disk is full.')],
  ] as const) {
    test(`${name}: waits and is run again, however often`, async (t) => {
      const home = newHome(t);
      const clock = new FakeClock();
      let refusals = 0;
      const all = await jobsHarness(t, {
        home,
        clock,
        async ask(endpoint, params, caller, signal) {
          if (params.query === 'q3' && refusals < 70) {
            refusals += 1;
            throw error;
          }
          return picky(endpoint, params, caller, signal);
        },
      });
      const customer = await all.customer();
      const id = await makeJob(all, customer, numbered(6));
      const job = await clock.passing(awaitJob(all, customer, id), 60_000);
      assert.deepEqual([job.completed, job.failed, refusals], [6, 0, 70]);
      await all.close();
      assertJobsSound(path.join(home));
    });
  }
});
