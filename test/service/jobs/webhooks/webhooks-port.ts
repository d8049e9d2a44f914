import assert from 'node:assert/strict';
import { test } from 'node:test';
import pLimit from 'p-limit';
import type { StoredJobs } from '../../../../src/service/jobs/stored-jobs.js';
import type { WebhookStore } from '../../../../src/service/jobs/webhooks/webhook-store.js';
import { assertFaults, refusal } from '../../../ledger/ledger-port.js';
import type { FakeClock } from '../../../support/fake-clock.js';

export interface WebhooksUnderTest {
  readonly webhooks: WebhookStore;
  readonly clock: FakeClock;
  readonly account: string;
  /** Another account with so many credits. */
  newAccount(credits: number): Promise<string>;
  /** A job of the account or another one, finished or not, with a webhook or without. */
  job(finished: boolean, url: string | undefined, of?: string): Promise<string>;
  /** Makes the store fail below the port. */
  breakDriver(): void | Promise<void>;
}

/** Makes a job of one input, with a webhook or without. */
export async function makeWebhookJob(
  store: Pick<StoredJobs, 'create'>,
  account: string,
  webhookUrl: string | undefined,
): Promise<string> {
  const { id } = await store.create(
    {
      ...{ account, key: undefined, endpoint: 'maps/place', credits: 3, inputs: ['{}'] },
      ...{ webhookUrl, idempotency: undefined },
    },
    () => '',
  );
  return id;
}

/** How that input ends. */
export const webhookJobEnding = { status: 'ok', cached: false, credits: 3 } as const;

const url = 'https://hooks.example/';
const accepted = { status: 200, error: null, again: false };
const refused = { status: 503, error: 'busy', again: true };
const hour = 3_600_000;

