import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BalanceWatch } from '../../../../src/service/accounts/alerts/balance-watch.js';
import { refusal } from '../../../ledger/ledger-port.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { MemoryMailer } from '../../../support/memory-mailer.js';
import { type SharedState, type StoreKind, storeKinds } from '../../../support/stores.js';

const minute = 60_000;
let calls = 0;

async function makeHarness(
  kind: StoreKind,
  options: { state?: SharedState; clock?: FakeClock; sells?: boolean } = {},
) {
  const state = options.state ?? (await kind.make());
  const clock = options.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { accounts, alerts, money, balanceReads } = await state.open(clock, 0);
  const mailer = new MemoryMailer();
  const troubles: unknown[] = [];
  const watch = new BalanceWatch({
    ...{ alerts, mailer, clock, publicUrl: 'https://x.test', sells: options.sells ?? true },
    onError: (_, cause) => troubles.push(cause),
  });
  const existing = await accounts.find('ann@example.com');
  const { id } =
    existing ?? (await accounts.create({ email: 'ann@example.com', verified: true, credits: 1000 }));
  return {
    ...{ state, clock, money, accounts, alerts, mailer, watch, troubles, id, balanceReads },
    spend: (credits: number) =>
      money.pay({
        ...{ id: `call_${++calls}`, account: id, endpoint: 'maps/place', credits, needsPack: false },
        at: clock.now(),
      }),
    earn: (credits: number) =>
      money.grant({
        ...{ id: `pack_${++calls}`, account: id, credits, kind: 'pack' },
        at: new Date(clock.now()).toISOString(),
      }),
    /** Lets a minute pass, and what is done in it. */
    async minutes(count = 1) {
      for (let one = 0; one < count; one += 1) {
        await clock.untilSleeping(1);
        await clock.advance(minute);
        await clock.untilSleeping(1);
      }
    },
  };
}

for (const kind of storeKinds)
  describe(`a threshold, ${kind.name}`, { skip: kind.skip }, () => {
    test('can be set, read, changed and removed', async () => {
      const { alerts, id } = await makeHarness(kind);
      assert.equal(await alerts.readThreshold(id), null);
      for (const credits of [500, 1, 1_000_000_000]) {
        await alerts.setThreshold(id, credits);
        assert.equal(await alerts.readThreshold(id), credits);
      }
      await alerts.setThreshold(id, null);
      assert.equal(await alerts.readThreshold(id), null);
      for (const none of [0, -1, 1.5, Number.NaN, 1_000_000_001]) {
        await assert.rejects(alerts.setThreshold(id, none), refusal('invalid_parameter', /threshold/));
      }
    });

    test('is deleted with the account', async () => {
      const { alerts, accounts, id } = await makeHarness(kind);
      await alerts.setThreshold(id, 5);
      await accounts.delete(id);
      assert.equal(await alerts.readThreshold(id), null);
    });
  });

