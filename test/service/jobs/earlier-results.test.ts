import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { EarlierResults, earlierJobs } from '../../../src/service/jobs/results/earlier-results.js';
import { assertSound } from '../../ledger/books.js';
import { writeEarlierFiles } from './earlier-files.js';
import { awaitJob, jobsHarness, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';

const signal = new AbortController().signal;

/** A directory with finished, cancelled and running jobs, whose lines are in files of an earlier version. */
async function earlierDirectory(t: TestContext) {
  const home = newHome(t);
  const all = await jobsHarness(t, {
    home,
    ask: async (endpoint, params, caller, aborted) => {
      const query = String(params.query);
      if (query.startsWith('hang')) await once(aborted, 'abort');
      aborted.throwIfAborted();
      const answered = await picky(endpoint, params, caller, aborted);
      if (!query.startsWith('large')) return answered;
      return { ...answered, json: JSON.stringify({ echo: params, text: 'ü'.repeat(50_000) }) };
    },
  });
  const customer = await all.customer();
  const finished = [
    await makeJob(all, customer, ['a', 'bad b', 'c']),
    await makeJob(all, customer, numbered(12, 'large ')),
  ];
  for (const id of finished) await awaitJob(all, customer, id);
  const running = [
    await makeJob(all, customer, ['hang 0', 'b', 'bad c', 'hang 1', 'e']),
    await makeJob(all, customer, ['a', 'b', 'hang 2', 'd']),
  ];
  const ended = (id: string) =>
    all.jobs.store.find(customer.account, id).then(({ completed, failed }) => completed + failed);
  await until(async () => (await ended(running[0] ?? '')) === 3 && (await ended(running[1] ?? '')) === 3);
  const cancelled = await makeJob(all, customer, ['a', 'hang 3', 'c', 'hang 4']);
  await until(async () => (await ended(cancelled)) === 2);
  await all.jobs.stop();
  await all.jobs.store.cancel(customer.account, cancelled);
  const texts = new Map<string, unknown>();
  for (const id of finished) texts.set(id, await linesOf(all, customer, id));
  const ids = await writeEarlierFiles(home, all.opened);
  assert.equal(ids.length, 5);
  return { all, home, customer, finished, running, cancelled, texts };
}

/** A database that fails for good at its nth work, as a killed process does. */
function killedAt(database: Database, calls: { left: number }): Database {
  const step = <T>(work: () => Promise<T>) => {
    calls.left -= 1;
    return calls.left < 0 ? Promise.reject(new Error('It is killed.')) : work();
  };
  return {
    dialect: database.dialect,
    isRemote: false,
    read: (work) => step(() => database.read(work)),
    write: (work) => step(() => database.write(work)),
    transaction: (work) => step(() => database.transaction(work)),
  };
}

describe('results in files of an earlier version', () => {
  test('are moved by the first start, however often it is killed, and running jobs continue', async (t) => {
    const { all, home, customer, finished, running, cancelled, texts } = await earlierDirectory(t);
    const { stores } = all.opened.database;
    let kills = 0;
    for (let moment = 0; (await earlierJobs(home)).length > 0; moment += 3) {
      const calls = { left: moment };
      const earlier = new EarlierResults({
        home,
        clock: systemClock,
        database: killedAt(stores, calls),
        results: killedAt(all.opened.results, calls),
        onError: () => undefined,
      });
      await earlier.moveAll(signal);
      if (calls.left < 0) kills += 1;
      assert.ok(moment < 300);
    }
    assert.ok(kills >= 5, `${kills} kills`);
    await all.close();
    const again = await jobsHarness(t, { home, ask: picky });
    for (const id of finished) assert.deepEqual(await linesOf(again, customer, id), texts.get(id));
    for (const id of running) await awaitJob(again, customer, id);
    const queries = (lines: Awaited<ReturnType<typeof linesOf>>) => lines.map(({ input }) => input.query);
    const [first = '', second = ''] = running;
    assert.deepEqual(queries(await linesOf(again, customer, first)), ['hang 0', 'b', 'bad c', 'hang 1', 'e']);
    assert.deepEqual(queries(await linesOf(again, customer, second)), ['a', 'b', 'hang 2', 'd']);
    await awaitJob(again, customer, cancelled);
    const codes = (await linesOf(again, customer, cancelled)).map(({ error }) => error?.code ?? null);
    assert.deepEqual(codes, [null, 'job_cancelled', null, 'job_cancelled']);
    const folders = readdirSync(path.join(home, 'jobs')).filter((name) => name.startsWith('job_'));
    assert.deepEqual(folders, []);
    assert.deepEqual(again.errors, []);
    assertSound(path.join(home, 'ledger.db'));
  });

  test('are moved when they are requested, before their turn', async (t) => {
    const { all, home, customer, finished, texts } = await earlierDirectory(t);
    await all.close();
    const again = await jobsHarness(t, { home, ask: picky });
    for (const id of [...finished].reverse())
      assert.deepEqual(await linesOf(again, customer, id), texts.get(id));
  });

  test('are reported and left in place if damaged, while the others are moved', async (t) => {
    const { all, home, customer, finished, texts } = await earlierDirectory(t);
    await all.close();
    const [sound = '', harmed = ''] = finished;
    const file = path.join(home, 'jobs', `${harmed}.ndjson`);
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, content.replace('large 7', 'large 8'));
    const again = await jobsHarness(t, { home, ask: picky });
    assert.deepEqual(await linesOf(again, customer, sound), texts.get(sound));
    const message = new RegExp(`${harmed}.ndjson does not contain the lines`);
    await assert.rejects(linesOf(again, customer, harmed), { name: 'ExtractError', message });
    await again.close();
    assert.ok(existsSync(file));
    writeFileSync(file, content);
    const third = await jobsHarness(t, { home, ask: picky });
    assert.deepEqual(await linesOf(third, customer, harmed), texts.get(harmed));
  });
});
