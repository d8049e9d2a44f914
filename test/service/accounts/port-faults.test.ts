import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();

/** What stays pending or resolves is no refusal, and what the driver threw is no fault of a port. */
async function assertFaults(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(calls)) {
    assert.equal(settled.status, 'rejected');
    assert.ok(settled.reason instanceof ExtractError, String(settled.reason));
    assert.equal(settled.reason.code, 'internal_error');
  }
}

async function opened(name: string) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const store = await openDirectory(path.join(root, name), clock, 500);
  const { id } = await store.accounts.create({ email: 'ann@example.com', verified: true, credits: 0 });
  const breakDriver = async () => {
    await store.database.stores.close();
    store.database.db.close();
  };
  return { ...store, clock, account: id, breakDriver };
}

describe('a driver that fails is a fault of the port', () => {
  test('of sign-in', async () => {
    const { createSignIn, clock, account, breakDriver } = await opened('sign-in');
    const mailer = new MemoryMailer();
    const signIn = createSignIn({ mailer, clock, publicUrl: 'https://x.test', emailAllow: [] });
    const request = { email: 'bob@example.com', address: '203.0.113.7', next: '/' };
    await signIn.request(request);
    const signed = await signIn.confirm(mailer.token(), '');
    assert.ok(signed);
    await breakDriver();
    await assertFaults([
      signIn.request(request),
      signIn.confirm(mailer.token(), ''),
      signIn.findSession(signed.secret),
      signIn.listSessions(account),
      signIn.findLastUse(account),
      signIn.endSession(account, signed.session.id),
    ]);
  });

  test('of purchases', async () => {
    const { purchases, account, breakDriver } = await opened('purchases');
    const pack = { credits: 50_000, amount: 4900, currency: 'EUR' };
    const { id } = await purchases.order(account, pack, 'hand');
    await breakDriver();
    await assertFaults([
      purchases.order(account, pack, 'hand'),
      purchases.list(account),
      purchases.find(account, id),
      purchases.get(id),
      purchases.isPayable(id),
      purchases.pay(id),
      purchases.payByHand(account, 50_000, 'EUR'),
      purchases.submit(id),
      purchases.cancel(id),
    ]);
  });
});
