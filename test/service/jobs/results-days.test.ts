import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Queries } from '../../../lib/database/queries.js';
import { ResultRows } from '../../../src/service/jobs/results/result-rows.js';
import { resultsDay } from '../../../src/service/jobs/results-day.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseStores, line } from './both-stores.js';

const day = 24 * 3_600_000;

/** The stores of a node's jobs, by a clock of the test's own, with an account that pays them. */
async function opened() {
  const { postgres, clock, store, sweep, make, end, account: fund } = await databaseStores();
  const account = await fund(1000);
  return {
    ...{ postgres, clock, sweep, end },
    make: (count: number) => make(account, count),
    progress: (id: string) => store.readProgress(account, id),
    rows: (id: string) => store.withResults(account, id),
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

describe('the days of results in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  test('are dropped seven days after the last of their jobs ended', async () => {
    const { clock, make, end, sweep, progress, days } = await opened();
    const [early, late] = [await make(2), await make(1)];
    await end(early, [0, 1]);
    await clock.advance(2 * day);
    await end(await make(1), [0]);
    await end(late, [0]);
    await clock.advance(5 * day);
    await sweep();
    // One of the first day's has expired, another has two days left.
    await assert.rejects(progress(early), { code: 'results_expired' });
    assert.deepEqual(await progress(late), { lines: 1, bytes: Buffer.byteLength(line(0)), total: 1 });
    assert.deepEqual(await days(), [0, 2, 7, 8]);
    const open = await make(2);
    await clock.advance(2 * day);
    await sweep();
    assert.deepEqual(await days(), [7, 8, 9, 10]);
    // Results of an unfinished job stay, however long it takes; days without a job are dropped once they are over.
    await end(open, [0]);
    await clock.advance(30 * day);
    await sweep();
    assert.deepEqual(await days(), [7, 39, 40]);
    await end(open, [1]);
    assert.equal((await progress(open)).lines, 2);
    await clock.advance(7 * day);
    await sweep();
    assert.deepEqual(await days(), [46, 47]);
  });

  test('are kept if a job is being created at midnight', async () => {
    const { clock, sweep, days } = await opened();
    await sweep();
    await clock.advance(day);
    // By the clock of the node that made it, it is still yesterday.
    await sweep();
    assert.deepEqual(await days(), [0, 1, 2]);
  });

  test('are dropped after their last reader, who delays nobody', async () => {
    const { postgres, clock, make, end, sweep, progress, rows, days } = await opened();
    const id = await make(3);
    await end(id, [0, 1, 2]);
    const pieces = new ResultRows(postgres, await rows(id)).lines(0, 3);
    const [started, ended] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const count = async (queries: Queries) =>
      (await queries.rows('SELECT line FROM job_results WHERE job = $1', [id])).length;
    const reader = postgres.transaction(async (queries) => {
      started.resolve(await count(queries));
      await ended.promise;
      return count(queries);
    });
    assert.equal(await Promise.race([started.promise, reader]), 3);
    await clock.advance(7 * day);
    const other = await make(1);
    const [, became] = await Promise.all([sweep(), end(other, [0])]);
    assert.equal(became, 'finished');
    await assert.rejects(progress(id), { code: 'results_expired' });
    assert.deepEqual(await days(), [0, 7, 8]);
    ended.resolve();
    assert.equal(await reader, 3);
    await sweep();
    assert.deepEqual(await days(), [7, 8]);
    // A reader that was about to read them gets an error.
    await assert.rejects(pieces.next(), /Lines of the results of job_\w+ are missing/);
  });
});
