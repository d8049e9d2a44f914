import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { RowResults, rowLines } from '../../../src/service/jobs/results/row-results.js';
import { bothStores } from './both-stores.js';
import { linesSourceSuite, type NextProgress, type ResultsUnderTest, resultsSuite } from './results-port.js';

for (const [where, skip, open] of bothStores) {
  const opened = async (nextProgress: NextProgress): Promise<ResultsUnderTest> => {
    const { database, results, slices, work, ...under } = await open();
    const { store, clock } = under;
    return {
      ...{ ...under, source: rowLines(database, results), finishCancelled: work.finishCancelled },
      results: new RowResults({ results, jobs: store, nextProgress, clock }),
      async end(id, lines) {
        const ending = { status: 'ok', cached: false, credits: 3 } as const;
        const ended = [...lines].map(([index, text]) => ({ index, ending, line: Buffer.from(text) }));
        assert.match(await slices.commit(id, ended), /^(kept|finished)$/);
      },
    };
  };
  describe(`results in rows of ${where}`, { skip }, () => resultsSuite(opened));
  describe(`the lines of finished jobs in rows of ${where}`, { skip }, () => linesSourceSuite(opened));
}
