import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { AccountStore } from '../../../src/service/accounts/account-store.js';
import { maxEndedKeys } from '../../../src/service/accounts/accounts.js';
import { assertFaults, refusal } from '../../ledger/ledger-port.js';
import type { FakeClock } from '../../support/fake-clock.js';

export interface AccountsUnderTest {
  readonly accounts: AccountStore;
  /** Credits of an account in the ledger. */
  credits(account: string): Promise<number>;
  /** The same accounts as another process has them. */
  elsewhere(): Promise<AccountStore>;
  /** The time of the store. */
  readonly clock: FakeClock;
  /** Lets so much time pass that what another process changed is seen: a second at most. */
  settled(): Promise<void>;
  /** Makes the store fail below the port. */
  breakDriver(): Promise<void>;
}

/** What every store of accounts promises. Confirmed addresses get 500 trial credits. */
export function accountsSuite(open: () => Promise<AccountsUnderTest>): void {
  let under: AccountsUnderTest;
  let accounts: AccountStore;
  beforeEach(async () => {
    under = await open();
    accounts = under.accounts;
  });
  const createAccount = (changes = {}) =>
    accounts.create({ email: 'ann@example.com', verified: true, credits: 0, ...changes });
  /** Makes an account with a key. */
  const withKey = async (changes = {}) => {
    const { id: account } = await createAccount(changes);
    return { account, ...(await accounts.createKey({ account, name: 'one', platforms: null })) };
  };
  describe('accounts', () => {
    test('are one for an address, whatever its case and the space around it', async () => {
      const account = await createAccount({ email: ' Ann@Example.COM ' });
      assert.equal(account.email, 'ann@example.com');
      assert.match(account.id, /^acct_[0-9A-Z]{26}$/);
      assert.deepEqual(await accounts.find('ANN@example.com'), account);
      await assert.rejects(createAccount(), refusal('invalid_parameter', /ann@example\.com already/));
      assert.equal((await accounts.list()).length, 1);
      assert.equal(await accounts.find('bob@example.com'), null);
    });

    test('of the same address made at the same time are one', async () => {
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => createAccount()));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await accounts.list())[0]?.credits, 500);
    });

    test('need an address that is one', async () => {
      const tooLong = `${'a'.repeat(250)}@example.com`;
      for (const email of ['', 'ann', 'ann@', '@example.com', 'a b@example.com', tooLong]) {
        await assert.rejects(createAccount({ email }), refusal('invalid_parameter', /e-mail/));
      }
      assert.deepEqual(await accounts.list(), []);
    });

    test('get the trial credits when the address is confirmed, once', async () => {
      const { id } = await createAccount({ verified: false });
      assert.equal(await under.credits(id), 0);
      for (let time = 0; time < 3; time += 1) {
        const { verified, credits, bought } = await accounts.verify(id);
        assert.deepEqual([verified, credits, bought], [true, 500, false]);
      }
      await Promise.all([accounts.verify(id), accounts.verify(id)]);
      assert.equal(await under.credits(id), 500);
    });

    test('are made with their first pack in one step', async () => {
      const account = await createAccount({ credits: 50_000 });
      assert.deepEqual([account.credits, account.bought], [50_500, true]);
    });

    test('are found by id, counted, and listed in pages, newest first', async () => {
      const all = [];
      for (const name of ['ann', 'bob', 'cid'])
        all.push(await createAccount({ email: `${name}@example.com` }));
      assert.equal(await accounts.count(), 3);
      assert.deepEqual(await accounts.get(all[1]?.id ?? ''), all[1]);
      assert.equal(await accounts.get('acct_none'), null);
      const emails = (page: Awaited<ReturnType<AccountStore['listPage']>>) =>
        page.accounts.map(({ email }) => email);
      const fullPage = await accounts.listPage('', 3, undefined);
      assert.deepEqual(new Set(emails(fullPage)), new Set(all.map(({ email }) => email)));
      assert.equal(fullPage.next, null);
      const first = await accounts.listPage('', 2, undefined);
      const second = await accounts.listPage('', 2, first.next ?? '');
      assert.deepEqual([...emails(first), ...emails(second)], emails(fullPage));
      assert.equal(second.next, null);
      assert.deepEqual(emails(await accounts.listPage('BOB@', 3, undefined)), ['bob@example.com']);
    });

    test('that are deleted disappear with their keys, everywhere, and their credits are forfeited', async () => {
      const { secret, account } = await withKey();
      await accounts.authenticate(secret);
      const elsewhere = await under.elsewhere();
      await elsewhere.delete(account);
      await under.settled();
      await assert.rejects(accounts.authenticate(secret), refusal('invalid_api_key'));
      assert.equal(await accounts.get(account), null);
      assert.deepEqual(await accounts.listKeys(account), []);
      assert.equal(await under.credits(account), 0);
      await assert.rejects(accounts.delete(account), refusal('invalid_parameter'));
      assert.equal((await createAccount()).credits, 0, 'no second trial');
    });

    test("reject with the port's faults when the driver fails", async () => {
      const { key, secret, account } = await withKey();
      await under.settled();
      await under.breakDriver();
      const calls = [
        createAccount({ email: 'bob@example.com' }),
        accounts.find('ann@example.com'),
        accounts.get(account),
        accounts.list(),
        accounts.listPage('', 10, undefined),
        accounts.count(),
        accounts.verify(account),
        accounts.delete(account),
        accounts.createKey({ account, name: 'two', platforms: null }),
        accounts.listKeys(),
        accounts.revokeKey(key.id),
        accounts.authenticate(secret),
      ];
      await assertFaults(calls);
    });
  });

  describe('keys', () => {
    test('identify their account', async () => {
      const account = await createAccount();
      const laptop = { account: account.id, name: ' laptop ', platforms: null };
      const { key, secret } = await accounts.createKey(laptop);
      assert.match(key.id, /^key_[0-9A-Z]{26}$/);
      assert.deepEqual(await accounts.authenticate(secret), {
        account: account.id,
        email: 'ann@example.com',
        verified: true,
        key: { id: key.id, name: 'laptop', monthlyCredits: null },
        platforms: null,
        expires_at: null,
        since: account.created_at,
      });
    });

    test('are ten at most, not counting revoked ones', async () => {
      const { id: account } = await createAccount();
      const create = (name: string) => accounts.createKey({ account, name, platforms: null });
      const results = await Promise.allSettled(Array.from({ length: 15 }, (_, at) => create(`key ${at}`)));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
      await assert.rejects(create('one more'), refusal('key_limit_reached'));
      const [first] = await accounts.listKeys(account);
      await accounts.revokeKey(first?.id ?? '');
      await create('in its place');
      await assert.rejects(create('one more'), refusal('key_limit_reached'));
    });

    test('keep only the newest ended ones of an account', async () => {
      const { id: account } = await createAccount();
      const { id: other } = await createAccount({ email: 'bob@example.com' });
      const { key: otherKey } = await accounts.createKey({ account: other, name: 'other', platforms: null });
      await accounts.revokeKey(otherKey.id);
      const secrets: string[] = [];
      for (let count = 0; count < maxEndedKeys + 5; count += 1) {
        const { key, secret } = await accounts.createKey({ account, name: `key ${count}`, platforms: null });
        await accounts.revokeKey(key.id);
        secrets.push(secret);
        await under.clock.advance(1);
      }
      const { key: last } = await accounts.createKey({ account, name: 'last', platforms: null });
      const names = (await accounts.listKeys(account)).map(({ name }) => name);
      assert.equal(names.length, maxEndedKeys + 1);
      assert.equal(names.at(-1), last.name);
      assert.equal(names[0], 'key 5');
      await assert.rejects(accounts.authenticate(secrets[0] ?? ''), refusal('invalid_api_key'));
      await assert.rejects(accounts.authenticate(secrets[5] ?? ''), refusal('revoked_api_key'));
      assert.equal((await accounts.listKeys(other)).length, 1);
    });

    test('need a name, an account, and nothing else', async () => {
      const { id: account } = await createAccount();
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

    test('that are revoked fail immediately, and others do not', async () => {
      const { id: account } = await createAccount();
      const [one, two] = await Promise.all(
        ['one', 'two'].map((name) => accounts.createKey({ account, name, platforms: null })),
      );
      assert.ok(one && two);
      await accounts.authenticate(one.secret);
      const revoked = await accounts.revokeKey(one.key.id);
      assert.ok(revoked?.revoked_at);
      await assert.rejects(accounts.authenticate(one.secret), refusal('revoked_api_key'));
      assert.equal((await accounts.authenticate(two.secret)).key.name, 'two');
      // The time of its last use is written after the call.
      const again = await accounts.revokeKey(one.key.id);
      assert.deepEqual({ ...again, last_used_at: null }, { ...revoked, last_used_at: null });
    });

    test('that expire fail from then on, and make room for others', async () => {
      const { clock } = under;
      const { id: account } = await createAccount();
      const expiresAt = clock.now() + 60_000;
      const brief = { account, name: 'brief', platforms: null, expiresAt };
      const { key, secret } = await accounts.createKey(brief);
      assert.equal(key.expires_at, new Date(expiresAt).toISOString());
      assert.equal((await accounts.authenticate(secret)).expires_at, key.expires_at);
      await clock.advance(59_999);
      await accounts.authenticate(secret);
      await clock.advance(1);
      await assert.rejects(accounts.authenticate(secret), refusal('revoked_api_key'));
      const past = { account, name: 'past', platforms: null, expiresAt: clock.now() };
      await assert.rejects(accounts.createKey(past), refusal('invalid_parameter'));
    });

    test('show the last four characters of their secret, and when they were last used', async () => {
      const { clock } = under;
      const { id: account } = await createAccount();
      const { key, secret } = await accounts.createKey({ account, name: 'used', platforms: null });
      assert.equal(key.last_four, secret.slice(-4));
      assert.equal(key.last_used_at, null);
      for (const minutes of [0, 1]) {
        await clock.advance(minutes * 60_000);
        await accounts.authenticate(secret);
        const at = clock.now() - (clock.now() % 60_000);
        // The time is written after the call.
        while ((await accounts.listKeys(account))[0]?.last_used_at !== new Date(at).toISOString()) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    });

    test('with a monthly limit carry it', async () => {
      const { id: account } = await createAccount();
      const limited = { account, name: 'one', platforms: null, monthlyCredits: 7 };
      const { key, secret } = await accounts.createKey(limited);
      assert.equal(key.monthly_credits, 7);
      assert.equal((await accounts.authenticate(secret)).key.monthlyCredits, 7);
      assert.equal(await accounts.limitKey(key.id, 5, 'acct_other'), null);
      for (const none of [-1, 1.5, 1_000_000_001]) {
        await assert.rejects(accounts.limitKey(key.id, none), refusal('invalid_parameter', /monthly limit/));
      }
      assert.equal((await accounts.limitKey(key.id, null, account))?.monthly_credits, null);
      assert.equal((await accounts.authenticate(secret)).key.monthlyCredits, null);
    });

    test('follow within a second what another process does to them', async () => {
      const elsewhere = await under.elsewhere();
      const { account, key, secret } = await withKey({ verified: false });
      assert.equal((await accounts.authenticate(secret)).verified, false);
      await elsewhere.verify(account);
      await elsewhere.limitKey(key.id, 0);
      await under.settled();
      const caller = await accounts.authenticate(secret);
      assert.deepEqual([caller.verified, caller.key.monthlyCredits], [true, 0]);
      await elsewhere.revokeKey(key.id);
      await under.settled();
      await assert.rejects(accounts.authenticate(secret), refusal('revoked_api_key'));
      const created = await elsewhere.createKey({ account, name: 'two', platforms: null });
      assert.equal((await accounts.authenticate(created.secret)).account, account);
    });

    test('cannot be revoked by another account', async () => {
      const { key, secret, account } = await withKey();
      assert.equal(await accounts.revokeKey(key.id, 'acct_other'), null);
      assert.equal(await accounts.revokeKey('key_none'), null);
      assert.equal((await accounts.authenticate(secret)).account, account);
    });
  });
}
