import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import type { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Accounts } from '../../src/accounts/accounts.js';
import { openStore } from '../../src/open-store.js';
import { assertSound, inspect } from '../ledger/books.js';
import { refusal } from '../ledger/ledger-port.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
let homes = 0;
let home = '';
let ledger: SqliteLedger;
let accounts: Accounts;
const open: SqliteLedger[] = [];

async function books(at: string, trial = 500) {
  const opened = await openStore(at, new FakeClock(), trial);
  open.push(opened.ledger);
  return opened;
}

beforeEach(async () => {
  homes += 1;
  home = path.join(folder, String(homes));
  ({ ledger, accounts } = await books(home));
});
after(() => Promise.all(open.map((one) => one.close())));

const made = (changes = {}) =>
  accounts.create({ email: 'ann@example.com', verified: true, credits: 0, ...changes });
/** Lets the rest of this turn of the event loop pass, in which a key ring does not look again. */
const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('accounts', () => {
  test('are one for an address, whatever its case and the space around it', async () => {
    const account = await made({ email: ' Ann@Example.COM ' });
    assert.equal(account.email, 'ann@example.com');
    assert.match(account.id, /^acct_[0-9A-Z]{26}$/);
    assert.deepEqual(await accounts.find('ANN@example.com'), account);
    await assert.rejects(made(), refusal('invalid_parameter', /ann@example\.com already/));
    assert.equal((await accounts.list()).length, 1);
    assert.equal(await accounts.find('bob@example.com'), null);
  });

  test('of the same address made at the same time are one', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => made()));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await accounts.list())[0]?.credits, 500);
  });

  test('need an address that is one', async () => {
    for (const email of [
      '',
      'ann',
      'ann@',
      '@example.com',
      'a b@example.com',
      `${'a'.repeat(250)}@example.com`,
    ]) {
      await assert.rejects(made({ email }), refusal('invalid_parameter', /e-mail/));
    }
    assert.deepEqual(await accounts.list(), []);
  });

  test('get the trial credits when the address is confirmed, once', async () => {
    const { id } = await made({ verified: false });
    assert.equal((await ledger.balance(id)).credits, 0);
    for (let time = 0; time < 3; time += 1) {
      const { verified, credits, bought } = await accounts.verify(id);
      assert.deepEqual([verified, credits, bought], [true, 500, false]);
    }
    await Promise.all([accounts.verify(id), accounts.verify(id)]);
    assert.equal((await ledger.balance(id)).credits, 500);
  });

  test('get no trial credits where the setting is none', async () => {
    const { accounts: strict } = await books(path.join(folder, 'no-trial'), 0);
    const account = await strict.create({ email: 'a@example.com', verified: true, credits: 0 });
    assert.deepEqual([account.verified, account.credits], [true, 0]);
  });

  test('are made with their first pack in one step', async () => {
    const account = await made({ credits: 50_000 });
    assert.deepEqual([account.credits, account.bought], [50_500, true]);
    assertSound(path.join(home, 'ledger.db'));
  });

  test('and keys are there again after a restart', async () => {
    const account = await made();
    const { secret } = await accounts.createKey({ account: account.id, name: 'laptop', platforms: ['maps'] });
    await ledger.close();
    const again = (await books(home)).accounts;
    assert.deepEqual(await again.list(), [account]);
    assert.deepEqual((await again.authenticate(secret)).platforms, ['maps']);
  });
});