for (const kind of storeKinds)
  describe(`a balance that falls below it, ${kind.name}`, { skip: kind.skip }, () => {
    test('is reported once, and again only after it was above', async () => {
      const { alerts, mailer, watch, id, spend, earn, minutes, troubles } = await makeHarness(kind);
      await alerts.setThreshold(id, 500);
      watch.start();
      await minutes();
      await spend(500);
      await minutes();
      assert.equal(mailer.mails.length, 0);
      await spend(1);
      await minutes(5);
      const [mail] = mailer.mails;
      assert.deepEqual([mailer.mails.length, mail?.to], [1, 'ann@example.com']);
      assert.match(mail?.subject ?? '', /x\.test is 499 credits/);
      assert.match(mail?.text ?? '', /below your alert of 500[\s\S]*https:\/\/x\.test\/dashboard\/packs/);
      await spend(100);
      await minutes(5);
      assert.equal(mailer.mails.length, 1);
      await earn(101);
      await minutes();
      await spend(1);
      await minutes(3);
      assert.equal(mailer.mails.length, 2);
      assert.deepEqual(troubles, []);
    });

    test('mentions packs only where they can be bought', async () => {
      const { alerts, mailer, watch, id, minutes } = await makeHarness(kind, { sells: false });
      await alerts.setThreshold(id, 2000);
      watch.start();
      await minutes();
      assert.match(mailer.mails[0]?.text ?? '', /The operator of the server can add more/);
      assert.doesNotMatch(mailer.mails[0]?.text ?? '', /packs/);
    });

    test('is reported when a threshold is set above it, once for the same threshold', async () => {
      const { alerts, mailer, watch, id, minutes } = await makeHarness(kind);
      watch.start();
      await minutes();
      await alerts.setThreshold(id, 2000);
      await minutes();
      assert.equal(mailer.mails.length, 1);
      await alerts.setThreshold(id, 2000);
      await minutes(2);
      assert.equal(mailer.mails.length, 1);
      await alerts.setThreshold(id, 3000);
      await minutes(2);
      assert.equal(mailer.mails.length, 2);
    });

    test('is reported again after growing pauses if the mail failed', async () => {
      const { alerts, mailer, watch, id, minutes, troubles } = await makeHarness(kind);
      await alerts.setThreshold(id, 2000);
      mailer.fault = new Error('no mail today');
      watch.start();
      await minutes(8);
      // At 0, 1, 3 and 7 minutes.
      assert.equal(troubles.length, 4);
      mailer.fault = undefined;
      await minutes(8);
      assert.equal(mailer.mails.length, 1);
      await minutes(20);
      assert.equal(mailer.mails.length, 1);
    });

    test('is reported once by two processes, and by another one after a kill', async () => {
      const one = await makeHarness(kind);
      const two = await makeHarness(kind, { state: one.state, clock: one.clock });
      await one.alerts.setThreshold(one.id, 2000);
      one.watch.start();
      two.watch.start();
      await one.clock.untilSleeping(2);
      await one.minutes(3);
      assert.equal(one.mailer.mails.length + two.mailer.mails.length, 1);
      await Promise.all([one.watch.stop(), two.watch.stop()]);
      const third = await makeHarness(kind);
      await third.alerts.setThreshold(third.id, 2000);
      // A process that was killed between taking the alert and sending its mail.
      assert.equal((await third.alerts.claim(third.clock.now())).length, 1);
      third.watch.start();
      await third.minutes(9);
      assert.equal(third.mailer.mails.length, 0);
      await third.minutes(2);
      assert.equal(third.mailer.mails.length, 1);
    });

    test('is reported once by two processes, even if many mails take long', async () => {
      const one = await makeHarness(kind);
      const two = await makeHarness(kind, { state: one.state, clock: one.clock });
      const { clock, accounts, alerts } = one;
      const emails = Array.from({ length: 14 }, (_, at) => `person${at}@example.com`);
      for (const email of emails) {
        const { id } = await accounts.create({ email, verified: true, credits: 1 });
        await alerts.setThreshold(id, 5);
      }
      const mailer = new MemoryMailer();
      const takeLong = mailer.send.bind(mailer);
      mailer.send = async (mail) => {
        await takeLong(mail);
        await clock.sleep(50_000);
      };
      const watches = [one, two].map(
        (server) =>
          new BalanceWatch({
            ...{ alerts: server.alerts, mailer, clock, publicUrl: 'https://x.test', sells: true },
            onError: (_, cause) => server.troubles.push(cause),
          }),
      );
      watches[0]?.start();
      await clock.untilSleeping(1);
      watches[1]?.start();
      for (let mails = 0; mails < 16; mails += 1) {
        await clock.untilSleeping(2);
        await clock.advance(50_000);
      }
      await clock.untilSleeping(2);
      assert.deepEqual(mailer.mails.map(({ to }) => to).toSorted(), emails.toSorted());
      assert.deepEqual([...one.troubles, ...two.troubles], []);
    });

    test('ends with the watch: nothing is sent after it', async () => {
      const { alerts, mailer, watch, id, clock, minutes } = await makeHarness(kind);
      watch.start();
      await minutes();
      await watch.stop();
      await alerts.setThreshold(id, 2000);
      await clock.advance(10 * minute);
      assert.deepEqual(mailer.mails, []);
      assert.equal(clock.sleeping, 0);
    });
  });
