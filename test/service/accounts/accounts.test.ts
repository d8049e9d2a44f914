import { describe } from 'node:test';
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
  });
}
