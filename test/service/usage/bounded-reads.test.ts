import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundedReads } from '../../../src/service/usage/bounded-reads.js';
import type { UsageQueries } from '../../../src/service/usage/usage-queries.js';
import { FakeClock } from '../../support/fake-clock.js';

test('an account that reads its history rests twice as long as a read took, and holds up no other', async () => {
  const clock = new FakeClock();
  const read: string[] = [];
  const slow = {
    async listCalls(account: string) {
      await clock.sleep(10);
      read.push(account);
      return { calls: [], next: null };
    },
  } as unknown as UsageQueries;
  const usage = boundedReads(slow, clock);
  const query = { limit: 10 } as Parameters<UsageQueries['listCalls']>[1];
  const all = ['many', 'many', 'few'].map((account) => usage.listCalls(account, query));
  await clock.advance(10);
  assert.deepEqual(read, ['many', 'few']);
  await clock.advance(20);
  assert.deepEqual(read, ['many', 'few'], 'it rests');
  await clock.advance(10);
  assert.deepEqual(read, ['many', 'few', 'many']);
  await Promise.all(all);
});
