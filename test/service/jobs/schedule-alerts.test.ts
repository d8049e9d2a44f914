import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { verifyWebhook } from '../../../lib/webhook.js';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { SmtpMailer } from '../../../src/service/accounts/mail/smtp-mailer.js';
import { InputTexts } from '../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../src/service/jobs/job-request.js';
import { AlertStore } from '../../../src/service/jobs/schedules/alerts/alert-store.js';
import { submitJob } from '../../../src/service/jobs/submit-job.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { mailServer } from '../../support/mail-server.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { type Customer, type JobsHarness, rows, until } from './harness.js';
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
  return { clock, hook, mailer, all, customer };
}

/** Makes a schedule that tells these targets. */
async function order({ jobs }: JobsHarness, { account }: Customer, notify: unknown, more = {}) {
  const body = { endpoint: 'maps/harbour', schedule: '6h', notify, ...more };
  const request = await parseJobRequest(
    { ...body, inputs: new InputTexts(['{"id":"a"}', '{"id":"b"}']) },
    rows,
    account,
  );
  const submission = { account, key: undefined, request, idempotencyKey: undefined };
  await submitJob(jobs, submission, () => '');
  const [schedule] = (await jobs.schedules.list(account, 1, undefined)).schedules;
  assert.ok(schedule);
  return schedule;
}

