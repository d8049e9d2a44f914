import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness, type Node } from './database-harness.js';
import { awaitJob, linesOf, makeJob, numbered } from './harness.js';

const hour = 3_600_000;

describe('schedules of several nodes', { skip: skipWithoutPostgres }, () => {
  test('tell the targets of a run once, whichever node comes to it first', async (t) => {
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
    assert.deepEqual(
      [(await states()).length, mailer.mails.map(({ subject }) => subject)],
      [1, ['3 found: maps/harbours']],
    );
    const errors = nodes.flatMap(({ errors }) => errors);
    assert.deepEqual(errors, []);
  });

  test('hold their inputs once for all jobs, which keep them when their schedule ends', async (t) => {
    const database = await databaseHarness(t);
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const node = await database.node({ clock, start: false });
    const customer = await node.customer();
    const first = await makeJob(node, customer, numbered(3), { schedule: { every: '6h' } });
    const { jobs } = node;
    const [schedule] = (await jobs.schedules.list(customer.account, 1, undefined)).schedules;
    assert.ok(schedule);
    clock.set(clock.now() + 6 * hour);
    const [due] = await jobs.schedules.listDue();
    assert.ok(due?.nextAt);
    const at = clock.now();
    const second = await jobs.schedules.run({ id: due.id, expected: due.nextAt, at, nextAt: at + hour }, 3);
    assert.ok(second !== null);
    const rowCount = async (table: string) => (await database.rows(`SELECT 1 AS one FROM ${table}`)).length;
    assert.deepEqual([await rowCount('schedule_inputs'), await rowCount('job_inputs')], [3, 0]);
    assert.equal(await jobs.store.readInput(second, 2), '{"query":"q2"}');

    await jobs.schedules.end(customer.account, schedule.id);
    assert.deepEqual([await rowCount('schedule_inputs'), await rowCount('job_inputs')], [3, 0]);
    await jobs.store.cancel(customer.account, first);
    jobs.start();
    for (const id of [first, second]) {
      await awaitJob(node, customer, id);
      const lines = await linesOf(node, customer, id);
      const queries = lines.map(({ input }) => input.query);
      assert.deepEqual(queries, numbered(3));
    }
    assert.deepEqual([await rowCount('schedule_inputs'), await rowCount('job_inputs')], [0, 0]);
  });
});
