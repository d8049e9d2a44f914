import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleDataOf } from '../../../lib/samples.js';
import { openStore } from '../../../src/compose/open-store.js';
import { DriftMail } from '../../../src/service/health/drift-mail.js';
import type { StoredHealth } from '../../../src/service/health/health-log.js';
import type { FieldAlert } from '../../../src/service/health/health-store.js';
import { HealthWatch } from '../../../src/service/health/health-watch.js';
import { FakeClock } from '../../support/fake-clock.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { seeded } from './histories.js';

const root = temporaryFolder();
const endpoint: Endpoint = endpoints.find(({ path: one }) => one === 'maps/place') ?? assert.fail();
const place = (await sampleDataOf(endpoint)) as Readonly<Record<string, unknown>>;
const dayMs = 86_400_000;
let homes = 0;

type HealthHarness = Awaited<ReturnType<typeof healthHarness>>;

async function healthHarness({
  home = path.join(root, String(++homes)),
  clock = new FakeClock(Date.UTC(2026, 8, 1)),
} = {}) {
  const { ledger, health: store } = await openStore(home, clock, 0);
  const seen = {
    alerts: [] as FieldAlert[],
    ended: [] as [string, boolean][],
    troubles: [] as unknown[],
    changes: [] as string[],
  };
  const watch = new HealthWatch({
    ...{ endpoints, store, clock, docsBase: 'https://x.test' },
    onState: ({ state }, before) => seen.changes.push(`${before} → ${state}`),
    onAlert: (alert) => seen.alerts.push(alert),
    onAlertEnd: ({ field }, accepted) => seen.ended.push([field, accepted]),
    onError: (cause) => seen.troubles.push(cause),
  });
  await watch.start();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= watch.stop().then(() => ledger.close());
    return closed;
  };
  after(close);
  const mailer = new MemoryMailer();
  const mail = new DriftMail({
    ...{ store, mailer, clock, to: 'op@example.com', publicUrl: 'https://x.test' },
    whenJudged: () => watch.whenJudged(),
    reportOf: (name) => watch.reports().find((report) => report.endpoint === name),
    onError: (cause) => seen.troubles.push(cause),
  });
  return {
    ...{ ...seen, watch, store, clock, home, close, mail, mails: mailer.mails },
    report: () => watch.report(endpoint),
    /** How often the phone is usually there. */
    usual: () => watch.report(endpoint).fields.find(({ field }) => field === 'phone')?.usual ?? Number.NaN,
    pass: (ms: number) => clock.set(clock.now() + ms),
  };
}

/** Lets answers come of which a part holds the phone. */
function answers(
  { watch, clock }: Pick<HealthHarness, 'watch' | 'clock'>,
  count: number,
  share: number,
  random = seeded(count),
): void {
  for (let one = 0; one < count; one += 1) {
    clock.set(clock.now() + 1000);
    watch.onFetched(endpoint, { ...place, phone: random() < share ? '030' : null });
  }
}

/** Weeks in which the field was as usual. */
async function quietWeeks(one: HealthHarness, days = 35, share = 0.61): Promise<void> {
  const random = seeded(3);
  for (let day = 0; day < days; day += 1) {
    answers(one, 60, share, random);
    one.pass(dayMs);
    await one.watch.tick();
  }
}

