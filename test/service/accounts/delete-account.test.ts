import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { openDirectory } from '../../../src/compose/open-store.js';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { openHosting } from '../../../src/service/accounts/hosting.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { pay } from '../../support/pay.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;
const email = 'ann@example.com';
const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function makeHarness() {
  const home = path.join(root, String(++homes));
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const opened = await openDirectory(home, clock, 500);
  const mailer = new MemoryMailer();
  const hosting = openHosting({
    ...{
      store: opened,
      config: readHostingConfig({}),
      mailer,
      clock,
      publicUrl: 'https://x.test',
      proxy: {},
    },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  after(() => opened.ledger.close());
  return {
    ...{ ...opened, hosting, mailer, home, file: path.join(home, 'ledger.db') },
    async enter(address = email) {
      await hosting.signIn.request({ email: address, address: '203.0.113.7', next: '/' });
      const signed = await hosting.signIn.confirm(mailer.token(), '');
      assert.ok(signed);
      return signed;
    },
  };
}

describe('an account that is deleted', () => {
  test('leaves no stored mail and no webhook secret', async () => {
    const { hosting, mailer, jobStores, enter } = await makeHarness();
    const { account } = (await enter()).session;
    await jobStores.webhooks.secrets.list(account);
    await hosting.signIn.request({ email, address: '203.0.113.7', next: '/' });
    await hosting.deleteAccount(account);
    await nextTurn();
    assert.deepEqual(mailer.mails, []);
    assert.equal((await jobStores.webhooks.secrets.state(account)).created_at, null);
  });

  test('leaves its rows in the ledger, a balance of nothing, and no address', async () => {
    const { hosting, ledger, enter, file, home } = await makeHarness();
    const { session } = await enter('somebody.rare@example.com');
    const { account } = session;
    const at = Date.parse('2026-06-01T12:00:00.000Z');
    await pay(ledger, { id: 'call_1', account, endpoint: 'maps/place', credits: 3, needsPack: false, at });
    await hosting.deleteAccount(account);
    assert.equal((await ledger.balance(account)).credits, 0);
    const { rows } = await ledger.usage(account, { limit: 10 });
    assert.deepEqual(rows.map(({ endpoint, credits_charged }) => [endpoint, credits_charged]).toSorted(), [
      ['account/deleted', 497],
      ['maps/place', 3],
    ]);
    assertSound(file);
    await ledger.close();
    inspect(file, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
    inspect(file, (db) => db.exec('VACUUM'));
    assert.ok(!readFileSync(path.join(home, 'ledger.db')).includes('somebody.rare'));
  });

  test('and created again has no second trial, however it is created', async () => {
    const { hosting, accounts, enter, ledger, file } = await makeHarness();
    for (const way of ['link', 'operator', 'verify'] as const) {
      const existing = await accounts.find(email);
      const { account } = existing === null ? (await enter()).session : { account: existing.id };
      await hosting.deleteAccount(account);
      if (way === 'link') {
        const again = await enter();
        assert.deepEqual([again.isNew, (await ledger.balance(again.session.account)).credits], [true, 0]);
        assert.notEqual(again.session.account, account);
      } else {
        const created = await accounts.create({ email, verified: way === 'operator', credits: 0 });
        const verified = await accounts.verify(created.id);
        assert.deepEqual([verified.verified, verified.credits], [true, 0]);
      }
    }
    assert.equal((await ledger.balance((await enter('bob@example.com')).session.account)).credits, 500);
    assertSound(file);
  });

  test('before its address was confirmed has had no trial', async () => {
    const { hosting, accounts, enter, ledger } = await makeHarness();
    const { id } = await accounts.create({ email, verified: false, credits: 0 });
    await hosting.deleteAccount(id);
    const { session } = await enter();
    assert.equal((await ledger.balance(session.account)).credits, 500);
  });

  test('during a call receives its refund, which cannot be spent', async () => {
    const { hosting, ledger, enter, file } = await makeHarness();
    const { session } = await enter();
    const { account } = session;
    const at = Date.parse('2026-06-01T12:00:00.000Z');
    await ledger.charge({ id: 'call_1', account, endpoint: 'maps/place', credits: 3, needsPack: false, at });
    await hosting.deleteAccount(account);
    await ledger.settle('call_1', { status: 'failed', code: 'platform_timeout' });
    assert.equal((await ledger.balance(account)).credits, 3);
    assertSound(file);
  });
});
