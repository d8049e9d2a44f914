import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import Stripe from 'stripe';
import { signWebhook, verifyWebhook } from '../../../../lib/webhook.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type JobsHarnessOptions, passSweep, until } from '../harness.js';
import { type Behaviour, hang, makesWebhooks, type Received, receiver, status } from './receiver.js';

const seconds = (all: readonly Received[]) => all.map(({ at }) => (at - (all[0]?.at ?? 0)) / 1000);
const signatureOf = ({ headers }: Received) => String(headers['extract-signature']);

/** A receiver that behaves as told, and a customer whose webhooks reach it. */
async function delivering(t: TestContext, behaviours: readonly Behaviour[], more: JobsHarnessOptions = {}) {
  const clock = new FakeClock();
  const server = await receiver(t, clock, behaviours);
  return { server, url: server.url, ...(await makesWebhooks(t, clock, more)) };
}

describe('a webhook', () => {
  test('forgets its attempts when the results of its job are swept', async (t) => {
    const { clock, url, deliver, stateOf, find } = await delivering(t, [status(503), status(204)]);
    const { job: id, attempts } = await deliver(url);
    assert.equal(attempts.length, 2);
    clock.set(Date.parse((await find(id)).finished_at ?? '') + 7 * 86_400_000 - 4_500_000);
    const { job: young } = await deliver(url, ['b']);
    const attemptCounts = async () => [
      (await stateOf(id)).attempts.length,
      (await stateOf(young)).attempts.length,
    ];
    await passSweep(clock);
    assert.deepEqual(await attemptCounts(), [2, 1]);
    await passSweep(clock);
    assert.deepEqual(await attemptCounts(), [0, 1]);
    assert.equal((await stateOf(id)).state, 'delivered');
  });

  test('delivers the finished job once, signed', async (t) => {
    const { clock, server, url, all, customer, deliver, find } = await delivering(t, [status(204)]);
    const { secret } = await all.jobs.webhooks.secrets.rotate(customer.account);
    const { job: id, attempts, ...delivery } = await deliver(url, ['a', 'b']);
    assert.equal(delivery.state, 'delivered');
    assert.deepEqual(
      attempts.map(({ number, status, error }) => [number, status, error]),
      [[1, 204, null]],
    );
    const [first] = server.received as [Received];
    const { body, headers } = first;
    const job: unknown = JSON.parse(body);
    assert.deepEqual(job, { ...(await find(id)), webhook: { url, state: 'pending' } });
    assert.partialDeepStrictEqual(job, { status: 'done' });
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['extract-delivery'], delivery.id);
    assert.match(delivery.id, /^whd_/);
    const signature = signatureOf(first);
    assert.match(signature, /^t=\d{10},v1=[\da-f]{64}$/);
    assert.ok(verifyWebhook({ body, signature, secret, now: clock.now() }));
    const { webhooks } = new Stripe('sk_test_none');
    const readByStripe = (text: string): unknown =>
      webhooks.constructEvent(text, signature, secret, 300, undefined, clock.now());
    assert.deepEqual(readByStripe(body), job);
    assert.throws(() => readByStripe(`${body} `));
  });

  test('is retried after 2, 4, 8, 16 and 32 seconds with the same body and delivery ID', async (t) => {
    const { server, url, all, customer, deliver, find } = await delivering(t, [
      ...[status(500), status(429), status(302, { location: 'https://hooks.example/elsewhere' })],
      ...[status(503), (response: ServerResponse) => response.destroy(), status(200)],
    ]);
    const { received } = server;
    const { secret } = await all.jobs.webhooks.secrets.rotate(customer.account);
    const { job: id, state, attempts } = await deliver(url);
    assert.equal(state, 'delivered');
    assert.deepEqual(seconds(received), [0, 2, 6, 14, 30, 62]);
    const statuses = attempts.map((one) => one.status);
    assert.deepEqual(statuses, [500, 429, 302, 503, null, 200]);
    assert.equal(new Set(received.map(({ body }) => body)).size, 1);
    assert.equal(new Set(received.map(({ headers }) => headers['extract-delivery'])).size, 1);
    for (const one of received) {
      const signature = signatureOf(one);
      assert.match(signature, new RegExp(`^t=${Math.floor(one.at / 1000)},`));
      assert.ok(verifyWebhook({ body: one.body, signature, secret, now: one.at }));
    }
    // The redirect was not followed.
    assert.deepEqual(new Set(server.requests), new Set(['POST /hook?a=b']));
    assert.deepEqual((await find(id)).webhook, { url, state: 'delivered' });
  });

  test('is not retried after a status of 4xx other than 429', async (t) => {
    for (const code of [400, 401, 404, 410, 499]) {
      const { url, deliver } = await delivering(t, [status(code)]);
      const { state, attempts } = await deliver(url);
      assert.deepEqual([state, attempts.length, attempts[0]?.status], ['failed', 1, code]);
    }
  });

  test('waits 15 seconds for an answer and reads only its status', async (t) => {
    const endless: Behaviour = (response) => {
      response.writeHead(200);
      const more = (error?: Error | null) => error ?? response.write(Buffer.alloc(64 * 1024), more);
      more();
    };
    const { clock, server, url, make, stateOf, outcome } = await delivering(t, [hang, endless]);
    const id = await make(url);
    const attempts = async () => (await stateOf(id)).attempts;
    await until(() => server.received.length === 1);
    await clock.advance(14_999);
    assert.deepEqual(await attempts(), []);
    await clock.advance(1);
    await until(async () => (await attempts()).length === 1);
    assert.equal((await attempts())[0]?.error, 'No response within 15 seconds.');
    assert.equal((await outcome(id)).state, 'delivered');
    assert.deepEqual(seconds(server.received), [0, 17]);
    await server.allClosed();
  });

  test('is not sent if the certificate is for another name', async (t) => {
    const webhookAllow = ['wrong.example'];
    const { server, url, deliver } = await delivering(t, [status(200)], { webhookAllow });
    const { state, attempts } = await deliver(url.replace('hooks.example', 'wrong.example'));
    assert.deepEqual([state, attempts.length, server.received.length], ['failed', 6, 0]);
    assert.match(String(attempts[0]?.error), /certificate/);
  });

  test('is signed with a replaced secret for a day, after the newest', async (t) => {
    const { clock, server, url, all, customer, deliver } = await delivering(t, [status(200)]);
    const { secrets } = all.jobs.webhooks;
    const [first, second] = [await secrets.rotate(customer.account), await secrets.rotate(customer.account)];
    const send = async () => {
      await deliver(url);
      const received = server.received.at(-1) as Received;
      const { body, at } = received;
      const signature = signatureOf(received);
      const newest = signWebhook([second.secret], Math.floor(at / 1000), body);
      assert.ok(signature.startsWith(newest), signature);
      return [first, second].map(({ secret }) => verifyWebhook({ body, signature, secret, now: at }));
    };
    assert.deepEqual(await send(), [true, true]);
    clock.set(clock.now() + 86_400_000);
    assert.deepEqual(await send(), [false, true]);
  });
});