describe('the alerts of a schedule', () => {
  test('tell each target once of a run, signed, tried as webhooks are, and shown without secrets', async (t) => {
    const { clock, hook, mailer, all, customer } = await scheduled(t, [status(503), status(204)]);
    const schedule = await order(all, customer, [hook.url, address]);
    assert.deepEqual(schedule.notify, [`webhook: hooks.example:${hook.port}/…`, `mail: ${address}`]);
    const alerts = async () => {
      const { runs } = await all.jobs.schedules.listRuns(customer.account, schedule.id, 1, undefined);
      return runs[0]?.alerts ?? [];
    };
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
    assert.deepEqual(
      [body.type, body.schedule, body.total, body.items[0].input],
      ['alert', schedule.id, 2, { id: 'a' }],
    );
    assert.equal(body.all_at, `https://extract.example/dashboard/jobs/${body.job}`);
    const [secret = ''] = await all.jobs.webhooks.secrets.list(customer.account);
    const signature = String(second?.headers['extract-signature']);
    assert.ok(verifyWebhook({ body: second?.body ?? '', signature, secret, now: second?.at ?? 0 }));
    const sent = mailer.mails.map(({ to, subject }) => [to, subject]);
    assert.deepEqual(sent, [[address, '2 found: maps/harbour']]);
    // A delivered alert is not stored any longer.
    const notices = all.opened.database.db.prepare('SELECT notice FROM schedule_runs').pluck().all();
    assert.deepEqual(notices, [null]);
    assert.deepEqual(all.errors, []);
  });

  test('are tried again where the receiver fails, hangs or redirects, and given up where it refuses', async (t) => {
    const behaviours = [status(500), hang, status(302, { location: 'https://hooks.example/' }), status(410)];
    const { clock, hook, all, customer } = await scheduled(t, behaviours);
    const schedule = await order(all, customer, [`slack:${hook.url}`]);
    const alert = async () =>
      (await all.jobs.schedules.listRuns(customer.account, schedule.id, 1, undefined)).runs[0]?.alerts[0];
    const seen: unknown[] = [];
    for (let attempt = 1; attempt <= behaviours.length; attempt += 1) {
      await until(async () => hook.received.length === attempt);
      if (behaviours[attempt - 1] === hang) await clock.advance(15_000);
      await until(async () => (await alert())?.attempts === attempt);
      const { state, error, next_attempt_at: next } = (await alert()) ?? {};
      seen.push([state, error, next == null ? null : Date.parse(next) - clock.now()]);
      if (next != null) await clock.advance(Date.parse(next) - clock.now());
    }
    assert.deepEqual(seen, [
      ['pending', 'The receiver responded with status 500.', 2000],
      ['pending', 'No response within 15 seconds.', 4000],
      ['pending', 'The receiver redirects; redirects are not followed.', 8000],
      ['failed', 'The receiver responded with status 410.', null],
    ]);
    assert.equal(hook.received.length, 4);
  });

  test('are over once one was taken, though another process that made the same attempt went on', async (t) => {
    const { clock, hook, all, customer } = await scheduled(t, [hang]);
    const schedule = await order(all, customer, [hook.url]);
    const alert = async () =>
      (await all.jobs.schedules.listRuns(customer.account, schedule.id, 1, undefined)).runs[0]?.alerts[0];
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

  test('go by mail through a real server, again after it refuses for now and after it hangs', async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    let attempts = 0;
    const server = await mailServer(t, {
      ...{ disabledCommands: ['STARTTLS'], authOptional: true },
      onMailFrom(_address, _session, done) {
        attempts += 1;
        if (attempts === 1) done(Object.assign(new Error('Come back later'), { responseCode: 451 }));
        else if (attempts > 2) done();
      },
    });
    const { mail } = readHostingConfig({
      EXTRACT_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      EXTRACT_MAIL_FROM: 'shop@example.com',
    });
    assert.ok(mail);
    const maxMs = 20_000;
    const mailer = new SmtpMailer({
      ...{ ...mail, clock, timeouts: { connectMs: 600_000, silenceMs: 600_000, maxMs } },
    });
    const all = await hooked(t, clock, { mailer, emailOf: async () => address });
    const customer = await all.customer(10_000);
    const schedule = await order(all, customer, [address]);
    const alert = async () =>
      (await all.jobs.schedules.listRuns(customer.account, schedule.id, 1, undefined)).runs[0]?.alerts[0];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await until(async () => attempts === attempt);
      if (attempt === 2) await clock.advance(maxMs);
      await until(async () => (await alert())?.attempts === attempt);
      const next = (await alert())?.next_attempt_at;
      if (next != null) await clock.advance(Date.parse(next) - clock.now());
      all.jobs.wake();
    }
    await until(async () => (await alert())?.state === 'delivered');
    const subjects = server.mails.map(({ subject }) => subject);
    assert.deepEqual(subjects, ['2 found: maps/harbour']);
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

  test('of a run without news tell nobody', async (t) => {
    const { clock, hook, all, customer } = await scheduled(t, [status(204)]);
    const schedule = await order(all, customer, [hook.url], { new: true });
    const runs = async () =>
      (await all.jobs.schedules.listRuns(customer.account, schedule.id, 10, undefined)).runs;
    await until(async () => (await runs())[0]?.alerts[0]?.state === 'delivered');
    clock.set(clock.now() + 6 * 3_600_000);
    all.jobs.wake();
    await until(async () => (await runs()).length === 2);
    const untold = all.opened.database.db
      .prepare('SELECT count(*) FROM schedule_runs WHERE told = 0')
      .pluck();
    await until(async () => untold.get() === 0);
    const [second] = await runs();
    assert.deepEqual(second?.alerts, []);
    assert.equal(hook.received.length, 1);
  });

  test('go to no address that is not public, to no other person, and need a schedule', async (t) => {
    const { all, customer } = await scheduled(t, [status(204)]);
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
    const { db } = all.opened.database;
    assert.equal(db.prepare('SELECT count(*) FROM schedules').pluck().get(), 0);
  });

  test('are deleted with the account', async (t) => {
    const { all, hook, customer } = await scheduled(t, [status(204)]);
    await order(all, customer, [hook.url]);
    await until(async () => hook.received.length === 1);
    await all.accounts.delete(customer.account);
    const { db } = all.opened.database;
    for (const table of ['schedules', 'schedule_runs', 'schedule_alerts']) {
      assert.equal(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
    }
  });
});