describe('keys', () => {
  test('tell in whose name they call', async () => {
    const account = await made();
    const { key, secret } = await accounts.createKey({
      account: account.id,
      name: ' laptop ',
      platforms: null,
    });
    assert.match(key.id, /^key_[0-9A-Z]{26}$/);
    assert.deepEqual(await accounts.authenticate(secret), {
      account: account.id,
      email: 'ann@example.com',
      verified: true,
      key: { id: key.id, name: 'laptop' },
      platforms: null,
      since: account.created_at,
    });
  });

  test('show their secret once, and are kept as its hash', async () => {
    const { id } = await made();
    const { key, secret } = await accounts.createKey({ account: id, name: 'laptop', platforms: null });
    assert.ok(!JSON.stringify([key, await accounts.keys()]).includes(secret.slice(8, 30)));
    for (const name of ['ledger.db', 'ledger.db-wal']) {
      assert.ok(!readFileSync(path.join(home, name)).includes(secret.slice(8, 30)), name);
    }
    const digest = inspect(path.join(home, 'ledger.db'), (db) =>
      db.prepare('SELECT digest FROM api_keys').pluck().get(),
    );
    assert.equal((digest as Buffer).length, 32);
  });

  test('are ten at most, of which revoked ones do not count', async () => {
    const { id: account } = await made();
    const create = (name: string) => accounts.createKey({ account, name, platforms: null });
    const results = await Promise.allSettled(Array.from({ length: 15 }, (_, at) => create(`key ${at}`)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
    await assert.rejects(create('one more'), refusal('key_limit_reached'));
    const [first] = await accounts.keys(account);
    await accounts.revokeKey(first?.id ?? '');
    await create('in its place');
    await assert.rejects(create('one more'), refusal('key_limit_reached'));
  });

  test('need a name, an account, and nothing else', async () => {
    const { id: account } = await made();
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      await assert.rejects(
        accounts.createKey({ account, name, platforms: null }),
        refusal('invalid_parameter', /name of a key/),
      );
    }
    await assert.rejects(
      accounts.createKey({ account: 'acct_none', name: 'x', platforms: null }),
      refusal('invalid_parameter', /acct_none/),
    );
  });

  test('that are revoked fail at once, and others do not', async () => {
    const { id: account } = await made();
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => accounts.createKey({ account, name, platforms: null })),
    );
    assert.ok(one && two);
    await accounts.authenticate(one.secret);
    const revoked = await accounts.revokeKey(one.key.id);
    assert.ok(revoked?.revoked_at);
    await assert.rejects(accounts.authenticate(one.secret), refusal('revoked_api_key'));
    assert.equal((await accounts.authenticate(two.secret)).key.name, 'two');
    assert.deepEqual(await accounts.revokeKey(one.key.id), revoked);
  });

  test('that another process revokes fail here in the next turn', async () => {
    const { id: account } = await made();
    const { key, secret } = await accounts.createKey({ account, name: 'one', platforms: null });
    await accounts.authenticate(secret);
    const { accounts: elsewhere } = await books(home);
    await elsewhere.revokeKey(key.id);
    await nextTurn();
    await assert.rejects(accounts.authenticate(secret), refusal('revoked_api_key'));
  });

  test('of an address that is confirmed elsewhere are confirmed here', async () => {
    const { id: account } = await made({ verified: false });
    const { secret } = await accounts.createKey({ account, name: 'one', platforms: null });
    assert.equal((await accounts.authenticate(secret)).verified, false);
    const { accounts: elsewhere } = await books(home);
    await elsewhere.verify(account);
    await nextTurn();
    assert.equal((await accounts.authenticate(secret)).verified, true);
  });

  test('made elsewhere work here at once, though asked for before', async () => {
    const { id: account } = await made();
    const { accounts: elsewhere } = await books(home);
    const { secret } = await elsewhere.createKey({ account, name: 'one', platforms: null });
    assert.equal((await accounts.authenticate(secret)).account, account);
  });

  test('of another account are not there to be revoked', async () => {
    const { id: account } = await made();
    const { key, secret } = await accounts.createKey({ account, name: 'one', platforms: null });
    assert.equal(await accounts.revokeKey(key.id, 'acct_other'), null);
    assert.equal(await accounts.revokeKey('key_none'), null);
    assert.equal((await accounts.authenticate(secret)).account, account);
  });
});