describe('a field that falls', () => {
  test('raises one alert and one mail, makes the endpoint degraded with its name, and ends when it is back', async () => {
    const one = await healthHarness();
    await quietWeeks(one);
    assert.deepEqual(one.alerts, []);
    assert.ok(Math.abs(one.usual() - 0.61) < 0.03, String(one.usual()));
    answers(one, 200, 0.12);
    await one.watch.tick();
    await one.mail.send();
    const fields = one.alerts.map(({ endpoint: name, field }) => [name, field]);
    assert.deepEqual(fields, [['maps/place', 'phone']]);
    assert.equal(one.report().state, 'degraded');
    assert.match(one.report().reasons[0] ?? '', /^phone was filled in \d+% of the answers; usually 6\d%\.$/);
    answers(one, 400, 0.12);
    await one.watch.tick();
    assert.equal(one.alerts.length, 1);
    await one.mail.send();
    const [{ to, subject, text } = assert.fail(), ...more] = one.mails;
    assert.deepEqual(
      [to, subject, more],
      ['op@example.com', 'maps/place: phone is missing from answers', []],
    );
    assert.match(text, /- maps\/place: phone was filled in \d+% of \d+ answers; usually 6\d% \(seen /);
    assert.match(text, /extract doctor --live maps\/place --save DIR/);
    // What came in the hour of the alert is neither before nor after it.
    one.pass(3_600_000);
    answers(one, 400, 0.61);
    await one.watch.tick();
    assert.deepEqual(one.ended, [['phone', false]]);
    assert.equal(one.report().state, 'ok');
    assert.deepEqual(one.changes, ['unknown → degraded', 'degraded → ok']);
    assert.deepEqual(one.troubles, []);
  });

  test('survives a restart, and becomes the baseline after three weeks', async () => {
    const one = await healthHarness();
    await quietWeeks(one);
    answers(one, 200, 0.12);
    await one.watch.tick();
    await one.close();
    const other = await healthHarness({ home: one.home, clock: one.clock });
    const fields = other.report().fallen.map(({ field }) => field);
    assert.deepEqual(fields, ['phone']);
    assert.equal(other.report().state, 'degraded');
    const random = seeded(5);
    for (let day = 0; day < 22; day += 1) {
      other.pass(dayMs);
      answers(other, 60, 0.12, random);
      await other.watch.tick();
    }
    assert.deepEqual(other.ended, [['phone', true]]);
    assert.deepEqual(other.alerts, []);
    other.pass(dayMs);
    await other.watch.tick();
    assert.ok(other.usual() < 0.25, String(other.usual()));
    answers(other, 400, 0.12);
    await other.watch.tick();
    assert.deepEqual(other.alerts, []);
  });
});

test('a value that goes wrong without becoming null is noticed: a count that is 0 for everybody', async () => {
  const one = await healthHarness();
  await quietWeeks(one, 12, 1);
  for (let answer = 0; answer < 40; answer += 1) {
    one.pass(1000);
    one.watch.onFetched(endpoint, { ...place, phone: '030', user_ratings_total: 0 });
  }
  await one.watch.tick();
  const shares = one.alerts.map(({ field, share }) => [field, share]);
  assert.deepEqual(shares, [['user_ratings_total>0', 0]]);
  const reason = /^user_ratings_total was above 0 in 0% of the answers; usually 100%\.$/;
  assert.match(one.report().reasons[0] ?? '', reason);
});

describe('an endpoint that gives no answers', () => {
  /** Minutes of calls that all fail, on all endpoints or on some. */
  async function failing(one: HealthHarness, minutes: number, perMinute: number, of: readonly Endpoint[]) {
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let call = 0; call < perMinute; call += 1) {
        one.pass(60_000 / perMinute);
        for (const failed of of) one.watch.onFetchFailed(failed, new ExtractError('platform_blocked'));
      }
      await one.watch.tick();
    }
  }
  const [alive, ...dead] = endpoints as unknown as [Endpoint, ...Endpoint[]];

  test('changes its state within a minute after ten failures in a row, whatever the hour was like', async () => {
    const one = await healthHarness();
    for (let call = 0; call < 2700; call += 1) {
      one.pass(1000);
      one.watch.onFetched(endpoint, place);
    }
    await one.watch.tick();
    assert.equal(one.report().state, 'ok');
    await failing(one, 1, 9, [endpoint]);
    assert.equal(one.report().state, 'ok');
    await failing(one, 1, 1, [endpoint]);
    assert.partialDeepStrictEqual(one.report(), {
      ...{ state: 'refused', reasons: ['The last 10 calls failed, the newest with platform_blocked.'] },
    });
    // Another process of the directory knows it at once.
    await one.watch.publish();
    const other = await healthHarness({ home: one.home, clock: one.clock });
    await other.watch.tick();
    assert.equal(other.report().state, 'refused');
    one.pass(1000);
    one.watch.onFetched(endpoint, place);
    await one.watch.tick();
    assert.equal(one.report().state, 'ok');
  });

  test('recovers even if the clock was ahead', async () => {
    const one = await healthHarness();
    one.pass(dayMs);
    await failing(one, 90, 3, [endpoint]);
    assert.equal(one.report().state, 'refused');
    one.pass(-2 * dayMs);
    answers(one, 60, 1);
    await one.watch.tick();
    answers(one, 60, 1);
    await one.watch.tick();
    const { state, since, lastHour } = one.report();
    assert.deepEqual([state, lastHour?.answered], ['ok', 1]);
    assert.ok(since <= one.clock.now());
  });

  test('is mailed within ten minutes, all that failed in one mail, and once', async () => {
    const one = await healthHarness();
    for (let minute = 0; minute < 10; minute += 1) {
      await failing(one, 1, 3, dead);
      one.watch.onFetched(alive, [place]);
      await one.mail.send();
    }
    await failing(one, 60, 1, dead);
    await one.mail.send();
    const [sent, ...more] = one.mails;
    assert.deepEqual([sent?.subject, more, one.troubles], ['17 endpoints are failing', [], []]);
    const part = 'photos, place, reviews';
    const failure = '100% of the calls of the last hour failed, mostly with platform_blocked.';
    assert.ok(sent?.text.includes(`- Google Maps (${part}): ${failure} (seen `));
    assert.equal(sent?.text.match(/^- /gm)?.length, 4);
  });

  test('raises no alert for a few refused subjects, nor for five minutes of refusals', async () => {
    const one = await healthHarness();
    await failing(one, 1, 3, [endpoint]);
    for (let minute = 0; minute < 30; minute += 1) {
      one.pass(60_000);
      await one.watch.tick();
    }
    assert.deepEqual([one.report().state, one.alerts], ['refused', []]);
    const other = await healthHarness();
    await failing(other, 5, 20, [endpoint]);
    assert.equal(other.report().state, 'refused');
    answers(other, 200, 1);
    await other.watch.tick();
    assert.deepEqual(other.alerts, []);
  });
});

