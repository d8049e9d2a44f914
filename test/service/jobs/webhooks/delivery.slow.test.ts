import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import Stripe from 'stripe';
import { signWebhook, verifyWebhook } from '../../../../lib/webhook.js';
import type { Job } from '../../../../src/service/jobs/job.js';
import type { ResolvedAddress } from '../../../../src/service/jobs/webhooks/targets.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { makeJob, newHome, passSweep, until } from '../harness.js';
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

describe('a webhook', () => {
  test('is told of without its attempts once the results of its job are swept, seven days after the end', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(503), status(204), status(204)]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
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

  test('that is taken at once is one delivery of the finished job, signed', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(204)]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
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

  test('of a schedule is one of its own for each run', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(204)]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
    const more = { webhookUrl: server.url, schedule: { every: '6h' } };
    const jobs = [await makeJob(all, customer, ['a', 'b'], more)];
    await outcome(all, clock, customer, jobs[0] as string);
    const { schedule = '' } = await all.jobs.store.find(customer.account, jobs[0] as string);
    for (let run = 1; run <= 2; run += 1) {
      const due = Date.parse((await all.jobs.schedules.find(customer.account, schedule)).next_run_at ?? '');
      clock.set(due);
      all.jobs.wake();
      await until(async () => (await all.jobs.schedules.listDue()).length === 0);
      const { last_run } = await all.jobs.schedules.find(customer.account, schedule);
      jobs.push(last_run.job ?? '');
      assert.equal((await outcome(all, clock, customer, last_run.job ?? '')).state, 'delivered');
    }
    assert.equal(new Set(jobs).size, 3);
    const jobsReceived = server.received.map(({ body }) => JSON.parse(body) as Job);
    assert.deepEqual(
      jobsReceived.map((job) => [job.id, job.schedule, job.completed]),
      jobs.map((id) => [id, schedule, 2]),
    );
    assert.equal(new Set(server.received.map(({ headers }) => headers['extract-delivery'])).size, 3);
  });

  test('is tried again after 2, 4, 8, 16 and 32 seconds, the same body under one delivery id', async (t) => {
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

  test('stops at once at a status of 4xx other than 429', async (t) => {
    for (const code of [400, 401, 404, 410, 499]) {
      const clock = new FakeClock();
      const server = await receiver(t, clock, [status(code)]);
      const all = await hooked(t, clock);
      const customer = await all.customer();
      const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
      const { state, attempts } = await outcome(all, clock, customer, id);
      assert.deepEqual([state, attempts.length, attempts[0]?.status], ['failed', 1, code]);
    }
  });

  test('waits 15 seconds for an answer and takes no more of it than its status', async (t) => {
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

  test('goes to nobody whose certificate is not for the name', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(200)]);
    const all = await hooked(t, clock, { webhookAllow: ['wrong.example'] });
    const customer = await all.customer();
    const url = server.url.replace('hooks.example', 'wrong.example');
    const id = await makeJob(all, customer, ['a'], { webhookUrl: url });
    const { state, attempts } = await outcome(all, clock, customer, id);
    assert.deepEqual([state, attempts.length, server.received.length], ['failed', 6, 0]);
    assert.match(String(attempts[0]?.error), /certificate/);
  });

  test('is not sent where the name leads when it has changed since the job was made', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(200)]);
    let addresses: ResolvedAddress[] = [{ address: '93.184.216.34', family: 4 }];
    const all = await hooked(t, clock, { webhookAllow: [], resolve: async () => addresses });
    const customer = await all.customer();
    await all.jobs.checkTarget(server.url);
    addresses = [{ address: '127.0.0.1', family: 4 }];
    const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
    const { state, attempts } = await outcome(all, clock, customer, id);
    assert.deepEqual([state, attempts.length, server.sockets.size], ['failed', 6, 0]);
    assert.equal(attempts[0]?.error, 'The webhook URL resolves to an address that is not public.');
    // The same for an address that an earlier version or another setting let in.
    const literal = `https://127.0.0.1:${server.port}/`;
    const other = await makeJob(all, customer, ['a'], { webhookUrl: literal });
    assert.equal((await outcome(all, clock, customer, other)).state, 'failed');
    assert.equal(server.sockets.size, 0);
  });

  test('that was under way when the process ended is sent by the next one', async (t) => {
    const clock = new FakeClock();
    const home = newHome(t);
    const server = await receiver(t, clock, [hang, status(200)]);
    const one = await hooked(t, clock, { home });
    const customer = await one.customer();
    const id = await makeJob(one, customer, ['a'], { webhookUrl: server.url });
    await until(() => server.received.length === 1);
    await one.close();
    const two = await hooked(t, clock, { home });
    const { state, attempts } = await outcome(two, clock, customer, id);
    assert.deepEqual([state, attempts.length, server.received.length], ['delivered', 1, 2]);
    const [first, second] = server.received;
    assert.equal(first?.headers['extract-delivery'], second?.headers['extract-delivery']);
  });
});

describe('the signing secret', () => {
  test('is shown when it is made, and the one before it signs along for a day', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(200)]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
    const { webhooks } = all.jobs;
    assert.deepEqual(await webhooks.secrets.state(customer.account), {
      created_at: null,
      previous_until: null,
    });
    const first = await webhooks.secrets.rotate(customer.account);
    assert.match(first.secret, /^whsec_[\w-]{43}$/);
    assert.equal(first.previous_until, null);
    const second = await webhooks.secrets.rotate(customer.account);
    assert.equal(Date.parse(second.previous_until ?? ''), clock.now() + 86_400_000);
    const send = async () => {
      const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
      await outcome(all, clock, customer, id);
      const { body, headers, at } = server.received.at(-1) as Received;
      const signature = String(headers['extract-signature']);
      const verified = [first, second].map(({ secret }) =>
        verifyWebhook({ body, signature, secret, now: at }),
      );
      const stripe = new Stripe('sk_test_none');
      stripe.webhooks.constructEvent(body, signature, second.secret, 300, undefined, at);
      const [newest] = signature.split(',').slice(1);
      assert.ok(
        signWebhook([second.secret], Math.floor(at / 1000), body).endsWith(newest ?? '-'),
        'newest first',
      );
      return [verified, signature.match(/v1=/g)?.length];
    };
    assert.deepEqual(await send(), [[true, true], 2]);
    clock.set(clock.now() + 86_400_000);
    assert.deepEqual(await send(), [[false, true], 1]);
    assert.equal((await webhooks.secrets.state(customer.account)).previous_until, null);
  });

  test('that signs before anybody has asked for one is shown when somebody does, once', async (t) => {
    const clock = new FakeClock();
    const server = await receiver(t, clock, [status(200)]);
    const all = await hooked(t, clock);
    const customer = await all.customer();
    const { webhooks } = all.jobs;
    const id = await makeJob(all, customer, ['a'], { webhookUrl: server.url });
    await outcome(all, clock, customer, id);
    assert.deepEqual(await webhooks.secrets.state(customer.account), {
      created_at: null,
      previous_until: null,
    });
    const [first, second] = await Promise.all([
      webhooks.secrets.rotate(customer.account),
      webhooks.secrets.rotate(customer.account),
    ]);
    const { body, headers, at } = server.received[0] as Received;
    const signature = String(headers['extract-signature']);
    assert.ok(verifyWebhook({ body, signature, secret: first.secret, now: at }));
    assert.equal(first.previous_until, null);
    assert.notEqual(second.secret, first.secret);
    assert.notEqual(second.previous_until, null);
  });
});
