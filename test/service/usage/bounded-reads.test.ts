import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedReads } from '../../../src/service/usage/bounded-reads.js';
import type { UsageQueries } from '../../../src/service/usage/usage-queries.js';
import { FakeClock } from '../../support/fake-clock.js';

test('an account reads its history once at a time, and holds up no other', async () => {
  const clock = new FakeClock();
  const accounts: string[] = [];
  const reads = {
    async listCalls(account: string) {
      await clock.sleep(20);
      accounts.push(account);
      return { rows: [], next: null };
    },
  } as unknown as UsageQueries;
  const usage = boundedReads(reads);
  const query = { limit: 10 } as Parameters<UsageQueries['listCalls']>[1];
  const all = ['many', 'many', 'few'].map((account) => usage.listCalls(account, query));
  await clock.advance(20);
  assert.deepEqual(accounts, ['many', 'few']);
  await clock.advance(20);
  assert.deepEqual(accounts, ['many', 'few', 'many']);
  await Promise.all(all);
});
