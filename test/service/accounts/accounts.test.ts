import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FakeClock } from '../../support/fake-clock.js';
import { storeKinds } from '../../support/stores.js';
import { accountsSuite } from './accounts-port.js';

for (const kind of storeKinds) {
  describe(`accounts ${kind.name}`, { skip: kind.skip }, () => {
    accountsSuite(async () => {
      const clock = new FakeClock();
      const state = await kind.make();
      const { accounts, money, breakDriver } = await state.open(clock, 500);
      return {
        ...{ accounts, clock, breakDriver },
        credits: money.credits,
        elsewhere: async () => (await state.open(new FakeClock(), 500)).accounts,
        async settled() {
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
          await clock.advance(999);
        },
      };
    });

    test('note a limit of a key once, however many set the same at the same time', async () => {
      const clock = new FakeClock();
      const state = await kind.make();
      const operator = { via: 'command', login: null } as const;
      const [{ accounts }, elsewhere] = [
        await state.open(clock, 0, operator),
        await state.open(clock, 0, operator),
      ];
      const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 });
      const { key } = await accounts.createKey({ account, name: 'one', platforms: null });
      const limited = await Promise.all(
        [accounts, elsewhere.accounts, accounts, elsewhere.accounts].map((one) => one.limitKey(key.id, 7)),
      );
      const limits = limited.map((one) => one?.monthly_credits);
      assert.deepEqual(limits, [7, 7, 7, 7]);
      for (const limit of [null, null]) await accounts.limitKey(key.id, limit);
      const acts = await state.rows<{ details: string }>(
        `SELECT details FROM audit_acts WHERE act = 'key.limit' ORDER BY number`,
      );
      const changes = acts.map(({ details }) => JSON.parse(details).monthly_credits);
      assert.deepEqual(changes, [7, null]);
    });

    test('leave nothing of their keys if a call ends after their deletion', async () => {
      const clock = new FakeClock();
      const state = await kind.make();
      const [{ accounts }, elsewhere] = [await state.open(clock, 0), await state.open(clock, 0)];
      const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 });
      const { secret } = await accounts.createKey({ account, name: 'one', platforms: null });
      const uses = async () =>
        (await state.rows<{ used_at: number }>('SELECT used_at FROM key_uses')).map(({ used_at }) => used_at);
      const used = async (at: number) => {
        while ((await uses())[0] !== at) await setTimeout(5);
      };
      await accounts.authenticate(secret);
      await used(clock.now());
      // The last use was recorded by a clock that has since been set back.
      clock.set(clock.now() - 3_600_000);
      await accounts.authenticate(secret);
      await used(clock.now());
      await elsewhere.accounts.delete(account);
      // Over a network this process knows the key for a second more.
      clock.set(clock.now() + 60_000);
      await accounts.authenticate(secret).catch(() => undefined);
      const bob = await accounts.create({ email: 'bob@example.com', verified: true, credits: 0 });
      const { secret: other } = await accounts.createKey({ account: bob.id, name: 'one', platforms: null });
      await accounts.authenticate(other);
      await used(clock.now());
      assert.equal((await uses()).length, 1);
    });
  });
}
