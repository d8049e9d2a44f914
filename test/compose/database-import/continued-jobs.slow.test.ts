import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../lib/config.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { importDirectory } from '../../../src/compose/import-directory.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import { serverOperator } from '../../../src/service/audit/audit-store.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';
import { echo, jobsHarness, makeJob, numbered, rows, until } from '../../service/jobs/harness.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';

async function textOf({ results }: Jobs, account: string, id: string): Promise<string> {
  const all: Buffer[] = [];
  const open = await results.open(account, id);
  for await (const chunk of open.read(0, open.bytes)) all.push(chunk);
  return Buffer.concat(all).toString();
}

/** A node that works on the jobs of a database. */
async function node(t: TestContext, url: string, home: string) {
  const store = await openDatabase({ url, connections: 8 }, { home, clock: systemClock, trialCredits: 0 });
  const services = openServices(readConfig({ home }, {}), { ledger: store.ledger });
  const troubles: unknown[] = [];
  const jobs = store.createJobs({
    services: { ...services, docsBase: 'https://docs.example' },
    config: readConfig({ home }, {}),
    endpoints: rows,
    webhookAllow: [],
    ask: echo,
    onError: (_, cause) => troubles.push(cause),
  });
  t.after(async () => {
    await jobs.stop();
    await services.close();
    await store.close();
    assert.deepEqual(troubles, []);
  });
  jobs.start();
  return { store, jobs };
}

describe('jobs that were moved into a database', { skip: skipWithoutPostgres }, () => {
  test('resume where they stopped, each input once, and cancelled ones end', async (t) => {
    let calls = 0;
    const all = await jobsHarness(t, {
      ask: async (endpoint, params, caller, signal) => {
        calls += 1;
        // The database runs the rest.
        if (calls > 120)
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return echo(endpoint, params, caller, signal);
      },
    });
    const customer = await all.customer(10_000);
    const { account } = customer;
    const open = await makeJob(all, customer, numbered(250));
    await until(async () => (await all.jobs.store.find(account, open)).completed >= 100);
    const cancelled = await makeJob(all, customer, numbered(150));
    await all.close();
    // No server is running to write the lines of cancelled inputs.
    const stopped = await jobsHarness(t, { home: all.home, start: false });
    await stopped.jobs.store.cancel(account, cancelled);
    const before = await stopped.jobs.store.find(account, open);
    const credits = await stopped.credits(account);
    await stopped.close();
    assert.ok(before.completed >= 100 && before.completed < 250);

    const { config, drop } = await makeTestDatabase();
    const { signal } = new AbortController();
    await importDirectory({ operator: serverOperator, home: all.home, config, clock: systemClock, signal });
    const { store, jobs } = await node(t, config.url, all.home);
    // After the node that uses it.
    t.after(drop);
    for (const [id, total, code] of [
      [open, 250, undefined],
      [cancelled, 150, 'job_cancelled'],
    ] as const) {
      while ((await jobs.store.readProgress(account, id)).lines < total) await setTimeout(20);
      const lines = (await textOf(jobs, account, id))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const queries = lines.map(({ input }) => input.query);
      assert.deepEqual(queries, numbered(total));
      assert.deepEqual([...new Set(lines.map(({ error }) => error?.code))], [code]);
    }
    const after = await jobs.store.find(account, open);
    assert.deepEqual([after.status, after.completed, after.failed], ['done', 250, 0]);
    // What was reserved pays for all of it.
    assert.equal((await store.ledger.balance(account)).credits, credits);
  });
});
