import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { verifyWebhook } from '../../../lib/webhook.js';
import { AlertStore, type EndedRun } from '../../../src/service/jobs/schedules/alerts/alert-store.js';
import { RunNotices } from '../../../src/service/jobs/schedules/alerts/run-notices.js';
import type { Notice } from '../../../src/service/notify/notice.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { type Customer, type JobsHarness, numbered, submit, until } from './harness.js';
import { type Behaviour, hang, hooked, receiver, status } from './webhooks/receiver.js';

const address = 'ada@example.com';

async function scheduled(t: TestContext, behaviours: readonly Behaviour[]) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const hook = await receiver(t, clock, behaviours);
  const mailer = new MemoryMailer();
  const all = await hooked(t, clock, {
    mailer,
    emailOf: async () => address,
    jobPage: (job) => `https://extract.example/dashboard/jobs/${job}`,
  });
  const customer = await all.customer(10_000);
  const { account } = customer;
  const runsOf = async ({ id }: { readonly id: string }) =>
    (await all.jobs.schedules.listRuns(account, id, 10, undefined)).runs;
  const alertsOf = async (schedule: { readonly id: string }) => (await runsOf(schedule))[0]?.alerts ?? [];
  const query = (sql: string) => all.opened.database.db.prepare(sql).pluck().all();
  return { clock, hook, mailer, all, customer, runsOf, alertsOf, query };
}

/** Makes a schedule that tells these targets. */
async function order(all: JobsHarness, customer: Customer, notify: unknown, more = {}) {
  const body = { endpoint: 'maps/harbour', schedule: '6h', notify, ...more };
  await submit(all, customer, body, ['{"id":"a"}', '{"id":"b"}']);
  const [schedule] = (await all.jobs.schedules.list(customer.account, 1, undefined)).schedules;
  assert.ok(schedule);
  return schedule;
}

describe('the alerts of a schedule', () => {
  test('tell each target once of a run, signed, tried as webhooks are, and shown without secrets', async (t) => {
    const behaviours = [status(503), status(204)];
    const { clock, hook, mailer, all, customer, alertsOf, query } = await scheduled(t, behaviours);
    const schedule = await order(all, customer, [hook.url, address]);
    assert.deepEqual(schedule.notify, [`webhook: hooks.example:${hook.port}/…`, `mail: ${address}`]);
    const alerts = () => alertsOf(schedule);
    await until(async () => (await alerts())[0]?.attempts === 1);
    const states = (await alerts()).map(({ state, error }) => [state, error]);
    assert.deepEqual(states, [
      ['pending', 'The receiver responded with status 503.'],
      ['delivered', null],
    ]);
    await clock.advance(2000);
    all.jobs.wake();
    await until(async () => (await alerts()).every(({ state }) => state === 'delivered'));
    await clock.advance(60_000);
    const [first, second, ...more] = hook.received;
    assert.deepEqual(more, []);
    assert.equal(first?.body, second?.body);
    assert.equal(first?.headers['extract-delivery'], second?.headers['extract-delivery']);
    const body = JSON.parse(second?.body ?? '');
    assert.partialDeepStrictEqual(body, {
      ...{ type: 'alert', schedule: schedule.id, total: 2, items: [{ input: { id: 'a' } }] },
      all_at: `https://extract.example/dashboard/jobs/${body.job}`,
    });
    const [secret = ''] = await all.jobs.webhooks.secrets.list(customer.account);
    const signature = String(second?.headers['extract-signature']);
    assert.ok(verifyWebhook({ body: second?.body ?? '', signature, secret, now: second?.at ?? 0 }));
    const sent = mailer.mails.map(({ to, subject }) => [to, subject]);
    assert.deepEqual(sent, [[address, '2 found: maps/harbour']]);
    // A delivered alert is not stored any longer.
    assert.deepEqual(query('SELECT notice FROM schedule_runs'), [null]);
    assert.deepEqual(all.errors, []);
  });

  test('are tried again if the receiver fails or hangs, and given up if it refuses', async (t) => {
    const { clock, hook, all, customer, alertsOf } = await scheduled(t, [status(500), hang, status(410)]);
    const schedule = await order(all, customer, [`slack:${hook.url}`]);
    const alert = async () => (await alertsOf(schedule))[0];
    for (const [attempt, state, error, pause] of [
      [1, 'pending', 'The receiver responded with status 500.', 2000],
      [2, 'pending', 'No response within 15 seconds.', 4000],
      [3, 'failed', 'The receiver responded with status 410.', null],
    ] as const) {
      await until(async () => hook.received.length === attempt);
      if (attempt === 2) await clock.advance(15_000);
      await until(async () => (await alert())?.attempts === attempt);
      const seen = await alert();
      assert.deepEqual([seen?.state, seen?.error], [state, error]);
      const next = seen?.next_attempt_at ?? null;
      assert.equal(next === null ? null : Date.parse(next) - clock.now(), pause);
      await clock.advance(pause ?? 0);
    }
  });

  test('stay delivered if another process reports a failure of the same attempt later', async (t) => {
    const { clock, hook, all, customer, alertsOf } = await scheduled(t, [hang]);
    const schedule = await order(all, customer, [hook.url]);
    const alert = async () => (await alertsOf(schedule))[0];
    await until(async () => hook.received.length === 1);
    await all.jobs.stop();
    const store = new AlertStore(all.opened.database.stores, clock);
    const [due] = await store.listDue();
    assert.ok(due);
    await store.record(due, { status: 503, error: 'busy', again: true });
    assert.equal((await alert())?.state, 'pending');
    await store.record(due, { status: 204, error: null, again: false });
    await store.record(due, { status: 503, error: 'busy', again: true });
    assert.deepEqual([(await alert())?.state, (await alert())?.error], ['delivered', null]);
    await clock.advance(60_000);
    assert.deepEqual(await store.listDue(), []);
  });

  test('whose receivers hang keep no other account waiting, nor another receiver of the same', async (t) => {
    const { clock, hook: silent, all, customer: many } = await scheduled(t, [hang]);
    const good = await receiver(t, clock, [status(204)]);
    const targets = Array.from({ length: 10 }, (_, at) => `${silent.url}&n=${at}`);
    for (let schedule = 0; schedule < 4; schedule += 1) await order(all, many, targets);
    await until(async () => silent.received.length === 4);
    const few = await all.customer(10_000);
    await order(all, few, [good.url]);
    await until(async () => good.received.length === 1);
    await order(all, many, [good.url]);
    await until(async () => good.received.length === 2);
    assert.equal(silent.received.length, 4);
    assert.deepEqual(all.errors, []);
  });

  test('are not sent for a run without news', async (t) => {
    const { clock, hook, all, customer, runsOf, query } = await scheduled(t, [status(204)]);
    const schedule = await order(all, customer, [hook.url], { new: true });
    const runs = () => runsOf(schedule);
    await until(async () => (await runs())[0]?.alerts[0]?.state === 'delivered');
    clock.set(clock.now() + 6 * 3_600_000);
    all.jobs.wake();
    await until(async () => (await runs()).length === 2);
    await until(() => query('SELECT 1 FROM schedule_runs WHERE told = 0').length === 0);
    assert.deepEqual([(await runs())[0]?.alerts, hook.received.length], [[], 1]);
  });

  test('refuse private addresses, other people, and jobs without a schedule', async (t) => {
    const { all, customer, query } = await scheduled(t, [status(204)]);
    for (const [notify, code] of [
      [['bob@example.com'], 'invalid_parameter'],
      [['http://hooks.example/x'], 'webhook_url_not_https'],
      [['slack:https://127.0.0.1/x'], 'webhook_url_not_allowed'],
      [[], 'invalid_parameter'],
      ['https://hooks.example/x', 'invalid_parameter'],
      [[7], 'invalid_parameter'],
    ] as const) {
      await assert.rejects(order(all, customer, notify), refusal(code), JSON.stringify(notify));
    }
    await assert.rejects(
      order(all, customer, ['https://hooks.example/x'], { schedule: undefined }),
      refusal('invalid_parameter', /requires a schedule/),
    );
    assert.deepEqual(query('SELECT id FROM schedules'), []);
  });

  test('are deleted with the account', async (t) => {
    const { all, hook, customer, query } = await scheduled(t, [status(204)]);
    await order(all, customer, [hook.url]);
    await until(async () => hook.received.length === 1);
    await all.accounts.delete(customer.account);
    for (const table of ['schedules', 'schedule_runs', 'schedule_alerts'])
      assert.deepEqual(query(`SELECT 1 FROM ${table}`), [], table);
  });
});

