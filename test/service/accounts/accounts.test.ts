import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openDirectory } from '../../../src/compose/open-store.js';
import { maxEndedKeys } from '../../../src/service/accounts/accounts.js';
import { inspect } from '../../ledger/books.js';
import { assertFaults, refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { storeKinds } from '../../support/stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { email, type Hosted, hosted } from './hosted.js';

for (const kind of storeKinds) {
  describe(kind.name, { skip: kind.skip }, () => {
    let here: Hosted;
    beforeEach(async () => {
      here = await hosted(kind);
    });
    const elsewhere = async () => (await hosted(kind, { state: here.state })).accounts;
    /** Lets so much time pass that what another process changed is seen. */
    async function settle() {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      await here.clock.advance(999);
    }
    /** Makes an account with a key. */
    async function withKey(changes = {}) {
      const { id: account } = await here.create(changes);
      return { account, ...(await here.createKey(account)) };
    }

    describe('accounts', () => {
      test('are one for an address, whatever its case and the space around it', async () => {
        const { accounts, create } = here;
        const account = await create({ email: ' Ann@Example.COM ' });
        assert.equal(account.email, email);
        assert.match(account.id, /^acct_[0-9A-Z]{26}$/);
        assert.deepEqual(await accounts.find('ANN@example.com'), account);
        await assert.rejects(create(), refusal('invalid_parameter', /ann@example\.com already/));
        assert.equal((await accounts.list()).length, 1);
        assert.equal(await accounts.find('bob@example.com'), null);
      });

      test('of the same address made at the same time are one', async () => {
        const { accounts, create } = here;
        const results = await Promise.allSettled(Array.from({ length: 20 }, () => create()));
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        assert.equal((await accounts.list())[0]?.credits, 500);
      });

      test('need an address that is one', async () => {
        const tooLong = `${'a'.repeat(250)}@example.com`;
        for (const wrong of ['', 'ann', 'ann@', '@example.com', 'a b@example.com', tooLong]) {
          await assert.rejects(here.create({ email: wrong }), refusal('invalid_parameter', /e-mail/));
        }
        assert.deepEqual(await here.accounts.list(), []);
      });

      test('get the trial credits when the address is confirmed, once', async () => {
        const { accounts, credits } = here;
        const { id } = await here.create({ verified: false });
        assert.equal(await credits(id), 0);
        for (let time = 0; time < 3; time += 1) {
          const { verified, credits, bought } = await accounts.verify(id);
          assert.deepEqual([verified, credits, bought], [true, 500, false]);
        }
        await Promise.all([accounts.verify(id), accounts.verify(id)]);
        assert.equal(await credits(id), 500);
      });

      test('get no trial credits if the setting is 0', async () => {
        const { verified, credits } = await (await hosted(kind, { trial: 0 })).create();
        assert.deepEqual([verified, credits], [true, 0]);
      });

      test('are made with their first pack in one step', async () => {
        const account = await here.create({ credits: 50_000 });
        assert.deepEqual([account.credits, account.bought], [50_500, true]);
        await here.state.assertSound();
      });

      test('are found by id, counted, and listed in pages, newest first', async () => {
        const { accounts, create } = here;
        const all = [];
        for (const name of ['ann', 'bob', 'cid']) all.push(await create({ email: `${name}@example.com` }));
        assert.equal(await accounts.count(), 3);
        assert.deepEqual(await accounts.get(all[1]?.id ?? ''), all[1]);
        assert.equal(await accounts.get('acct_none'), null);
        const pageOf = async (search: string, limit: number, from?: string | null) => {
          const page = await accounts.listPage(search, limit, from ?? undefined);
          return { emails: page.accounts.map((one) => one.email), next: page.next };
        };
        const fullPage = await pageOf('', 3);
        assert.deepEqual(new Set(fullPage.emails), new Set(all.map((one) => one.email)));
        const first = await pageOf('', 2);
        const second = await pageOf('', 2, first.next);
        assert.deepEqual([...first.emails, ...second.emails], fullPage.emails);
        assert.deepEqual([fullPage.next, second.next], [null, null]);
        assert.deepEqual((await pageOf('BOB@', 3)).emails, ['bob@example.com']);
      });

      test('that are deleted disappear with their keys, everywhere, and their credits are forfeited', async () => {
        const { accounts } = here;
        const { secret, account } = await withKey();
        await accounts.authenticate(secret);
        await (await elsewhere()).delete(account);
        await settle();
        await assert.rejects(accounts.authenticate(secret), refusal('invalid_api_key'));
        assert.equal(await accounts.get(account), null);
        assert.deepEqual(await accounts.listKeys(account), []);
        assert.equal(await here.credits(account), 0);
        await assert.rejects(accounts.delete(account), refusal('invalid_parameter'));
        assert.equal((await here.create()).credits, 0, 'no second trial');
      });

      test("reject with the port's faults when the driver fails", async () => {
        const { accounts, create, createKey } = here;
        const { key, secret, account } = await withKey();
        await settle();
        await here.breakDriver();
        await assertFaults([
          ...[create({ email: 'bob@example.com' }), accounts.find(email), accounts.get(account)],
          ...[accounts.list(), accounts.listPage('', 10, undefined), accounts.count()],
          ...[accounts.verify(account), accounts.delete(account), createKey(account)],
          ...[accounts.listKeys(), accounts.revokeKey(key.id), accounts.authenticate(secret)],
        ]);
      });
    });

    describe('keys', () => {
      test('identify their account', async () => {
        const account = await here.create();
        const { key, secret } = await here.createKey(account.id, { name: ' laptop ' });
        assert.match(key.id, /^key_[0-9A-Z]{26}$/);
        assert.deepEqual(await here.accounts.authenticate(secret), {
          ...{ account: account.id, email, verified: true, platforms: null, expires_at: null },
          key: { id: key.id, name: 'laptop', monthlyCredits: null },
          since: account.created_at,
        });
      });

      test('are ten at most, not counting revoked ones', async () => {
        const { accounts, createKey } = here;
        const { id: account } = await here.create();
        const results = await Promise.allSettled(Array.from({ length: 15 }, () => createKey(account)));
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
        await assert.rejects(createKey(account), refusal('key_limit_reached'));
        const [first] = await accounts.listKeys(account);
        await accounts.revokeKey(first?.id ?? '');
        await createKey(account);
        await assert.rejects(createKey(account), refusal('key_limit_reached'));
      });

      test('keep only the newest ended ones of an account', async () => {
        const { accounts, createKey } = here;
        const { id: account } = await here.create();
        const other = await withKey({ email: 'bob@example.com' });
        await accounts.revokeKey(other.key.id);
        const secrets: string[] = [];
        for (let count = 0; count < maxEndedKeys + 5; count += 1) {
          const { key, secret } = await createKey(account, { name: `key ${count}` });
          await accounts.revokeKey(key.id);
          secrets.push(secret);
          await here.clock.advance(1);
        }
        await createKey(account, { name: 'last' });
        const names = (await accounts.listKeys(account)).map(({ name }) => name);
        assert.deepEqual([names.length, names.at(0), names.at(-1)], [maxEndedKeys + 1, 'key 5', 'last']);
        await assert.rejects(accounts.authenticate(secrets[0] ?? ''), refusal('invalid_api_key'));
        await assert.rejects(accounts.authenticate(secrets[5] ?? ''), refusal('revoked_api_key'));
        assert.equal((await accounts.listKeys(other.account)).length, 1);
      });

      test('need a name, an account, and nothing else', async () => {
        const { id: account } = await here.create();
        for (const name of ['', '  ', 'x'.repeat(101)]) {
          const creating = here.createKey(account, { name });
          await assert.rejects(creating, refusal('invalid_parameter', /name of a key/));
        }
        await assert.rejects(here.createKey('acct_none'), refusal('invalid_parameter', /acct_none/));
      });

      test('that are revoked fail immediately, and others do not', async () => {
        const { accounts } = here;
        const one = await withKey();
        const two = await here.createKey(one.account, { name: 'two' });
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
        const { clock, accounts } = here;
        const { id: account } = await here.create();
        const expiresAt = clock.now() + 60_000;
        const { key, secret } = await here.createKey(account, { expiresAt });
        assert.equal(key.expires_at, new Date(expiresAt).toISOString());
        assert.equal((await accounts.authenticate(secret)).expires_at, key.expires_at);
        await clock.advance(59_999);
        await accounts.authenticate(secret);
        await clock.advance(1);
        await assert.rejects(accounts.authenticate(secret), refusal('revoked_api_key'));
        const past = here.createKey(account, { expiresAt: clock.now() });
        await assert.rejects(past, refusal('invalid_parameter'));
      });

      test('show the last four characters of their secret, and when they were last used', async () => {
        const { clock, accounts } = here;
        const { account, key, secret } = await withKey();
        assert.deepEqual([key.last_four, key.last_used_at], [secret.slice(-4), null]);
        for (const minutes of [0, 1]) {
          await clock.advance(minutes * 60_000);
          await accounts.authenticate(secret);
          const at = new Date(clock.now() - (clock.now() % 60_000)).toISOString();
          // The time is written after the call.
          while ((await accounts.listKeys(account))[0]?.last_used_at !== at) await setTimeout(1);
        }
      });

      test('with a monthly limit carry it', async () => {
        const { accounts } = here;
        const { id: account } = await here.create();
        const { key, secret } = await here.createKey(account, { monthlyCredits: 7 });
        assert.equal(key.monthly_credits, 7);
        assert.equal((await accounts.authenticate(secret)).key.monthlyCredits, 7);
        assert.equal(await accounts.limitKey(key.id, 5, 'acct_other'), null);
        for (const none of [-1, 1.5, 1_000_000_001]) {
          await assert.rejects(
            accounts.limitKey(key.id, none),
            refusal('invalid_parameter', /monthly limit/),
          );
        }
        assert.equal((await accounts.limitKey(key.id, null, account))?.monthly_credits, null);
        assert.equal((await accounts.authenticate(secret)).key.monthlyCredits, null);
      });

      test('follow within a second what another process does to them', async () => {
        const { accounts } = here;
        const other = await elsewhere();
        const { account, key, secret } = await withKey({ verified: false });
        assert.equal((await accounts.authenticate(secret)).verified, false);
        await other.verify(account);
        await other.limitKey(key.id, 0);
        await settle();
        const caller = await accounts.authenticate(secret);
        assert.deepEqual([caller.verified, caller.key.monthlyCredits], [true, 0]);
        await other.revokeKey(key.id);
        await settle();
        await assert.rejects(accounts.authenticate(secret), refusal('revoked_api_key'));
        const created = await other.createKey({ account, name: 'two', platforms: null });
        assert.equal((await accounts.authenticate(created.secret)).account, account);
      });

      test('cannot be revoked by another account', async () => {
        const { key, secret, account } = await withKey();
        assert.equal(await here.accounts.revokeKey(key.id, 'acct_other'), null);
        assert.equal(await here.accounts.revokeKey('key_none'), null);
        assert.equal((await here.accounts.authenticate(secret)).account, account);
      });

      test('note a limit once, however many set the same at the same time', async () => {
        const { state, clock } = here;
        const operator = { via: 'command', login: null } as const;
        const [one, two] = [await state.open(clock, 0, operator), await state.open(clock, 0, operator)];
        const { key } = await withKey();
        const limited = await Promise.all(
          [one, two, one, two].map(({ accounts }) => accounts.limitKey(key.id, 7)),
        );
        const limits = limited.map((changed) => changed?.monthly_credits);
        assert.deepEqual(limits, [7, 7, 7, 7]);
        for (const limit of [null, null]) await one.accounts.limitKey(key.id, limit);
        const acts = await state.rows<{ details: string }>(
          `SELECT details FROM audit_acts WHERE act = 'key.limit' ORDER BY number`,
        );
        const changes = acts.map(({ details }) => JSON.parse(details).monthly_credits);
        assert.deepEqual(changes, [7, null]);
      });

      test('leave nothing if a call ends after their deletion', async () => {
        const { accounts, clock, state } = here;
        const { account, secret } = await withKey();
        const uses = async () =>
          (await state.rows<{ used_at: number }>('SELECT used_at FROM key_uses')).map(
            ({ used_at }) => used_at,
          );
        const use = async (one: string) => {
          await accounts.authenticate(one);
          while ((await uses())[0] !== clock.now()) await setTimeout(5);
        };
        await use(secret);
        // The last use was recorded by a clock that has since been set back.
        clock.set(clock.now() - 3_600_000);
        await use(secret);
        await (await elsewhere()).delete(account);
        // Over a network this process knows the key for a second more.
        clock.set(clock.now() + 60_000);
        await accounts.authenticate(secret).catch(() => undefined);
        await use((await withKey({ email: 'bob@example.com' })).secret);
        assert.equal((await uses()).length, 1);
      });
    });

    describe('a driver that fails', () => {
      test('is a fault of sign-in', async () => {
        const { signIn, mailer, enter } = here;
        const { secret, session } = await enter();
        const request = { email: 'bob@example.com', address: '203.0.113.7', next: '/' };
        await signIn.request(request);
        await here.breakDriver();
        await assertFaults([
          ...[signIn.request(request), signIn.confirm(mailer.token(), ''), signIn.findSession(secret)],
          ...[signIn.listSessions(session.account), signIn.findLastUse(session.account)],
          signIn.endSession(session.account, session.id),
        ]);
      });

      test('is a fault of purchases', async () => {
        const { purchases } = here;
        const { id: account } = await here.create();
        const pack = { credits: 50_000, amount: 4900, currency: 'EUR' };
        const { id } = await purchases.order(account, pack, 'hand');
        await here.breakDriver();
        await assertFaults([
          ...[purchases.order(account, pack, 'hand'), purchases.list(account), purchases.find(account, id)],
          ...[purchases.get(id), purchases.isPayable(id), purchases.pay(id)],
          ...[purchases.payByHand(account, 50_000, 'EUR'), purchases.submit(id), purchases.cancel(id)],
        ]);
      });
    });
  });
}

test('accounts and keys of a data directory survive a restart, and only the hash of a secret is stored', async () => {
  const home = path.join(temporaryFolder(), 'home');
  const open = async () => {
    const store = await openDirectory(home, new FakeClock(), 500);
    after(() => store.close());
    return store;
  };
  const { accounts, ledger } = await open();
  const account = await accounts.create({ email, verified: true, credits: 0 });
  const laptop = { account: account.id, name: 'laptop', platforms: ['maps'] } as const;
  const { key, secret } = await accounts.createKey(laptop);
  assert.ok(!JSON.stringify([key, await accounts.listKeys()]).includes(secret.slice(8, 30)));
  for (const name of ['ledger.db', 'ledger.db-wal'])
    assert.ok(!readFileSync(path.join(home, name)).includes(secret.slice(8, 30)), name);
  const digest = inspect(path.join(home, 'ledger.db'), (db) =>
    db.prepare('SELECT digest FROM api_keys').pluck().get(),
  );
  assert.equal((digest as Buffer).length, 32);
  await ledger.close();
  const again = (await open()).accounts;
  assert.deepEqual(await again.list(), [account]);
  assert.deepEqual((await again.authenticate(secret)).platforms, ['maps']);
});
