import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Platform } from '../../../lib/platforms.js';
import type { AccountStore } from '../../../src/service/accounts/account-store.js';
import { Access } from '../../../src/service/limits/access.js';
import { FakeClock } from '../../support/fake-clock.js';

const owner = { account: 'acct_many', verified: true, platforms: null, key: { id: 'key_1', name: 'one' } };
const accounts = { authenticate: async () => owner } as unknown as AccountStore;
const request = { headers: { authorization: 'Bearer sk_1' } };

/** The most requests that a turn of the event loop begins of three hundred that come at the same moment. */
async function mostInATurn(platform: Platform | undefined): Promise<number> {
  const access = new Access(accounts, new FakeClock(), { rateLimit: 1_000, demoRateLimit: 1 });
  let startCount = 0;
  const all = Promise.all(
    Array.from({ length: 300 }, async () => {
      await access.admit(request, { header: () => undefined }, platform);
      startCount += 1;
    }),
  );
  let most = 0;
  for (let before = 0; before < 300; before = startCount) {
    await setImmediate();
    most = Math.max(most, startCount - before);
  }
  await all;
  return most;
}

test('a turn of the event loop begins few requests of an account that are no calls, and all of its calls', async () => {
  const most = await mostInATurn(undefined);
  assert.ok(most <= 4, `${most} requests a turn`);
  assert.equal(await mostInATurn('maps'), 300);
});
