import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { RowResults, rowLines } from '../../../src/service/jobs/results/row-results.js';
import { openDirectoryStores } from './directory-stores.js';
import { linesSourceSuite, type NextProgress, type ResultsUnderTest, resultsSuite } from './results-port.js';

async function opened(nextProgress: NextProgress): Promise<ResultsUnderTest> {
  const { database, results, clock, store, slices, accounts, account, breakDriver } =
    await openDirectoryStores();
  return {
    ...{ store, clock, account, breakDriver, source: rowLines(database, results) },
    results: new RowResults({ results, jobs: store, nextProgress, clock }),
    async end(id, lines) {
      const ending = { status: 'ok', cached: false, credits: 3 } as const;
      const ended = [...lines].map(([index, text]) => ({ index, ending, line: Buffer.from(text) }));
      assert.match(await slices.commit(id, ended), /^(kept|finished)$/);
    },
    async finishCancelled(id) {
      while (!(await slices.writeCancelled(id)));
    },
    async sweep() {
      for (const id of await store.listExpired()) await store.forget(id);
    },
    async deleteAccount(owner) {
      await accounts.delete(owner);
      await store.forgetLines();
    },
  };
}

describe('results in rows of a data directory', () => resultsSuite(opened));

describe('the lines of finished jobs in rows of a data directory', () => linesSourceSuite(opened));
