import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { FakeClock } from '../../support/fake-clock.js';

test('an account reads its history once at a time, and holds up no other', async () => {
  const clock = new FakeClock();
  const accounts: string[] = [];
  const database = {
    async read() {
      await clock.sleep(20);
      return { span: null };
    },
  } as unknown as Database;
  const usage = new LedgerUsage(database, () => Promise.reject(new Error('not measured')));
  const all = ['many', 'many', 'few'].map(async (account) => {
    await usage.listCalls(account, { limit: 10 });
    accounts.push(account);
  });
  await clock.advance(20);
  assert.deepEqual(accounts, ['many', 'few']);
  await clock.advance(20);
  assert.deepEqual(accounts, ['many', 'few', 'many']);
  await Promise.all(all);
});
