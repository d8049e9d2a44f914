import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openDirectory } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { storeKinds } from '../../support/stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { email, hosted } from './hosted.js';

const call = { id: 'call_1', endpoint: 'maps/place', credits: 3, needsPack: false };

for (const kind of storeKinds) {
  describe(`an account that is deleted, ${kind.name}`, { skip: kind.skip }, () => {
    test('is deleted with its sessions, keys, alert, buyer, links, mails and open orders, in every process', async () => {
      const here = await hosted(kind);
      const elsewhere = await hosted(kind, here);
      const { accounts, alerts, payments, purchases, signIn, troubles } = here;
      const { session, secret } = await here.enter();
      const { account } = session;
      const key = await here.createKey(account);
      await alerts.setThreshold(account, 5);
      await purchases.setBuyer(account, { company: 'Ann Ltd', tax_number: '' });
      const { purchase } = await payments.begin(account, 50_000, email);
      const receipt = await payments.confirmByHand(account, 250_000);
      assert.equal((await elsewhere.accounts.authenticate(key.secret)).account, account);
      await signIn.request({ email, address: '203.0.113.7', next: '/' });
      const link = here.mailer.token();

      await here.deleteAccount(account);
      await here.clock.advance(999);
      for (const one of [here, elsewhere]) {
        assert.equal(await one.accounts.find(email), null);
        assert.equal(await one.signIn.findSession(secret), null);
        await assert.rejects(one.accounts.authenticate(key.secret), refusal('invalid_api_key'));
      }
      assert.deepEqual([await signIn.listSessions(account), await accounts.listKeys(account)], [[], []]);
      assert.equal(await signIn.findLastUse(account), null);
      assert.equal(await alerts.readThreshold(account), null);
      assert.equal(await purchases.findBuyer(account), null);
      assert.equal((await payments.find(account, purchase.id))?.status, 'cancelled');
      assert.deepEqual(await payments.find(account, receipt.id), receipt);
      assert.equal(await signIn.confirm(link, ''), null);
      assert.deepEqual([here.mailer.mails, await here.credits(account)], [[], 0]);
      await assert.rejects(here.deleteAccount(account), refusal('invalid_parameter'));
      // A form that was on its way orders nothing that somebody could pay for.
      await assert.rejects(payments.begin(account, 50_000, email), refusal('invalid_parameter'));
      assert.deepEqual(troubles, []);
      await here.state.assertSound();
    });

    test('during a new sign-in is one account or none, with one trial', async () => {
      const here = await hosted(kind);
      const elsewhere = await hosted(kind, here);
      for (let round = 0; round < 5; round += 1) {
        const account = (await here.accounts.find(email))?.id ?? (await here.enter()).session.account;
        await elsewhere.signIn.request({ email, address: `203.0.113.${round}`, next: '/' });
        const [signed] = await Promise.all([
          elsewhere.signIn.confirm(elsewhere.mailer.token(), ''),
          here.deleteAccount(account),
        ]);
        const accounts = await here.accounts.list();
        assert.ok(accounts.length <= 1);
        const session = signed === null ? null : await here.signIn.findSession(signed.secret);
        assert.equal(session?.account, session === null ? undefined : accounts[0]?.id);
        await here.clock.advance(3_600_000);
      }
      assert.equal((await here.state.rows(`SELECT 1 FROM grants WHERE kind = 'trial'`)).length, 1);
      await here.state.assertSound();
    });

    test('and created again has no second trial, however it is created', async () => {
      const { accounts, enter, create, credits, deleteAccount, state } = await hosted(kind);
      for (const way of ['link', 'operator', 'verify'] as const) {
        const account = (await accounts.find(email))?.id ?? (await enter()).session.account;
        await deleteAccount(account);
        if (way === 'link') {
          const { isNew, session } = await enter();
          assert.deepEqual([isNew, await credits(session.account)], [true, 0]);
          assert.notEqual(session.account, account);
        } else {
          const { id } = await create({ verified: way === 'operator' });
          const { verified, credits } = await accounts.verify(id);
          assert.deepEqual([verified, credits], [true, 0]);
        }
      }
      assert.equal(await credits((await enter('bob@example.com')).session.account), 500);
      await state.assertSound();
    });

    test('before its address was confirmed has had no trial', async () => {
      const { create, deleteAccount, enter, credits } = await hosted(kind);
      await deleteAccount((await create({ verified: false })).id);
      assert.equal(await credits((await enter()).session.account), 500);
    });
  });
}

describe('an account of a data directory that is deleted', () => {
  async function opened() {
    const home = path.join(temporaryFolder(), 'home');
    const store = await openDirectory(home, new FakeClock(Date.UTC(2026, 5, 1, 12)), 500);
    after(() => store.ledger.close());
    const create = (address: string) => store.accounts.create({ email: address, verified: true, credits: 0 });
    return { ...store, file: path.join(home, 'ledger.db'), create };
  }

  test('leaves its rows in the ledger, a balance of nothing, no address and no webhook secret', async () => {
    const { accounts, jobStores, ledger, create, file } = await opened();
    const { id: account } = await create('somebody.rare@example.com');
    await jobStores.webhooks.secrets.list(account);
    await ledger.pay({ ...call, account, at: Date.UTC(2026, 5, 1, 12) });
    await accounts.delete(account);
    assert.equal((await jobStores.webhooks.secrets.state(account)).created_at, null);
    assert.equal((await ledger.balance(account)).credits, 0);
    const { rows } = await ledger.usage(account, { limit: 10 });
    assert.deepEqual(rows.map((row) => `${row.endpoint} ${row.credits_charged}`).toSorted(), [
      ...['account/deleted 497', 'maps/place 3'],
    ]);
    assertSound(file);
    await ledger.close();
    inspect(file, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
    inspect(file, (db) => db.exec('VACUUM'));
    assert.ok(!readFileSync(file).includes('somebody.rare'));
  });

  test('during a call receives its refund, which cannot be spent', async () => {
    const { accounts, ledger, create, file } = await opened();
    const { id: account } = await create(email);
    await ledger.charge({ ...call, account, at: Date.UTC(2026, 5, 1, 12) });
    await accounts.delete(account);
    await ledger.settle('call_1', { status: 'failed', code: 'platform_timeout' });
    assert.equal((await ledger.balance(account)).credits, 3);
    assertSound(file);
  });
});