/** What every store of webhooks promises. */
export function webhooksSuite(open: () => Promise<WebhooksUnderTest>): void {
  test('a delivery is due when its job has finished, and ends when it was accepted', async () => {
    const { webhooks, clock, account, job } = await open();
    const running = await job(false, url);
    assert.deepEqual(await webhooks.listDue(), []);
    assert.equal((await webhooks.findDelivery(account, running)).next_attempt_at, null);
    const id = await job(true, url);
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
    const { webhooks, clock, account, job } = await open();
    const id = await job(true, url);
    const [due] = await webhooks.listDue();
    assert.ok(due);
    const claims = await Promise.all([webhooks.claim(due, 20_000), webhooks.claim(due, 20_000)]);
    assert.deepEqual([claims.toSorted(), await webhooks.listDue()], [[false, true], []]);
    // A claim does not change the time that clients see.
    const at = new Date(clock.now()).toISOString();
    assert.equal((await webhooks.findDelivery(account, id)).next_attempt_at, at);
    await webhooks.release(due);
    assert.equal(await webhooks.claim(due, 20_000), true);
    await clock.advance(15_000);
    await webhooks.extend(due, 20_000);
    await clock.advance(15_000);
    assert.deepEqual([await webhooks.listDue(), await webhooks.claim(due, 20_000)], [[], false]);
    await clock.advance(5_000);
    assert.deepEqual(await webhooks.listDue(), [due]);
    await webhooks.record(due, clock.now(), refused);
    assert.equal(await webhooks.claim(due, 20_000), false, 'the attempt was made');
    await clock.advance(2_000);
    const [next] = await webhooks.listDue();
    assert.ok(next && (await webhooks.claim(next, 20_000)));
  });

  test('an attempt is due although the clock was set back', async () => {
    const { webhooks, clock, job } = await open();
    const began = clock.now();
    clock.set(began + hour);
    await job(true, url);
    clock.set(began);
    const [due] = await webhooks.listDue();
    assert.ok(due);
    clock.set(began + hour);
    assert.equal(await webhooks.claim(due, 20_000), true);
    clock.set(began);
    assert.deepEqual(await webhooks.listDue(), [due]);
    assert.deepEqual([await webhooks.claim(due, 20_000), await webhooks.claim(due, 20_000)], [true, false]);
  });

  test('an accepted attempt ends its delivery, but no later one', async () => {
    const { webhooks, clock, account, job } = await open();
    const began = clock.now();
    const id = await job(true, url);
    const [first] = await webhooks.listDue();
    assert.ok(first && (await webhooks.claim(first, 20_000)));
    // The clock of the other process is 20 minutes behind: the claim seems to be one of a clock that was set back.
    clock.set(began - hour / 3);
    const [same] = await webhooks.listDue();
    assert.ok(same && (await webhooks.claim(same, 20_000)));
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
    const { webhooks, clock, account, job } = await open();
    const id = await job(true, url);
    const pauses: number[] = [];
    for (;;) {
      const [due] = await webhooks.listDue();
      assert.ok(due);
      await webhooks.record(due, clock.now(), refused);
      const next = await webhooks.findNextDue();
      if (next === null) break;
      pauses.push((next - clock.now()) / 1000);
      await clock.advance(next - clock.now());
    }
    assert.deepEqual(pauses, [2, 4, 8, 16, 32]);
    assert.equal((await webhooks.findDelivery(account, id)).state, 'failed');
    await webhooks.redeliver(account, id);
    const [due] = await webhooks.listDue();
    assert.equal(due?.tries, 0);
    if (due !== undefined) await webhooks.record(due, clock.now(), { ...refused, again: false });
    const { state, attempts } = await webhooks.findDelivery(account, id);
    assert.deepEqual([state, attempts.length], ['failed', 7]);
  });

  test('an attempt that ends after a redelivery began is recorded and decides nothing', async () => {
    const { webhooks, clock, account, job } = await open();
    const id = await job(true, url);
    const [first] = await webhooks.listDue();
    assert.ok(first);
    await webhooks.record(first, clock.now(), refused);
    await clock.advance(2000);
    const [second] = await webhooks.listDue();
    assert.ok(second);
    await webhooks.redeliver(account, id);
    await webhooks.record(second, clock.now(), { ...refused, again: false });
    const { state, attempts } = await webhooks.findDelivery(account, id);
    assert.deepEqual([state, attempts.length], ['pending', 2]);
    const tries = (await webhooks.listDue()).map(({ tries }) => tries);
    assert.deepEqual(tries, [0]);
  });

  test('a first attempt that ends after a redelivery began decides nothing', async () => {
    const { webhooks, clock, account, job } = await open();
    const id = await job(true, url);
    const [first] = await webhooks.listDue();
    assert.ok(first && (await webhooks.claim(first, 20_000)));
    for (const wait of [0, 1_000]) {
      await clock.advance(wait);
      const [due = first] = await webhooks.listDue();
      await webhooks.redeliver(account, id);
      await webhooks.record(due, clock.now(), { ...refused, again: false });
      assert.equal((await webhooks.findDelivery(account, id)).state, 'pending', `${wait} ms later`);
    }
    const [anew] = await webhooks.listDue();
    assert.equal(anew?.tries, 0);
    if (anew !== undefined) await webhooks.record(anew, clock.now(), accepted);
    assert.equal((await webhooks.findDelivery(account, id)).state, 'delivered');
  });

  test('a delivery is refused for another account, a job without a webhook, and one that runs', async () => {
    const { webhooks, account, job } = await open();
    const [running, without] = [await job(false, url), await job(true, undefined)];
    for (const call of [webhooks.findDelivery, webhooks.redeliver].map((method) => method.bind(webhooks))) {
      await assert.rejects(call('acct_other', running), refusal('job_not_found'));
      await assert.rejects(call(account, 'job_none'), refusal('job_not_found'));
      await assert.rejects(call(account, without), refusal('invalid_parameter'));
    }
    await assert.rejects(webhooks.redeliver(account, running), refusal('job_not_finished'));
  });

  test('a secret is shown once, and signs for a day along with the next one', async () => {
    const { webhooks, clock, account } = await open();
    assert.deepEqual(await webhooks.secrets.state(account), { created_at: null, previous_until: null });
    const [first, ...none] = await webhooks.secrets.list(account);
    assert.deepEqual(none, []);
    assert.equal((await webhooks.secrets.state(account)).created_at, null);
    assert.equal((await webhooks.secrets.rotate(account)).secret, first);
    const second = await webhooks.secrets.rotate(account);
    assert.deepEqual(await webhooks.secrets.list(account), [second.secret, first]);
    assert.equal(second.previous_until, new Date(clock.now() + 24 * hour).toISOString());
    await clock.advance(24 * hour);
    assert.deepEqual(await webhooks.secrets.list(account), [second.secret]);
    assert.equal((await webhooks.secrets.state(account)).previous_until, null);
  });

  test('due deliveries of one account or host hide none of another', async () => {
    const { webhooks, newAccount, job } = await open();
    const [many, few] = [await newAccount(10_000), await newAccount(100)];
    const turn = pLimit(8);
    const make = () => turn(() => job(true, 'https://hangs.example/hook', many));
    await Promise.all(Array.from({ length: 1_100 }, make));
    const ownOther = await job(true, 'https://answers.example/hook?a=/', many);
    const foreign = await job(true, url, few);
    const listed = new Set((await webhooks.listDue()).map(({ job: { id } }) => id));
    assert.ok(listed.has(foreign), 'that of another account');
    assert.ok(listed.has(ownOther), 'that of another host');
  });

  test('at most two secrets sign', async () => {
    const { webhooks, account } = await open();
    const secrets: string[] = [];
    for (let n = 0; n < 7; n += 1) secrets.push((await webhooks.secrets.rotate(account)).secret);
    assert.deepEqual(await webhooks.secrets.list(account), secrets.slice(-2).reverse());
  });

  test('the attempts of a job are forgotten, and no others', async () => {
    const { webhooks, clock, account, job } = await open();
    const [id, other] = [await job(true, url), await job(true, url)];
    for (const due of await webhooks.listDue()) await webhooks.record(due, clock.now(), accepted);
    const numbers = async (of: string) =>
      (await webhooks.findDelivery(account, of)).attempts.map(({ number }) => number);
    assert.deepEqual([await numbers(id), await numbers(other)], [[1], [1]]);
    await webhooks.forget(id);
    await webhooks.forget('job_none');
    assert.deepEqual([await numbers(id), await numbers(other)], [[], [1]]);
    assert.equal((await webhooks.findDelivery(account, id)).state, 'delivered');
  });

  test("each method rejects with the port's faults when the driver fails", async () => {
    const { webhooks, clock, account, job, breakDriver } = await open();
    const id = await job(true, url);
    const [due] = await webhooks.listDue();
    assert.ok(due);
    await breakDriver();
    const calls = [
      webhooks.listDue(),
      webhooks.findNextDue(),
      webhooks.record(due, clock.now(), accepted),
      webhooks.findDelivery(account, id),
      webhooks.redeliver(account, id),
      webhooks.secrets.list(account),
      webhooks.secrets.state(account),
      webhooks.secrets.rotate(account),
      webhooks.forget(id),
    ];
    await assertFaults(calls);
  });
}
