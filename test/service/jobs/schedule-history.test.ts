import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { observationOf } from '../../../src/lines/memory/observation.js';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { directorySlices } from './directory-stores.js';
import { awaitJob, jobsHarness, makeJob, rows } from './harness.js';
import { scheduleHistorySuite } from './schedule-history-port.js';
import { ChangingSite } from './schedule-news-port.js';

describe('schedules of a data directory keep a history', () => {
  scheduleHistorySuite(async (t, ask) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    return { ...(await jobsHarness(t, { ask, clock })), clock, pauseMs: 0 };
  });

  test('what a line says is recorded with it or not at all, and nothing of a history that is gone', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const { stores } = all.opened.database;
    const customer = await all.customer();
    const order = { endpoint: 'maps/harbour', schedule: { every: '6h' } } as const;
    const lineOptions = { history: true } as const;
    const [endpoint] = rows.filter(({ path }) => path === 'maps/harbour');
    assert.ok(endpoint);
    const slices = directorySlices(all.opened.jobStores, all.clock);
    const commit = async (id: string, index: number) => {
      const json = JSON.stringify({ name: `harbour ${index}` });
      const outcome = { json, source: 'platform', calls: 1 } as const;
      const observed = observationOf(endpoint, { id: `x${index}` }, true, outcome, index + 1);
      const ending = { status: 'ok', cached: false, credits: 3 } as const;
      return slices.commit(id, [{ index, ending, observed, line: Buffer.from('{}\n') }]);
    };
    const count = () =>
      stores
        .read((queries) => queries.rows('SELECT number FROM history_changes'))
        .then(({ length }) => length);
    const job = await makeJob(all, customer, ['a', 'b', 'c'], { ...order, lineOptions });
    await commit(job, 0);
    assert.equal(await count(), 1);
    // The same input ends once: neither its line nor its change is there twice.
    assert.equal(await commit(job, 0), 'kept');
    assert.equal(await count(), 1);
    await commit(job, 1);
    assert.equal(await count(), 2);
    const { schedule = '' } = await all.jobs.store.find(customer.account, job);
    await all.jobs.schedules.end(customer.account, schedule);
    await commit(job, 2);
    await all.jobs.schedules.removeEnded();
    assert.equal(await count(), 0);
  });

  test('the memory goes with its account', async (t) => {
    const all = await jobsHarness(t, { ask: new ChangingSite().ask });
    const { stores } = all.opened.database;
    const customer = await all.customer();
    const { account } = customer;
    const lineOptions = { history: true, new: true } as const;
    const order = { endpoint: 'maps/harbours', schedule: { every: '6h' }, lineOptions };
    await awaitJob(all, customer, await makeJob(all, customer, ['a'], order));
    const scopes = () => stores.read((queries) => queries.rows('SELECT name FROM history_scopes'));
    assert.equal((await scopes()).length, 2);
    await all.accounts.delete(account);
    await all.jobs.forgetDeleted();
    assert.deepEqual(await scopes(), []);
  });
});

describe('schedules of a database keep a history', { skip: skipWithoutPostgres }, () => {
  scheduleHistorySuite(async (t, ask) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const database = await databaseHarness(t);
    return { ...(await database.node({ ask, clock })), clock };
  });
});
