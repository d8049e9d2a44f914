import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sweepJobs } from '../../../src/service/jobs/postgres/sweep-jobs.js';
import { RowResults, rowLines } from '../../../src/service/jobs/results/row-results.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { openDatabaseStores } from './database-stores.js';
import {
  line,
  linesSourceSuite,
  makeResultsJob,
  type NextProgress,
  type ResultsUnderTest,
  resultsSuite,
} from './results-port.js';

/** The results of a database of the test's own. */
async function opened(nextProgress: NextProgress): Promise<ResultsUnderTest> {
  const { postgres, clock, days, store, slices, account, breakDriver } = await openDatabaseStores();
  return {
    ...{ store, clock, account, breakDriver, source: rowLines(postgres) },
    results: new RowResults({ results: postgres, jobs: store, nextProgress, clock }),
    async end(id, lines) {
      const ending = { status: 'ok', cached: false, credits: 3 } as const;
      const ended = [...lines].map(([index, text]) => ({ index, ending, line: Buffer.from(text) }));
      assert.match(await slices.commit(id, ended), /^(kept|finished)$/);
    },
    async finishCancelled(id) {
      while (!(await slices.writeCancelled(id)));
    },
    sweep: () => sweepJobs({ postgres, clock, days, resultDays: store.resultDays }),
    deleteAccount: (owner) =>
      postgres.transaction((queries) => store.deleteAccount(queries, { account: owner })),
  };
}

describe('results in rows', { skip: skipWithoutPostgres }, () => {
  resultsSuite(opened);

  test('are read in pieces of a bounded size', async () => {
    const { results, store, account, end } = await opened(() => new Promise(() => undefined));
    const owner = await account(100);
    const id = await makeResultsJob(store, owner, 10);
    const lines = Array.from({ length: 10 }, (_, index) => line(index, 'x'.repeat(700_000)));
    await end(id, new Map(lines.entries()));
    const open = await results.open(owner, id);
    for await (const chunk of open.read(0, open.bytes)) assert.ok(chunk.length < 2 * 1024 * 1024);
  });
});

describe('the lines of finished jobs in rows', { skip: skipWithoutPostgres }, () => linesSourceSuite(opened));
