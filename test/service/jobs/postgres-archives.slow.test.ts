import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { download, inputs, makeArchived, real, recordedPages, verdicts } from './archived-jobs.js';
import { archivesSuite } from './archives-port.js';
import { databaseHarness, pauseMs } from './database-harness.js';
import { awaitJob, jobsHarness, linesOf, until } from './harness.js';

describe('archives of the jobs of a database', { skip: skipWithoutPostgres }, () => {
  archivesSuite(async (t) => {
    const database = await databaseHarness(t);
    return {
      node: (options) => database.node(options),
      async kept() {
        const [found] = await database.rows<{ bytes: number }>(
          'SELECT CAST(coalesce(sum(octet_length(member)), 0) AS bigint) AS bytes FROM job_records',
        );
        return found?.bytes ?? 0;
      },
    };
  });

  test('are moved from a data directory, of a job that has ended and of one that goes on here', async (t) => {
    let isHeld = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const directory = await jobsHarness(t, {
      ...real,
      services: {
        pages: async () =>
          recordedPages((url) => (isHeld && url.includes('7571000000000000201') ? held : undefined)),
      },
    });
    const customer = await directory.customer();
    const ended = await makeArchived(directory, customer);
    await awaitJob(directory, customer, ended);
    isHeld = true;
    const begun = await makeArchived(directory, customer);
    // The others have ended, and wait for the first.
    await until(async () => {
      const { completed, failed } = await directory.jobs.store.find(customer.account, begun);
      return completed + failed === 3;
    }, pauseMs);
    await directory.close();
    release();
    await directory.ledger.close();
    const database = await databaseHarness(t);
    const { signal } = new AbortController();
    const { home } = directory;
    await importDirectory({
      operator: serverOperator,
      home,
      config: database.config,
      clock: systemClock,
      signal,
    });
    const node = await database.node({ ...real, services: { pages: async () => recordedPages() } });
    for (const id of [ended, begun]) {
      await awaitJob(node, customer, id);
      const lines = await linesOf(node, customer, id);
      assert.deepEqual(
        lines.map(({ input }) => JSON.stringify(input)),
        inputs,
      );
      const found = await verdicts(await download(node, customer.account, id), lines);
      assert.deepEqual(
        found,
        inputs.map(() => 'equal'),
      );
    }
  });
});
