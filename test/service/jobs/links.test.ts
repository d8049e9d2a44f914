import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { awaitJob, jobsHarness, makeJob, passSweep } from './harness.js';
import { linksSuite } from './links-port.js';

describe('shared links of a data directory', () => {
  linksSuite(async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    return { ...(await jobsHarness(t, { clock })), clock, pauseMs: 0 };
  });

  test('are made to no results that were deleted', async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const all = await jobsHarness(t, { clock });
    const customer = await all.customer();
    const id = await makeJob(all, customer, ['a']);
    await awaitJob(all, customer, id);
    clock.set(clock.now() + 31 * 86_400_000);
    await passSweep(clock);
    const creating = all.jobs.links.create(customer.account, { type: 'job', id }, 'table');
    await assert.rejects(creating, refusal('results_expired'));
  });
});

describe('shared links of a database', { skip: skipWithoutPostgres }, () => {
  linksSuite(async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const database = await databaseHarness(t);
    return { ...(await database.node({ clock })), clock };
  });
});
