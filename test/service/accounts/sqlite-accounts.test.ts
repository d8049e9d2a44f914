import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openDirectory, openStore } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { assertFaults } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const closes: (() => Promise<void>)[] = [];
after(() => Promise.all(closes.map((close) => close())));
let homes = 0;
const ann = { email: 'ann@example.com', verified: true, credits: 0 };

async function opened(options: { home?: string; trial?: number; clock?: FakeClock } = {}) {
  const home = options.home ?? path.join(folder, String(++homes));
  const store = await openStore(home, options.clock ?? new FakeClock(), options.trial ?? 500);
  closes.push(() => store.ledger.close());
  return { ...store, home };
}

describe('accounts in SQLite', () => {
  test('get no trial credits if the setting is 0', async () => {
    const { accounts } = await opened({ trial: 0 });
    const account = await accounts.create(ann);
    assert.deepEqual([account.verified, account.credits], [true, 0]);
  });

  test('with a first pack leave the ledger sound', async () => {
    const { accounts, home } = await opened();
    await accounts.create({ ...ann, credits: 50_000 });
    assertSound(path.join(home, 'ledger.db'));
  });

  test('and keys survive a restart', async () => {
    const { accounts, ledger, home } = await opened();
    const account = await accounts.create(ann);
    const { secret } = await accounts.createKey({ account: account.id, name: 'laptop', platforms: ['maps'] });
    await ledger.close();
    const again = (await opened({ home })).accounts;
    assert.deepEqual(await again.list(), [account]);
    assert.deepEqual((await again.authenticate(secret)).platforms, ['maps']);
  });

  test('show the secret of a key once, and keep its hash', async () => {
    const { accounts, home } = await opened();
    const { id } = await accounts.create(ann);
    const { key, secret } = await accounts.createKey({ account: id, name: 'laptop', platforms: null });
    assert.ok(!JSON.stringify([key, await accounts.listKeys()]).includes(secret.slice(8, 30)));
    for (const name of ['ledger.db', 'ledger.db-wal']) {
      assert.ok(!readFileSync(path.join(home, name)).includes(secret.slice(8, 30)), name);
    }
    const digest = inspect(path.join(home, 'ledger.db'), (db) =>
      db.prepare('SELECT digest FROM api_keys').pluck().get(),
    );
    assert.equal((digest as Buffer).length, 32);
  });
});

const root = temporaryFolder();

async function openedBreakable(name: string) {
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
    const { createSignIn, clock, account, breakDriver } = await openedBreakable('sign-in');
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
    const { purchases, account, breakDriver } = await openedBreakable('purchases');
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
