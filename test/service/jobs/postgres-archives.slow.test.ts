import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { unfinishedName } from '../../../src/files/archive/archive-writer.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';
import { ResultsFiles } from '../../../src/service/jobs/results/results-files.js';
import { fromSource } from '../../support/from-source.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { download, inputs, makeArchived, real, recordedPages, verdicts } from './archived-jobs.js';
import { archivesSuite } from './archives-port.js';
import { databaseHarness, pauseMs } from './database-harness.js';
import { awaitJob, jobsHarness, linesOf, newHome, until } from './harness.js';

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

  test('are moved from a data directory, of a job that has ended and of those that go on here', async (t) => {
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
    // One that was killed with the records of its answers, and before the first line.
    const idle = await jobsHarness(t, { ...real, home: directory.home, start: false });
    const killed = await makeArchived(idle, customer);
    const files = new ResultsFiles(directory.home);
    const [from, to] = [ended, killed].map((id) => unfinishedName(files.archive(id))) as [string, string];
    copyFileSync(from, to);
    idle.opened.database.db
      .prepare('UPDATE jobs SET archive_bytes = ? WHERE id = ?')
      .run(statSync(to).size, killed);
    await idle.close();
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
    const kept = await database.rows<{ job: string }>('SELECT DISTINCT job FROM job_records');
    assert.deepEqual(kept.map(({ job }) => job).toSorted(), [ended, begun, killed].toSorted());
    const node = await database.node({ ...real, services: { pages: async () => recordedPages() } });
    for (const id of [ended, begun, killed]) {
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

  test('of slices on two nodes at once, of which one is killed, lose no record and double none', async (t) => {
    const database = await databaseHarness(t);
    const idle = await database.node({ start: false });
    const customer = await idle.customer();
    const program = path.join(packageRoot(), 'test/service/jobs/archiving-program.ts');
    const args = [...fromSource, program, database.config.url, newHome(t), '60'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    const stuck = once(child.stdout, 'data');
    // A node takes the first slice, and two more of an account, at once: the fourth is left to the other.
    const many = Array.from({ length: 310 }, (_, at) => inputs[at % 100 < 3 ? at % 100 : 3] ?? '');
    const id = await makeArchived(idle, customer, { inputs: many });
    await stuck;
    const { completed, failed } = await idle.jobs.store.find(customer.account, id);
    assert.ok(completed + failed > 0);
    let asked = 0;
    const pages = recordedPages(() => ++asked);
    const other = await database.node({ ...real, services: { pages: async () => pages } });
    await until(() => asked > 3, pauseMs);
    child.kill('SIGKILL');
    await exit;
    await awaitJob(other, customer, id);
    const lines = await linesOf(other, customer, id);
    assert.deepEqual(
      lines.map(({ input }) => JSON.stringify(input)),
      many,
    );
    const found = await verdicts(await download(other, customer.account, id), lines);
    assert.deepEqual(
      found,
      many.map(() => 'equal'),
    );
    const [records] = await database.rows<{ all: number; different: number }>(
      'SELECT count(*) AS all, count(DISTINCT record) AS different FROM job_records',
    );
    assert.equal(records?.all, records?.different);
  });
});
