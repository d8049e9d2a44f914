import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { Engine, type Task } from '../../../src/service/jobs/postgres/engine.js';
import { engineSchema } from '../../../src/service/jobs/postgres/engine-schema.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';

describe('the engine of jobs in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase([engineSchema()]);
  });
  after(() => database.close());

  /** An engine as a node has it, stopped at the end of the test. */
  function engine(t: { after(work: () => Promise<void>): void }): Engine {
    const { postgres } = database;
    const troubles: unknown[] = [];
    const one = new Engine({ postgres, clock: systemClock, onError: (cause) => troubles.push(cause) });
    t.after(async () => {
      await one.stop();
      assert.deepEqual(troubles, []);
    });
    return one;
  }

  test('sends tasks in the transaction of its caller, once for an id, and gives each to one node', async (t) => {
    const { postgres } = database;
    const [sender, worker] = [engine(t), engine(t)];
    await sender.ready();
    const id = '6f1f0f2e-0000-4000-8000-000000000001';
    const undone = postgres.transaction(async (queries) => {
      await sender.send(queries, 'first-photosocial', [{ data: { undone: true } }]);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    for (const again of [false, true]) {
      await postgres.transaction((queries) =>
        sender.send(queries, 'first-photosocial', [{ id, data: { again } }]),
      );
    }
    const tasks: Task[] = [];
    const done = new EventTarget();
    for (const node of [sender, worker]) {
      node.work('first-photosocial', { concurrency: 2 }, async (task) => {
        tasks.push(task);
        if (JSON.stringify(task.data).includes('last')) done.dispatchEvent(new Event('last'));
      });
    }
    const last = once(done, 'last');
    await postgres.transaction((queries) =>
      sender.send(queries, 'first-photosocial', [{ data: { last: true } }]),
    );
    await last;
    assert.deepEqual(
      tasks.map(({ data }) => data),
      [{ again: false }, { last: true }],
    );
  });

  test('gives a task again that failed, and one that was given up, to another node', async (t) => {
    const { postgres } = database;
    const [first, second] = [engine(t), engine(t)];
    await first.ready();
    await postgres.transaction((queries) => first.send(queries, 'rest-shortvideo', [{ data: {} }]));
    const began = new EventTarget();
    let tries = 0;
    first.work('rest-shortvideo', { concurrency: 1 }, async ({ signal }) => {
      tries += 1;
      if (tries === 1) throw new Error('not now');
      began.dispatchEvent(new Event('again'));
      await once(signal, 'abort');
      throw signal.reason;
    });
    await once(began, 'again');
    const leased = new Promise<void>((resolve) => {
      second.work('rest-shortvideo', { concurrency: 1 }, async () => resolve());
    });
    await first.stop();
    await leased;
  });
});
