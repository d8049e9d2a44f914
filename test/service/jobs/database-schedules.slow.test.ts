import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness, type Node } from './database-harness.js';
import { makeJob, numbered } from './harness.js';

const hour = 3_600_000;

describe('schedules of several nodes', { skip: skipWithoutPostgres }, () => {
  test('make one job a time, however many look, and go on when a node is gone', async (t) => {
    const database = await databaseHarness(t);
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const nodes = await Promise.all([1, 2, 3].map(() => database.node({ clock })));
    const [first, second] = nodes as [Node, Node];
    const customer = await first.customer();
    await makeJob(first, customer, numbered(3), { schedule: { every: '6h' } });
    const jobs = () =>
      database.rows<{ readonly status: string }>('SELECT status FROM jobs WHERE account = $1 ORDER BY id', [
        customer.account,
      ]);
    const made = async (count: number) => {
      for (;;) {
        const found = await jobs();
        if (found.length >= count && found.every(({ status }) => status === 'done')) return found.length;
        await setTimeout(20);
      }
    };
    assert.equal(await made(1), 1);
    for (let run = 2; run <= 6; run += 1) {
      // Another node takes on what a node that is gone would have made.
      if (run === 5) await first.close();
      clock.set(clock.now() + 6 * hour);
      for (const node of nodes) if (run < 5 || node !== first) node.jobs.wake();
      assert.equal(await made(run), run);
    }
    // Nobody makes a run a second time, once all have looked.
    for (const node of nodes.slice(1)) node.jobs.wake();
    await setTimeout(200);
    assert.equal((await jobs()).length, 6);
    assert.equal(await second.credits(customer.account), 100_000 + 500 - 6 * 3 * 3);
    assert.deepEqual(
      nodes.flatMap(({ errors }) => errors),
      [],
    );
  });
});
