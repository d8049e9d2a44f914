import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { ChangingSite } from './changing-site.js';
import { databaseHarness, type Node } from './database-harness.js';
import { awaitJob, makeJob, numbered } from './harness.js';

describe('schedules of a database', { skip: skipWithoutPostgres }, () => {
  test('tell the targets of a run once, whichever of several nodes comes to it first', async (t) => {
    const database = await databaseHarness(t);
    const mailer = new MemoryMailer();
    const emailOf = async () => 'ada@example.com';
    const nodes = await Promise.all([1, 2].map(() => database.node({ mailer, emailOf })));
    const [first] = nodes as [Node];
    const customer = await first.customer();
    const notify = [{ kind: 'mail', address: 'ada@example.com' }] as const;
    await makeJob(first, customer, numbered(3), { schedule: { every: '6h', notify } });
    const states = () => database.rows<{ readonly state: string }>('SELECT state FROM schedule_alerts');
    while ((await states()).every(({ state }) => state !== 'delivered')) {
      for (const { jobs } of nodes) jobs.wake();
      await setTimeout(20);
    }
    const subjects = mailer.mails.map(({ subject }) => subject);
    assert.deepEqual([(await states()).length, subjects], [1, ['3 found: maps/harbours']]);
    assert.deepEqual(
      nodes.flatMap(({ errors }) => errors),
      [],
    );
  });

  test('that end while their last lines are written cause no deadlock', async (t) => {
    const database = await databaseHarness(t);
    const site = new ChangingSite();
    site.names = ['pier', 'quay'];
    const node = await database.node({ ask: site.ask });
    const customer = await node.customer();
    const { account } = customer;
    const make = (lineOptions: { history: true; new?: true }) =>
      makeJob(node, customer, ['a'], { schedule: { every: '6h' }, lineOptions });
    for (let round = 0; round < 12; round += 1) {
      const jobs = await Promise.all([1, 2, 3, 4].map(() => make({ history: true, new: true })));
      const ends = jobs.map(async (id) => {
        const { schedule = '' } = await node.jobs.store.find(account, id);
        await node.jobs.schedules.end(account, schedule);
      });
      await Promise.all([...ends, ...jobs.map((id) => awaitJob(node, customer, id))]);
    }
    // An account takes its histories along.
    await awaitJob(node, customer, await make({ history: true }));
    assert.equal((await database.rows('SELECT 1 FROM history_scopes')).length, 1);
    await node.opened.accounts.delete(account);
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
});
