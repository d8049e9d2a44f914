import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import Stripe from 'stripe';
import { signWebhook, verifyWebhook } from '../../../../lib/webhook.js';
import type { Job } from '../../../../src/service/jobs/job.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type JobsHarnessOptions, makeJob, passSweep, until } from '../harness.js';
import {
  type Behaviour,
  hang,
  hooked,
  outcome,
  type Received,
  receiver,
  stateOf,
  status,
} from './receiver.js';

const seconds = (all: readonly Received[]) => all.map(({ at }) => (at - (all[0]?.at ?? 0)) / 1000);

/** A receiver that behaves as told, jobs whose webhooks reach it, and a customer. */
async function delivering(t: TestContext, behaviours: readonly Behaviour[], more: JobsHarnessOptions = {}) {
  const clock = new FakeClock();
  const server = await receiver(t, clock, behaviours);
  const all = await hooked(t, clock, more);
  return { clock, server, all, customer: await all.customer() };
}

describe('a webhook', () => {
  test('forgets its attempts when the results of its job are swept', async (t) => {
    const { clock, server, all, customer } = await delivering(t, [status(503), status(204), status(204)]);
    const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
    assert.equal((await outcome(all, clock, customer, id)).attempts.length, 2);
    const { account } = customer;
    const { finished_at } = await all.jobs.store.find(account, id);
    clock.set(Date.parse(finished_at ?? '') + 7 * 86_400_000 - 4_500_000);
    const young = await makeJob(all, customer, ['b'], { webhookUrl: server.url });
    await outcome(all, clock, customer, young);
    const attempts = async (job: string) =>
      (await all.jobs.webhooks.findDelivery(account, job)).attempts.length;
    await passSweep(clock);
    assert.deepEqual([await attempts(id), await attempts(young)], [2, 1]);
    await passSweep(clock);
    assert.equal(await attempts(id), 0);
    assert.equal((await all.jobs.webhooks.findDelivery(account, id)).state, 'delivered');
    assert.equal(await attempts(young), 1);
  });

  test('delivers the finished job once, signed', async (t) => {
    const { clock, server, all, customer } = await delivering(t, [status(204)]);
    const { secret } = await all.jobs.webhooks.secrets.rotate(customer.account);
    const id = await makeJob(all, customer, ['a', 'b'], { webhookUrl: server.url });
    const { attempts, ...delivery } = await outcome(all, clock, customer, id);
    assert.equal(delivery.state, 'delivered');
    const outcomes = attempts.map(({ number, status, error }) => [number, status, error]);
    assert.deepEqual(outcomes, [[1, 204, null]]);
    const [first] = server.received as [Received];
    const job = JSON.parse(first.body) as Job;
    const shown = await all.jobs.store.find(customer.account, id);
    assert.deepEqual(job, { ...shown, webhook: { url: server.url, state: 'pending' } });
    assert.equal(job.status, 'done');
    assert.equal(first.headers['content-type'], 'application/json');
    assert.equal(first.headers['extract-delivery'], delivery.id);
    assert.match(delivery.id, /^whd_/);
    const signature = String(first.headers['extract-signature']);
    assert.match(signature, /^t=\d{10},v1=[\da-f]{64}$/);
    const { body } = first;
    assert.ok(verifyWebhook({ body, signature, secret, now: clock.now() }));
    const stripe = new Stripe('sk_test_none');
    const event: unknown = stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      300,
      undefined,
      clock.now(),
    );
    assert.deepEqual(event, job);
    assert.throws(() =>
      stripe.webhooks.constructEvent(`${body} `, signature, secret, 300, undefined, clock.now()),
    );
  });

  test('is retried after 2, 4, 8, 16 and 32 seconds with the same body and delivery ID', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [
      ...[status(500), status(429), status(302, { location: 'https://hooks.example/elsewhere' })],
      ...[status(503), (response: ServerResponse) => response.destroy(), status(200)],
    ]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
    const { secret } = await all.jobs.webhooks.secrets.rotate(customer.account);
    const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
    const { state, attempts } = await outcome(all, clock, customer, id);
    assert.equal(state, 'delivered');
    assert.deepEqual(seconds(server.received), [0, 2, 6, 14, 30, 62]);
    const statuses = attempts.map((one) => one.status);
    assert.deepEqual(statuses, [500, 429, 302, 503, null, 200]);
    assert.equal(new Set(server.received.map(({ body }) => body)).size, 1);
    assert.equal(new Set(server.received.map(({ headers }) => headers['extract-delivery'])).size, 1);
    for (const { at, body, headers } of server.received) {
      const signature = String(headers['extract-signature']);
      assert.match(signature, new RegExp(`^t=${Math.floor(at / 1000)},`));
      assert.ok(verifyWebhook({ body, signature, secret, now: at }));
    }
    // The redirect was not followed.
    assert.deepEqual(new Set(server.requests), new Set(['POST /hook?a=b']));
    assert.deepEqual((await all.jobs.store.find(customer.account, id)).webhook, {
      url: server.url,
      state: 'delivered',
    });
  });

  test('is not retried after a status of 4xx other than 429', async (t) => {
    for (const code of [400, 401, 404, 410, 499]) {
      const { clock, server, all, customer } = await delivering(t, [status(code)]);
      const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
      const { state, attempts } = await outcome(all, clock, customer, id);
      assert.deepEqual([state, attempts.length, attempts[0]?.status], ['failed', 1, code]);
    }
  });

  test('waits 15 seconds for an answer and reads only its status', async (t) => {
    const clock = new FakeClock();
    const endless: Behaviour = (response) => {
      response.writeHead(200);
      const more = (error?: Error | null) => error ?? response.write(Buffer.alloc(64 * 1024), more);
      more();
    };
    const server = await receiver(t, clock, [hang, endless]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
    const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
    await until(() => server.received.length === 1);
    await clock.advance(14_999);
    assert.equal((await stateOf(all, customer, id)).attempts.length, 0);
    await clock.advance(1);
    await until(async () => (await stateOf(all, customer, id)).attempts.length === 1);
    assert.deepEqual((await stateOf(all, customer, id)).attempts[0]?.error, 'No response within 15 seconds.');
    const { state } = await outcome(all, clock, customer, id);
    assert.equal(state, 'delivered');
    assert.deepEqual(seconds(server.received), [0, 17]);
    await server.allClosed();
  });

  test('is not sent if the certificate is for another name', async (t) => {
    const { clock, server, all, customer } = await delivering(t, [status(200)], {
      webhookAllow: ['wrong.example'],
    });
    const url = server.url.replace('hooks.example', 'wrong.example');
    const id = await makeJob(all, customer, ['a'], { webhookUrl: url });
    const { state, attempts } = await outcome(all, clock, customer, id);
    assert.deepEqual([state, attempts.length, server.received.length], ['failed', 6, 0]);
    assert.match(String(attempts[0]?.error), /certificate/);
  });
});

describe('the signing secret', () => {
  test('that was replaced signs along for a day, after the newest', async (t) => {
    const { clock, server, all, customer } = await delivering(t, [status(200)]);
    const { secrets } = all.jobs.webhooks;
    const [first, second] = [await secrets.rotate(customer.account), await secrets.rotate(customer.account)];
    const send = async () => {
      const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
      await outcome(all, clock, customer, id);
      const { body, headers, at } = server.received.at(-1) as Received;
      const signature = String(headers['extract-signature']);
      const newest = signWebhook([second.secret], Math.floor(at / 1000), body);
      assert.ok(signature.startsWith(newest), signature);
      return [first, second].map(({ secret }) => verifyWebhook({ body, signature, secret, now: at }));
    };
    assert.deepEqual(await send(), [true, true]);
    clock.set(clock.now() + 86_400_000);
    assert.deepEqual(await send(), [false, true]);
  });
});
