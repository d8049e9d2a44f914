import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { refusal } from '../../ledger/ledger-port.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import { makeJob, numbered, until } from './harness.js';

/** Holds the balance of an account, as a slow charge does, until it is let go. */
async function holdBalance(url: string, account: string) {
  const postgres = await Postgres.open({ url, connections: 1 }, systemClock);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = new Promise<() => Promise<void>>((resolve, reject) => {
    const holding = postgres.transaction(async (queries) => {
      await queries.run('SELECT 1 FROM balances WHERE id = $1 FOR UPDATE', [account]);
      resolve(async () => {
        release();
        await holding;
        await postgres.close();
      });
      await released;
    });
    holding.catch(reject);
  });
  return held;
}

describe('an account that is deleted while its job is made, in PostgreSQL', {
  skip: skipWithoutPostgres,
}, () => {
  for (const first of ['the job', 'the deletion']) {
    test(`leaves no job and no schedule where ${first} comes first`, async (t) => {
      const database = await databaseHarness(t);
      const node = await database.node({ start: false });
      const customer = await node.customer();
      const letGo = await holdBalance(database.config.url, customer.account);
      const waiting = (count: number) =>
        until(async () => {
          const rows = await database.rows(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return rows.length >= count;
        }, 20);
      const schedule = { every: '6h' };
      const make = () => makeJob(node, customer, numbered(3), { schedule });
      const remove = () => node.opened.accounts.delete(customer.account);
      const acts: readonly (() => Promise<unknown>)[] = first === 'the job' ? [make, remove] : [remove, make];
      const done: Promise<unknown>[] = [];
      for (const act of acts) {
        done.push(act().catch((cause: unknown) => cause));
        await waiting(done.length);
      }
      await letGo();
      const [one, other] = await Promise.all(done);
      if (first === 'the deletion') assert.ok(refusal('invalid_api_key')(other), String(other));
      else assert.equal(typeof one, 'string');
      for (const table of ['jobs', 'job_inputs', 'schedules', 'schedule_inputs', 'schedule_runs', 'users']) {
        assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
      }
      assert.equal(await node.credits(customer.account), 0);
    });
  }
});