describe('the watch over endpoints', () => {
  test('never fails a call, whatever its data or its store', async () => {
    const troubles: unknown[] = [];
    const broken = new Proxy({} as StoredHealth, {
      get: () => async () => {
        throw new Error('no store');
      },
    });
    const clock = new FakeClock();
    const watch = new HealthWatch({
      ...{ endpoints, store: broken, clock, docsBase: 'https://x.test' },
      onError: (cause) => troubles.push(cause),
    });
    await watch.start();
    for (const data of [null, undefined, 7, 'x', [], [null], {}, place]) watch.onFetched(endpoint, data);
    watch.onFetched({ path: 'maps/elsewhere' } as unknown as Endpoint, place);
    watch.onFetchFailed(endpoint, new ExtractError('platform_blocked'));
    await watch.tick();
    assert.equal(watch.report(endpoint).lastHour?.refused !== undefined, true);
    assert.ok(troubles.length >= 2);
    await watch.stop();
  });

  test('stores later what could not be stored', async () => {
    const one = await healthHarness();
    const real = one.store;
    let isBroken = true;
    const store: StoredHealth = new Proxy(real, {
      get(target, name: keyof StoredHealth) {
        if (name === 'add' && isBroken) return async () => Promise.reject(new Error('full'));
        return target[name].bind(target);
      },
    });
    const watch = new HealthWatch({
      ...{ endpoints, store, clock: one.clock, docsBase: 'https://x.test' },
      onError: () => undefined,
    });
    answers({ watch, clock: one.clock }, 30, 1);
    await watch.tick();
    isBroken = false;
    answers({ watch, clock: one.clock }, 12, 1);
    await watch.tick();
    const { days } = await real.load('2026-01-01');
    const places = days.filter(({ endpoint: name }) => name === 'maps/place');
    assert.deepEqual(
      places.map((day) => `${day.answers} ${day.outcomes.answered}`),
      ['42 42'],
    );
  });
});
