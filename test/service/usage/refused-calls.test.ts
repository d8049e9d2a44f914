import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unmeasured } from '../../../lib/ledger/call-row.js';
import { RefusedCallStore } from '../../../src/service/usage/refused-call-store.js';
import { maxRefusedCalls, type RefusedCall } from '../../../src/service/usage/refused-calls.js';
import { refusedCallsSchema } from '../../../src/service/usage/refused-calls-schema.js';
import { databaseKinds } from '../../support/databases.js';
import { FakeClock } from '../../support/fake-clock.js';

for (const { name, skip, make } of databaseKinds) {
  const day = 24 * 3_600_000;
  const key = { id: 'key_1', name: 'laptop' };
  const callOf = (id: string, at: number, changes: Partial<RefusedCall> = {}): RefusedCall => ({
    ...{ id, account: 'acct_a', created_at: new Date(at).toISOString(), endpoint: 'maps/place' },
    ...{ code: 'insufficient_credits', api_key: key, ...unmeasured, duration_ms: 4, ...changes },
  });

  describe(`refused calls in ${name}`, { skip }, () => {
    /** A store with nothing in it, at the time of its clock. */
    async function open() {
      const clock = new FakeClock();
      const database = await (await make(refusedCallsSchema))();
      const calls = new RefusedCallStore(database, clock);
      const deleteAccount = (account: string) =>
        database.transaction((queries) => calls.deleteAccount(queries, { account }));
      return { calls, clock, deleteAccount };
    }

    test('are listed newest first in their own account, as soon as they are noted', async () => {
      const { calls, clock } = await open();
      const now = clock.now();
      const all = [
        callOf('a', now - 2),
        callOf('b', now - 1, { code: 'rate_limited', api_key: null, ...unmeasured }),
        callOf('c', now, { endpoint: 'maps/photos' }),
      ];
      for (const call of all) calls.note(call);
      calls.note(callOf('theirs', now, { account: 'acct_b' }));
      assert.deepEqual(await calls.list('acct_a', { limit: 9 }), all.toReversed());
      const ids = async (query: object) =>
        (await calls.list('acct_a', { limit: 9, ...query })).map(({ id }) => id).join('');
      assert.equal(await ids({ limit: 1 }), 'c');
      assert.equal(await ids({ before: { at: now, id: 'c' } }), 'ba');
      assert.equal(await ids({ code: 'rate_limited' }), 'b');
      assert.equal(await ids({ key: 'key_1', endpoint: 'maps/place' }), 'a');
      assert.equal(await ids({ from: all[1]?.created_at, to: all[2]?.created_at }), 'b');
      assert.deepEqual(await calls.find('acct_a', 'b'), all[1]);
      assert.equal(await calls.find('acct_b', 'b'), null);
      assert.equal(await calls.find('acct_a', 'a\0'), null);
    });

    test('are stored until they are pruned, at most the newest of an account', async () => {
      const { calls, clock, deleteAccount } = await open();
      const now = clock.now();
      calls.note(callOf('old', now - 31 * day));
      calls.note(callOf('recent', now - 29 * day));
      calls.note(callOf('other', now - 31 * day, { account: 'acct_b' }));
      await calls.flush();
      await calls.prune(now - 30 * day);
      const ids = (await calls.list('acct_a', { limit: 9 })).map(({ id }) => id);
      assert.deepEqual(ids, ['recent']);
      assert.deepEqual(await calls.list('acct_b', { limit: 9 }), []);
      for (let n = 0; n < maxRefusedCalls + 5; n += 1) {
        calls.note(callOf(`r${n}`, now - 1_000_000 + n));
        if (n === 10) await calls.flush();
      }
      const refusals = await calls.list('acct_a', { limit: 2 * maxRefusedCalls });
      assert.equal(refusals.length, maxRefusedCalls);
      assert.equal(refusals.at(-1)?.id, 'r5');
      calls.note(callOf('waiting', now));
      await deleteAccount('acct_a');
      assert.deepEqual(await calls.list('acct_a', { limit: 9 }), []);
    });

    test('are not stored after their account was deleted', async () => {
      const { calls, clock, deleteAccount } = await open();
      const now = clock.now();
      // One is being written while the account is deleted, and one is noted after that.
      calls.note(callOf('before', now));
      await Promise.all([deleteAccount('acct_a'), calls.flush()]);
      calls.note(callOf('after', now));
      calls.note(callOf('theirs', now, { account: 'acct_b' }));
      assert.deepEqual(await calls.list('acct_a', { limit: 9 }), []);
      assert.equal((await calls.list('acct_b', { limit: 9 })).length, 1);
    });

    test('are written by themselves within a second', async () => {
      const { calls, clock } = await open();
      calls.note(callOf('a', clock.now()));
      assert.equal(clock.sleeping, 1);
      await clock.advance(1_000);
      assert.equal(clock.sleeping, 0);
      assert.equal((await calls.list('acct_a', { limit: 9 })).length, 1);
    });
  });
}
