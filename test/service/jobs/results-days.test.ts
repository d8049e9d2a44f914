import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Queries } from '../../../lib/database/queries.js';
import { sweepJobs } from '../../../src/service/jobs/postgres/sweep-jobs.js';
import { ResultRows } from '../../../src/service/jobs/results/result-rows.js';
import { resultsDay } from '../../../src/service/jobs/results-day.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { openDatabaseStores } from './database-stores.js';

const day = 24 * 3_600_000;

/** The stores of a node's jobs, by a clock of the test's own, with an account that pays them. */
async function node() {
  const { postgres, clock, days, store: jobs, slices, account: fund } = await openDatabaseStores();
  const account = await fund(1000);
  const inputs = (count: number) => Array.from({ length: count }, (_, index) => `{"query":"q${index}"}`);
  return {
    ...{ postgres, clock, jobs, slices },
    async make(count: number): Promise<string> {
      const job = { account, endpoint: 'maps/harbours', credits: 3, inputs: inputs(count) };
      const more = { key: undefined, webhookUrl: undefined, idempotency: undefined };
      return (await jobs.create({ ...job, ...more }, () => '')).id;
    },
    /** Ends inputs of a job; the line of each names it. */
    end: (id: string, ...indexes: readonly number[]) =>
      slices.commit(
        id,
        indexes.map((index) => ({
          ...{ index, ending: { status: 'ok', cached: false, credits: 3 } as const },
          line: Buffer.from(`{"n":"${index} ü"}\n`),
        })),
      ),
    progress: (id: string) => jobs.readProgress(account, id),
    rows: (id: string) => jobs.withResults(account, id),
    sweep: () => sweepJobs({ postgres, clock, days, resultDays: jobs.resultDays }),
    /** Days that have a partition, counted from the first of the test. */
    async days(): Promise<number[]> {
      const rows = await postgres.read((queries) =>
        queries.rows<{ readonly name: string }>(
          `SELECT relname AS name FROM pg_class WHERE relname ~ '^job_results_[0-9]+$' ORDER BY relname`,
        ),
      );
      return rows.map(({ name }) => Number(name.slice(12)) - resultsDay(Date.UTC(2026, 5, 1)));
    },
  };
}

/** Resolves when the results of a job, as far as they go, were read inside a transaction, which `end` ends. */
async function readInTransaction({ postgres }: Awaited<ReturnType<typeof node>>, id: string) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const count = async (queries: Queries) =>
    (await queries.rows('SELECT line FROM job_results WHERE job = $1', [id])).length;
  let transaction: Promise<number> = Promise.resolve(0);
  const lines = await new Promise<number>((resolve, reject) => {
    transaction = postgres.transaction(async (queries) => {
      resolve(await count(queries));
      await ended;
      return count(queries);
    });
    transaction.catch(reject);
  });
  return { lines, end, transaction: () => transaction };
}

describe('the days of results in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  test('are dropped seven days after the last of their jobs ended', async () => {
    const one = await node();
    const [early, late] = [await one.make(2), await one.make(1)];
    await one.end(early, 0, 1);
    await one.clock.advance(2 * day);
    const third = await one.make(1);
    await one.end(third, 0);
    await one.end(late, 0);
    await one.clock.advance(5 * day);
    await one.sweep();
    // One of the first day's has expired, another has two days left.
    await assert.rejects(one.progress(early), { code: 'results_expired' });
    assert.deepEqual(await one.progress(late), { lines: 1, bytes: 13, total: 1 });
    assert.deepEqual(await one.days(), [0, 2, 7, 8]);
    const open = await one.make(2);
    await one.clock.advance(2 * day);
    await one.sweep();
    assert.deepEqual(await one.days(), [7, 8, 9, 10]);
    // Results of an unfinished job stay, however long it takes; days without a job are dropped once they are over.
    await one.end(open, 0);
    await one.clock.advance(30 * day);
    await one.sweep();
    assert.deepEqual(await one.days(), [7, 39, 40]);
    await one.end(open, 1);
    assert.equal((await one.progress(open)).lines, 2);
    await one.clock.advance(7 * day);
    await one.sweep();
    assert.deepEqual(await one.days(), [46, 47]);
  });

  test('are kept if a job is being created at midnight', async () => {
    const one = await node();
    await one.sweep();
    await one.clock.advance(day);
    // By the clock of the node that made it, it is still yesterday.
    await one.sweep();
    assert.deepEqual(await one.days(), [0, 1, 2]);
  });

  test('are dropped after their last reader, who delays nobody', async () => {
    const one = await node();
    const id = await one.make(3);
    await one.end(id, 0, 1, 2);
    const pieces = new ResultRows(one.postgres, await one.rows(id)).lines(0, 3);
    const reader = await readInTransaction(one, id);
    assert.equal(reader.lines, 3);
    await one.clock.advance(7 * day);
    const other = await one.make(1);
    const [, became] = await Promise.all([one.sweep(), one.end(other, 0)]);
    assert.equal(became, 'finished');
    await assert.rejects(one.progress(id), { code: 'results_expired' });
    assert.deepEqual(await one.days(), [0, 7, 8]);
    reader.end();
    assert.equal(await reader.transaction(), 3);
    await one.sweep();
    assert.deepEqual(await one.days(), [7, 8]);
    // A reader that was about to read them gets an error.
    await assert.rejects(pieces.next(), /Lines of the results of job_\w+ are missing/);
  });
});
