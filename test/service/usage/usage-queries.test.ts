import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { measureDatabase } from '../../../src/service/usage/measure-disk.js';
import { at, chargeOf, refusal } from '../../ledger/ledger-port.js';
import { ledgerHarness } from '../../ledger/postgres-harness.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jobsHarness } from '../jobs/harness.js';
import { usageQueriesPort } from './usage-queries-port.js';

usageQueriesPort('usage in the SQLite file of a data directory', async (t) => {
  const { opened } = await jobsHarness(t, { start: false });
  return opened;
});

describe('usage in the SQLite file of a data directory', () => {
  test('rejects with an error of the catalogue when the driver fails', async (t) => {
    const { opened } = await jobsHarness(t, { start: false });
    const { usage, database } = opened;
    database.db.exec('ALTER TABLE usage RENAME TO lost');
    await assert.rejects(usage.listCalls('acct_a', { limit: 1 }), refusal('internal_error', /ledger/));
    database.db.exec('ALTER TABLE lost RENAME TO usage');
    assert.deepEqual(await usage.listCalls('acct_a', { limit: 1 }), { rows: [], next: null });
  });
});

describe('usage in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const harness = ledgerHarness(after);

  const open = async () => {
    const { ledger, database } = await harness();
    const home = temporaryFolder();
    const usage = new LedgerUsage(database.postgres, () => measureDatabase(database.postgres, home));
    const create = async () => {
      const id = `acct_${randomUUID()}`;
      await ledger.grant({ id, account: id, credits: 500, kind: 'trial', at });
      return { id };
    };
    return { ledger, usage, database, accounts: { create } };
  };
  usageQueriesPort('in a database', open);

  test('sums the parts of days that a time begins or ends in from the calls, and the rest from what is kept', async () => {
    const { ledger, usage } = await open();
    const day = 24 * 3_600_000;
    const begin = Date.parse(at);
    for (let n = 0; n < 16; n += 1) await ledger.pay(chargeOf(`r${n}`, { at: begin + (n * day) / 4 }));
    const spent = async (from: number, to: number) =>
      (await usage.sumByDay('local', begin + from * day, begin + to * day)).map(({ calls }) => calls);
    assert.deepEqual(await spent(0, 4), [4, 4, 4, 4]);
    assert.deepEqual(await spent(0.25, 3.5), [3, 4, 4, 2]);
    assert.deepEqual(await spent(0.25, 0.75), [2]);
    assert.deepEqual(await spent(0.75, 1.25), [1, 1]);
    assert.deepEqual(await spent(1, 1), []);
    assert.deepEqual(await spent(9, 10), []);
  });

  test('rejects with an error of the catalogue if a table is missing', async () => {
    const { usage, database } = await open();
    await database.postgres.write((queries) => queries.run('ALTER TABLE usage RENAME TO lost'));
    await assert.rejects(
      usage.listCalls('acct_a', { limit: 1 }),
      refusal('internal_error', /table is missing/),
    );
  });
});
