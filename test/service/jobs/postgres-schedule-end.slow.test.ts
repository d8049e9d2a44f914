import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { awaitJob, makeJob } from './harness.js';
import { ChangingSite } from './schedule-news-port.js';

test('schedules that end while their last lines are written cause no deadlock', {
  skip: skipWithoutPostgres,
}, async (t) => {
  const database = await databaseHarness(t);
  const site = new ChangingSite();
  site.names = ['pier', 'quay'];
  const node = await database.node({ ask: site.ask });
  const customer = await node.customer(100_000);
  const order = { endpoint: 'maps/harbours', schedule: { every: '6h' } } as const;
  for (let round = 0; round < 12; round += 1) {
    const jobs = await Promise.all(
      Array.from({ length: 4 }, (_, at) =>
        makeJob(node, customer, [`{"query":"a${at}"}`], {
          ...order,
          lineOptions: { history: true, new: true },
        }),
      ),
    );
    const ends = jobs.map(async (id) => {
      const { schedule = '' } = await node.jobs.store.find(customer.account, id);
      await node.jobs.schedules.end(customer.account, schedule);
    });
    await Promise.all([...ends, ...jobs.map((id) => awaitJob(node, customer, id))]);
  }
  // An account takes its histories along.
  const lineOptions = { history: true } as const;
  await awaitJob(node, customer, await makeJob(node, customer, ['{"query":"a"}'], { ...order, lineOptions }));
  assert.equal((await database.rows('SELECT 1 FROM history_scopes')).length, 1);
  await node.opened.accounts.delete(customer.account);
  await node.jobs.forgetDeleted();
  const [counted] = await database.rows<{ readonly deadlocks: number | string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(Number(counted?.deadlocks), 0);
  for (const table of ['history_scopes', 'history_changes', 'history_objects', 'schedule_inputs']) {
    assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
  }
  assert.deepEqual(node.errors, []);
});
