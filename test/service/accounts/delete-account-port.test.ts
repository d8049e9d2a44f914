import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { openHosting } from '../../../src/service/accounts/hosting.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { type SharedState, type StoreKind, storeKinds } from '../../support/stores.js';

const email = 'ann@example.com';

async function makeHarness(kind: StoreKind, options: { state?: SharedState; clock?: FakeClock } = {}) {
  const state = options.state ?? (await kind.make());
  const clock = options.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const store = await state.open(clock, 500);
  const mailer = new MemoryMailer();
  const hosting = openHosting({
    ...{ store, config: readHostingConfig({}), mailer, clock, publicUrl: 'https://x.test', proxy: {} },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  const enter = async () => {
    await hosting.signIn.request({ email, address: '203.0.113.7', next: '/' });
    const signed = await hosting.signIn.confirm(mailer.token(), '');
    assert.ok(signed);
    return signed;
  };
  return { ...store, state, clock, hosting, mailer, enter };
}

for (const kind of storeKinds) {
  describe(`an account that is deleted, ${kind.name}`, { skip: kind.skip }, () => {
    test('is deleted with its sessions, keys, alert, buyer, links and open orders, in every process', async () => {
      const here = await makeHarness(kind);
      const elsewhere = await makeHarness(kind, here);
      const { hosting, accounts, purchases } = here;
      const { session, secret } = await here.enter();
      const { account } = session;
      const key = await accounts.createKey({ account, name: 'one', platforms: null });
      await hosting.alerts.setThreshold(account, 5);
      await purchases.setBuyer(account, { company: 'Ann Ltd', tax_number: '' });
      const { purchase } = await hosting.payments.begin(account, 50_000, email);
      const receipt = await hosting.payments.confirmByHand(account, 250_000);
      assert.equal((await elsewhere.accounts.authenticate(key.secret)).account, account);
      await hosting.signIn.request({ email, address: '203.0.113.7', next: '/' });
      const link = here.mailer.token();

      await hosting.deleteAccount(account);
      await here.clock.advance(999);
      for (const one of [here, elsewhere]) {
        assert.equal(await one.accounts.find(email), null);
        assert.equal(await one.hosting.signIn.findSession(secret), null);
        await assert.rejects(one.accounts.authenticate(key.secret), refusal('invalid_api_key'));
      }
      assert.deepEqual(await hosting.signIn.listSessions(account), []);
      assert.equal(await hosting.signIn.findLastUse(account), null);
      assert.deepEqual(await accounts.listKeys(account), []);
      assert.equal(await hosting.alerts.readThreshold(account), null);
      assert.equal(await purchases.findBuyer(account), null);
      assert.equal((await hosting.payments.find(account, purchase.id))?.status, 'cancelled');
      assert.deepEqual(await hosting.payments.find(account, receipt.id), receipt);
      assert.equal(await hosting.signIn.confirm(link, ''), null);
      assert.equal(await here.money.credits(account), 0);
      await assert.rejects(hosting.deleteAccount(account), refusal('invalid_parameter'));
      // A form that was on its way orders nothing that somebody could pay for.
      await assert.rejects(hosting.payments.begin(account, 50_000, email), refusal('invalid_parameter'));
      await here.state.assertSound();
    });

    test('during a new sign-in is one account or none, with one trial', async () => {
      const here = await makeHarness(kind);
      const elsewhere = await makeHarness(kind, here);
      for (let round = 0; round < 5; round += 1) {
        const account = (await here.accounts.find(email))?.id ?? (await here.enter()).session.account;
        await elsewhere.hosting.signIn.request({ email, address: `203.0.113.${round}`, next: '/' });
        const [signed] = await Promise.all([
          elsewhere.hosting.signIn.confirm(elsewhere.mailer.token(), ''),
          here.hosting.deleteAccount(account),
        ]);
        const accounts = await here.accounts.list();
        assert.ok(accounts.length <= 1);
        const session = signed === null ? null : await here.hosting.signIn.findSession(signed.secret);
        assert.equal(session?.account, session === null ? undefined : accounts[0]?.id);
        await here.clock.advance(3_600_000);
      }
      const trials = await here.state.rows(`SELECT 1 FROM grants WHERE kind = 'trial'`);
      assert.equal(trials.length, 1);
      await here.state.assertSound();
    });
  });
}
