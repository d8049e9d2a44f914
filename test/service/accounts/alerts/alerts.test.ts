import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusal } from '../../../ledger/ledger-port.js';
import { MemoryMailer } from '../../../support/memory-mailer.js';
import { type StoreKind, storeKinds } from '../../../support/stores.js';
import { email, type HostedOptions, hosted } from '../hosted.js';

const minute = 60_000;
let calls = 0;

/** A server that sells packs, and an account with 1,000 credits. */
async function opened(kind: StoreKind, options: HostedOptions = {}) {
  const settings = { EXTRACT_PACK_PRICES: '50000=49.00' };
  const here = await hosted(kind, { trial: 0, settings, ...options });
  const { accounts, alerts, clock, create, money, mailer } = here;
  const { id } = (await accounts.find(email)) ?? (await create({ credits: 1000 }));
  return {
    ...{ ...here, id },
    setThreshold: (credits: number | null) => alerts.setThreshold(id, credits),
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
    countMails: () => mailer.mails.length,
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

for (const kind of storeKinds) {
  describe(`a threshold, ${kind.name}`, { skip: kind.skip }, () => {
    test('can be set, read, changed and removed, and is deleted with the account', async () => {
      const { alerts, accounts, id, setThreshold } = await opened(kind);
      assert.equal(await alerts.readThreshold(id), null);
      for (const credits of [500, 1, 1_000_000_000, null]) {
        await setThreshold(credits);
        assert.equal(await alerts.readThreshold(id), credits);
      }
      for (const none of [0, -1, 1.5, Number.NaN, 1_000_000_001]) {
        await assert.rejects(setThreshold(none), refusal('invalid_parameter', /threshold/));
      }
      await setThreshold(5);
      await accounts.delete(id);
      assert.equal(await alerts.readThreshold(id), null);
    });
  });

  describe(`a balance that falls below it, ${kind.name}`, { skip: kind.skip }, () => {
    test('is reported once, and again only after it was above', async () => {
      const { mailer, start, setThreshold, spend, earn, minutes, countMails, troubles } = await opened(kind);
      await setThreshold(500);
      start();
      await minutes();
      await spend(500);
      await minutes();
      assert.equal(countMails(), 0);
      await spend(1);
      await minutes(5);
      const [mail] = mailer.mails;
      assert.deepEqual([countMails(), mail?.to], [1, email]);
      assert.match(mail?.subject ?? '', /x\.test is 499 credits/);
      assert.match(mail?.text ?? '', /below your alert of 500[\s\S]*https:\/\/x\.test\/dashboard\/packs/);
      await spend(100);
      await minutes(5);
      assert.equal(countMails(), 1);
      await earn(101);
      await minutes();
      await spend(1);
      await minutes(3);
      assert.equal(countMails(), 2);
      assert.deepEqual(troubles, []);
    });

    test('mentions packs only where they can be bought', async () => {
      const { mailer, start, setThreshold, minutes } = await opened(kind, { settings: {} });
      await setThreshold(2000);
      start();
      await minutes();
      assert.match(mailer.mails[0]?.text ?? '', /The operator of the server can add more/);
      assert.doesNotMatch(mailer.mails[0]?.text ?? '', /packs/);
    });

    test('is reported when a threshold is set above it, once for the same threshold', async () => {
      const { start, setThreshold, minutes, countMails } = await opened(kind);
      start();
      await minutes();
      for (const [threshold, mails] of [
        [2000, 1],
        [2000, 1],
        [3000, 2],
      ] as const) {
        await setThreshold(threshold);
        await minutes(2);
        assert.equal(countMails(), mails);
      }
    });

    test('is reported again after growing pauses if the mail failed', async () => {
      const { mailer, start, setThreshold, minutes, countMails, troubles } = await opened(kind);
      await setThreshold(2000);
      mailer.fault = new Error('no mail today');
      start();
      await minutes(8);
      // At 0, 1, 3 and 7 minutes.
      assert.equal(troubles.length, 4);
      mailer.fault = undefined;
      await minutes(8);
      assert.equal(countMails(), 1);
      await minutes(20);
      assert.equal(countMails(), 1);
    });

    test('is reported once by two processes, and by another one after a kill', async () => {
      const one = await opened(kind);
      const two = await opened(kind, { state: one.state, clock: one.clock });
      await one.setThreshold(2000);
      one.start();
      two.start();
      await one.clock.untilSleeping(2);
      await one.minutes(3);
      assert.equal(one.countMails() + two.countMails(), 1);
      await Promise.all([one.stop(), two.stop()]);
      const third = await opened(kind);
      await third.setThreshold(2000);
      // A process that was killed between taking the alert and sending its mail.
      assert.equal((await third.alerts.claim(third.clock.now())).length, 1);
      third.start();
      await third.minutes(9);
      assert.equal(third.countMails(), 0);
      await third.minutes(2);
      assert.equal(third.countMails(), 1);
    });

    test('is reported once by two processes, even if many mails take long', async () => {
      const mailer = new MemoryMailer();
      const one = await opened(kind, { mailer });
      const { clock, alerts, create, state } = one;
      const two = await opened(kind, { mailer, state, clock });
      const emails = Array.from({ length: 14 }, (_, at) => `person${at}@example.com`);
      for (const address of emails)
        await alerts.setThreshold((await create({ email: address, credits: 1 })).id, 5);
      const send = mailer.send.bind(mailer);
      mailer.send = async (mail) => {
        await send(mail);
        await clock.sleep(50_000);
      };
      one.start();
      await clock.untilSleeping(1);
      two.start();
      for (let mails = 0; mails < 16; mails += 1) {
        await clock.untilSleeping(2);
        await clock.advance(50_000);
      }
      await clock.untilSleeping(2);
      assert.deepEqual(mailer.mails.map(({ to }) => to).toSorted(), emails.toSorted());
      assert.deepEqual([...one.troubles, ...two.troubles], []);
    });

    test('ends with the watch: nothing is sent after it', async () => {
      const { mailer, start, stop, setThreshold, clock, minutes } = await opened(kind);
      start();
      await minutes();
      await stop();
      await setThreshold(2000);
      await clock.advance(10 * minute);
      assert.deepEqual([mailer.mails, clock.sleeping], [[], 0]);
    });
  });
}