/** Notices over runs that have ended; the lines of `gone` are deleted, and those of others damaged for a while. */
function noticesOver(clock: FakeClock, runs: readonly string[], isDamaged: (run: string) => boolean) {
  const notified = new Map<string, Notice | null>();
  const seen = { looks: 0, created: 0, errors: [] as string[] };
  const endedRun = (job: string): EndedRun => ({
    ...{ schedule: `of ${job}`, number: 1, job, account: 'ada', endpoint: 'maps/harbour', name: null },
    ...{ lineOptions: {}, targets: [{ kind: 'mail', address }], at: 0 },
  });
  const notices = new RunNotices({
    clock,
    store: {
      async listEnded(leftOut = new Set()) {
        seen.looks += 1;
        const jobs = runs.filter((job) => !notified.has(job) && !leftOut.has(`of ${job} 1`));
        return jobs.slice(0, 16).map(endedRun);
      },
      begin: async ({ job }, notice) => void notified.set(job, notice),
    },
    lines: {
      isKept: async (job: string) => job !== 'gone',
      open: async ({ id }: { readonly id: string }) => ({
        edition: '',
        async *read() {
          if (isDamaged(id)) throw new Error('The checksum is another one.');
          yield Buffer.from('{"input":{"id":"a"},"data":{"name":"Pier"}}\n');
        },
      }),
    } as never,
    jobPage: (job) => `/jobs/${job}`,
    onCreated: () => {
      seen.created += 1;
    },
    onError: (schedule) => seen.errors.push(schedule),
  });
  notices.wake();
  return { notices, notified, seen };
}

test('a run with unreadable lines is retried and delays no other alert', async () => {
  const clock = new FakeClock();
  let isBroken = true;
  const { notices, notified, seen } = noticesOver(
    clock,
    ['damaged', 'gone', 'whole'],
    (run) => run === 'damaged' && isBroken,
  );
  while (seen.created === 0) await setImmediate();
  assert.deepEqual([...notified.keys()], ['gone', 'whole']);
  assert.deepEqual([notified.get('gone'), notified.get('whole')?.total], [null, 1]);
  assert.equal(seen.errors[0], 'of damaged');
  isBroken = false;
  await clock.advance(15_000);
  while (!notified.has('damaged')) await setImmediate();
  await notices.stop();
});

test('the next searches skip unreadable runs, so that later runs get their turn', async () => {
  const clock = new FakeClock();
  const runs = [...numbered(40, 'damaged'), 'whole'];
  const { notices, notified, seen } = noticesOver(clock, runs, (run) => run !== 'whole');
  for (let turn = 0; turn < 10 && notified.size === 0; turn += 1) await clock.advance(15_000);
  assert.deepEqual([...notified.keys()], ['whole']);
  const before = seen.looks;
  await clock.advance(10 * 60_000);
  assert.ok(seen.looks > before);
  await notices.stop();
});
