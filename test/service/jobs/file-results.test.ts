import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { dayMs, minuteMs } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { cancelled } from '../../../src/service/jobs/job.js';
import { fileLines } from '../../../src/service/jobs/results/file-lines.js';
import { FileResults } from '../../../src/service/jobs/results/file-results.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import { ResultsWriter } from '../../../src/service/jobs/results/results-writer.js';
import { Sweeper } from '../../../src/service/jobs/results/sweeper.js';
import { errorLine } from '../../../src/service/jobs/runner/run-input.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { awaitJob, jobsHarness, makeJob, passSweep } from './harness.js';
import {
  type LinesByIndex,
  linesSourceSuite,
  type NextProgress,
  type ResultsUnderTest,
  resultsSuite,
} from './results-port.js';

const root = temporaryFolder();
let homes = 0;
let accountsMade = 0;

/** The results of a data directory of the test's own. */
async function opened(nextProgress: NextProgress): Promise<ResultsUnderTest> {
  const home = path.join(root, String(++homes));
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { ledger, database, accounts, jobStores } = await openDirectory(home, clock, 0);
  after(() => ledger.close());
  const { jobs: store, webhooks } = jobStores;
  const files = new ResultsFiles(home);
  const sweeper = () =>
    new Sweeper({
      ...{ store, webhooks, files, clock },
      onError(_, cause) {
        throw cause;
      },
    });
  /** The files of a job as a process takes them up that did not write them. */
  async function writerOf(id: string) {
    const job = await store.findUnfinished(id);
    assert.ok(job);
    const inputOf = (index: number) => store.readInput(id, index);
    return { writer: await ResultsWriter.open(files, id, job.total, job.extent, inputOf), total: job.total };
  }
  const encode = (lines: LinesByIndex) =>
    new Map([...lines].map(([index, line]) => [index, Buffer.from(line)] as const));
  return {
    ...{ store, clock, source: fileLines(files) },
    results: new FileResults(store, files, nextProgress, clock),
    async account(credits) {
      const email = `customer${++accountsMade}@example.com`;
      return (await accounts.create({ email, verified: true, credits })).id;
    },
    async end(id, lines) {
      const { writer } = await writerOf(id);
      const to = await writer.append(encode(lines));
      const ending = { status: 'ok', cached: false, credits: 3 } as const;
      const ended = [...lines.keys()].map((index) => ({ index, ending }));
      assert.equal(await store.commit(id, ended, to), true);
      await writer.applyCommitted();
    },
    async finishCancelled(id) {
      const { writer, total } = await writerOf(id);
      const lines = new Map<number, Buffer>();
      for (let index = 0; index < total; index += 1) {
        if (writer.has(index)) continue;
        lines.set(index, errorLine(await store.readInput(id, index), new ExtractError(cancelled)));
      }
      await store.advance(id, await writer.append(lines));
      await writer.applyCommitted();
    },
    async sweep() {
      const one = sweeper();
      one.start();
      await one.stop();
    },
    async deleteAccount(account) {
      await accounts.delete(account);
      await sweeper().removeOrphans();
    },
    async breakDriver() {
      await database.stores.close();
      database.db.close();
    },
  };
}

describe('results in files', () => resultsSuite(opened));

test('results that cannot be deleted hold up no others, and are tried again', async (t) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { clock });
  const customer = await all.customer();
  const ids: string[] = [];
  for (const query of ['a', 'b']) ids.push(await makeJob(all, customer, [query]));
  for (const id of ids) await awaitJob(all, customer, id);
  const [stuck, other] = ids.map((id) => path.join(all.home, 'jobs', `${id}.ndjson`)) as [string, string];
  rmSync(stuck);
  mkdirSync(stuck);
  clock.set(clock.now() + 8 * dayMs);
  await passSweep(clock);
  assert.equal(all.errors.length > 0, true);
  assert.equal(existsSync(other), false);
  await assert.rejects(all.jobs.results.open(customer.account, ids[1] as string), {
    code: 'results_expired',
  });
  rmdirSync(stuck);
  await passSweep(clock);
  await assert.rejects(all.jobs.results.open(customer.account, ids[0] as string), {
    code: 'results_expired',
  });
});

test('a clock that leaps ahead costs no results, as it may be set right within the hour', async (t) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { clock });
  const customer = await all.customer();
  const id = await makeJob(all, customer, ['a']);
  await awaitJob(all, customer, id);
  clock.set(clock.now() + 8 * dayMs);
  for (let sweeps = 0; sweeps < 6; sweeps += 1) await clock.advance(10 * minuteMs);
  await assert.rejects(all.jobs.results.open(customer.account, id), { code: 'results_expired' });
  clock.set(clock.now() - 8 * dayMs);
  await passSweep(clock);
  const results = await all.jobs.results.open(customer.account, id);
  assert.equal(results.whole, true);
  await results.close();
});

describe('the lines of finished jobs in files', () => linesSourceSuite(opened));
