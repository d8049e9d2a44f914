import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pLimit from 'p-limit';
import type { NewJob } from '../../../../src/service/jobs/job.js';
import { assertFaults, refusal } from '../../../ledger/ledger-port.js';
import { bothStores } from '../both-stores.js';

const url = 'https://hooks.example/';
const accepted = { status: 200, error: null, again: false };
const refused = { status: 503, error: 'busy', again: true };
const hour = 3_600_000;

for (const { where, skip, open } of bothStores) {
  /** Opens stores with an account whose jobs have webhooks. */
  async function opened() {
    const { make, end, webhooks, ...under } = await open();
    const account = await under.account(100);
    const makeRunning = () => make(account, 1, { webhookUrl: url });
    return {
      ...{ ...under, webhooks, account, newAccount: under.account, makeRunning },
      async makeFinished(more: Partial<NewJob> = {}) {
        const id = await make(account, 1, { webhookUrl: url, ...more });
        await end(id, [0]);
        return id;
      },
      /** The delivery that is due. */
      async due() {
        const [one] = await webhooks.listDue();
        return one ?? assert.fail('No delivery is due.');
      },
      claim: (one: Parameters<typeof webhooks.claim>[0]) => webhooks.claim(one, 20_000),
    };
  }

  describe(`webhooks in ${where}`, { skip }, () => {
    test('a delivery is due when its job has finished, and ends when it was accepted', async () => {
      const { webhooks, clock, account, makeRunning, makeFinished } = await opened();
      const running = await makeRunning();
      assert.deepEqual(await webhooks.listDue(), []);
      assert.equal((await webhooks.findDelivery(account, running)).next_attempt_at, null);
      const id = await makeFinished();
      const [due, ...more] = await webhooks.listDue();
      assert.ok(due);
      assert.deepEqual([due.job.id, due.account, due.url, due.tries, more], [id, account, url, 0, []]);
      await webhooks.record(due, clock.now(), accepted);
      const { state, attempts, id: delivery } = await webhooks.findDelivery(account, id);
      assert.deepEqual([state, delivery], ['delivered', due.id]);
      const at = new Date(clock.now()).toISOString();
      assert.deepEqual(attempts, [{ number: 1, at, status: 200, error: null }]);
      assert.deepEqual([await webhooks.listDue(), await webhooks.findNextDue()], [[], null]);
    });

    test('one process claims an attempt until it releases it or the claim expires', async () => {
      const { webhooks, clock, account, makeFinished, due, claim } = await opened();
      const id = await makeFinished();
      const one = await due();
      const claims = await Promise.all([claim(one), claim(one)]);
      assert.deepEqual([claims.toSorted(), await webhooks.listDue()], [[false, true], []]);
      // A claim does not change the time that clients see.
      const at = new Date(clock.now()).toISOString();
      assert.equal((await webhooks.findDelivery(account, id)).next_attempt_at, at);
      await webhooks.release(one);
      assert.equal(await claim(one), true);
      await clock.advance(15_000);
      await webhooks.extend(one, 20_000);
      await clock.advance(15_000);
      assert.deepEqual([await webhooks.listDue(), await claim(one)], [[], false]);
      await clock.advance(5_000);
      assert.deepEqual(await webhooks.listDue(), [one]);
      await webhooks.record(one, clock.now(), refused);
      assert.equal(await claim(one), false, 'the attempt was made');
      await clock.advance(2_000);
      assert.ok(await claim(await due()));
    });

    test('an attempt is due although the clock was set back', async () => {
      const { webhooks, clock, makeFinished, due, claim } = await opened();
      const began = clock.now();
      clock.set(began + hour);
      await makeFinished();
      clock.set(began);
      const one = await due();
      clock.set(began + hour);
      assert.equal(await claim(one), true);
      clock.set(began);
      assert.deepEqual(await webhooks.listDue(), [one]);
      assert.deepEqual([await claim(one), await claim(one)], [true, false]);
    });

    test('an accepted attempt ends its delivery, but no later one', async () => {
      const { webhooks, clock, account, makeFinished, due, claim } = await opened();
      const began = clock.now();
      const id = await makeFinished();
      const first = await due();
      assert.ok(await claim(first));
      // The clock of the other process is 20 minutes behind: the claim seems to be one of a clock that was set back.
      clock.set(began - hour / 3);
      const same = await due();
      assert.ok(await claim(same));
      await webhooks.record(same, clock.now(), refused);
      await webhooks.record(first, began, accepted);
      const { state, attempts, next_attempt_at: next } = await webhooks.findDelivery(account, id);
      assert.deepEqual([state, attempts.length, next], ['delivered', 2, null]);
      await clock.advance(hour);
      assert.deepEqual(await webhooks.listDue(), []);
      // What its owner asked for since is another delivery.
      await webhooks.redeliver(account, id);
      await webhooks.record(first, began, accepted);
      assert.equal((await webhooks.findDelivery(account, id)).state, 'pending');
      assert.equal((await webhooks.listDue()).length, 1);
    });

    test('a failed attempt is repeated after growing pauses, six times in all', async () => {
      const { webhooks, clock, account, makeFinished, due } = await opened();
      const id = await makeFinished();
      const pauses: number[] = [];
      for (;;) {
        await webhooks.record(await due(), clock.now(), refused);
        const next = await webhooks.findNextDue();
        if (next === null) break;
        pauses.push((next - clock.now()) / 1000);
        await clock.advance(next - clock.now());
      }
      assert.deepEqual(pauses, [2, 4, 8, 16, 32]);
      assert.equal((await webhooks.findDelivery(account, id)).state, 'failed');
      await webhooks.redeliver(account, id);
      const again = await due();
      assert.equal(again.tries, 0);
      await webhooks.record(again, clock.now(), { ...refused, again: false });
      const { state, attempts } = await webhooks.findDelivery(account, id);
      assert.deepEqual([state, attempts.length], ['failed', 7]);
    });

    test('an attempt that ends after a redelivery began is recorded and decides nothing', async () => {
      const { webhooks, clock, account, makeFinished, due } = await opened();
      const id = await makeFinished();
      await webhooks.record(await due(), clock.now(), refused);
      await clock.advance(2000);
      const second = await due();
      await webhooks.redeliver(account, id);
      await webhooks.record(second, clock.now(), { ...refused, again: false });
      const { state, attempts } = await webhooks.findDelivery(account, id);
      assert.deepEqual([state, attempts.length, (await due()).tries], ['pending', 2, 0]);
    });

    test('a first attempt that ends after a redelivery began decides nothing', async () => {
      const { webhooks, clock, account, makeFinished, due, claim } = await opened();
      const id = await makeFinished();
      const first = await due();
      assert.ok(await claim(first));
      const stateOf = async () => (await webhooks.findDelivery(account, id)).state;
      for (const wait of [0, 1_000]) {
        await clock.advance(wait);
        const [one = first] = await webhooks.listDue();
        await webhooks.redeliver(account, id);
        await webhooks.record(one, clock.now(), { ...refused, again: false });
        assert.equal(await stateOf(), 'pending', `${wait} ms later`);
      }
      const anew = await due();
      assert.equal(anew.tries, 0);
      await webhooks.record(anew, clock.now(), accepted);
      assert.equal(await stateOf(), 'delivered');
    });

    test('a delivery is refused for another account, a job without a webhook, and one that runs', async () => {
      const { webhooks, account, makeRunning, makeFinished } = await opened();
      const [running, without] = [await makeRunning(), await makeFinished({ webhookUrl: undefined })];
      for (const call of [webhooks.findDelivery, webhooks.redeliver].map((method) => method.bind(webhooks))) {
        await assert.rejects(call('acct_other', running), refusal('job_not_found'));
        await assert.rejects(call(account, 'job_none'), refusal('job_not_found'));
        await assert.rejects(call(account, without), refusal('invalid_parameter'));
      }
      await assert.rejects(webhooks.redeliver(account, running), refusal('job_not_finished'));
    });

    test('a secret is shown once, and signs for a day along with the next one', async () => {
      const { webhooks, clock, account } = await opened();
      const { secrets } = webhooks;
      assert.deepEqual(await secrets.state(account), { created_at: null, previous_until: null });
      const [first, ...none] = await secrets.list(account);
      assert.deepEqual(none, []);
      assert.equal((await secrets.state(account)).created_at, null);
      assert.equal((await secrets.rotate(account)).secret, first);
      const second = await secrets.rotate(account);
      assert.deepEqual(await secrets.list(account), [second.secret, first]);
      assert.equal(second.previous_until, new Date(clock.now() + 24 * hour).toISOString());
      await clock.advance(24 * hour);
      assert.deepEqual(await secrets.list(account), [second.secret]);
      assert.equal((await secrets.state(account)).previous_until, null);
    });

    test('due deliveries of one account or host hide none of another', async () => {
      const { webhooks, newAccount, makeFinished } = await opened();
      const [many, few] = [await newAccount(10_000), await newAccount(100)];
      const turn = pLimit(8);
      const make = () =>
        turn(() => makeFinished({ webhookUrl: 'https://hangs.example/hook', account: many }));
      await Promise.all(Array.from({ length: 1_100 }, make));
      const ownOther = await makeFinished({ webhookUrl: 'https://answers.example/hook?a=/', account: many });
      const foreign = await makeFinished({ account: few });
      const listed = new Set((await webhooks.listDue()).map(({ job: { id } }) => id));
      assert.ok(listed.has(foreign), 'that of another account');
      assert.ok(listed.has(ownOther), 'that of another host');
    });

    test('at most two secrets sign', async () => {
      const { webhooks, account } = await opened();
      const secrets: string[] = [];
      for (let n = 0; n < 7; n += 1) secrets.push((await webhooks.secrets.rotate(account)).secret);
      assert.deepEqual(await webhooks.secrets.list(account), secrets.slice(-2).reverse());
    });

    test('the attempts of a job are forgotten, and no others', async () => {
      const { webhooks, clock, account, makeFinished } = await opened();
      const [id, other] = [await makeFinished(), await makeFinished()];
      for (const due of await webhooks.listDue()) await webhooks.record(due, clock.now(), accepted);
      const attempts = async () => {
        const deliveries = await Promise.all([id, other].map((of) => webhooks.findDelivery(account, of)));
        return deliveries.map((one) => one.attempts.map(({ number }) => number));
      };
      assert.deepEqual(await attempts(), [[1], [1]]);
      await webhooks.forget(id);
      await webhooks.forget('job_none');
      assert.deepEqual(await attempts(), [[], [1]]);
      assert.equal((await webhooks.findDelivery(account, id)).state, 'delivered');
    });

    test("each method rejects with the port's faults when the driver fails", async () => {
      const { webhooks, clock, account, makeFinished, breakDriver, due } = await opened();
      const { secrets } = webhooks;
      const id = await makeFinished();
      const one = await due();
      await breakDriver();
      await assertFaults([
        ...[webhooks.listDue(), webhooks.findNextDue(), webhooks.record(one, clock.now(), accepted)],
        ...[webhooks.findDelivery(account, id), webhooks.redeliver(account, id), webhooks.forget(id)],
        ...[secrets.list(account), secrets.state(account), secrets.rotate(account)],
      ]);
    });
  });
}
