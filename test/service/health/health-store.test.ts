import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { noOutcomes, type OutcomeCounts } from '../../../src/service/health/call-outcome.js';
import type { CanaryResult } from '../../../src/service/health/canary.js';
import { forgetInHealth } from '../../../src/service/health/forget-in-health.js';
import type { HealthDay } from '../../../src/service/health/health-day.js';
import { StoredHealth } from '../../../src/service/health/health-log.js';
import { healthSchema } from '../../../src/service/health/health-schema.js';
import type { FieldAlert, HealthNow } from '../../../src/service/health/health-store.js';
import type { MinuteCalls } from '../../../src/service/health/recent-calls.js';
import { databaseKinds } from '../../support/databases.js';
import { FakeClock } from '../../support/fake-clock.js';

const clock = new FakeClock(Date.UTC(2026, 10, 21));
const minutes = { ok: 5, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 1 };

const day = (over: Partial<HealthDay> = {}): HealthDay => ({
  ...{ endpoint: 'maps/place', day: '2026-11-20', minutes, answers: 10, filled: { phone: 6.5 } },
  outcomes: { ...noOutcomes(), answered: 10 },
  ...over,
});

const minute = (at: number, counts: Partial<OutcomeCounts>, codes: MinuteCalls['codes']): MinuteCalls => ({
  ...{ minute: at, counts: { ...noOutcomes(), ...counts }, codes },
});

const error = (at: string): HealthNow['errors'][number] => ({
  ...{ at, code: 'platform_blocked', message: 'No.', seen: '' },
});

const canary = (at: number, outcome: CanaryResult['outcome']): CanaryResult => ({
  ...{ at, outcome, code: null, problems: [], filled: 1, fields: 1, source: 'network', seconds: 1 },
});

const standing = (state: HealthNow['state'], over: Partial<HealthNow> = {}): HealthNow => ({
  ...{ endpoint: 'maps/place', state, since: 7, reasons: ['so'], canary: null },
  errors: [error('2026-11-20T00:00:00.000Z')],
  minutes: [minute(9, { refused: 2 }, { platform_blocked: 2 })],
  hours: [{ hour: 7, answers: 10, filled: [6.5] }],
  ...over,
});

const alert = (over: Partial<FieldAlert> = {}): FieldAlert => ({
  ...{ endpoint: 'maps/place', field: 'phone', since: Date.UTC(2026, 10, 20), usual: 0.61, share: 0.12 },
  ...{ answers: 200, ended: null, accepted: false },
  ...over,
});

for (const { name, skip, make } of databaseKinds) {
  describe(`the history of endpoints in ${name}`, { skip }, () => {
    /** Opens an empty store for three processes. */
    async function open(): Promise<[StoredHealth, StoredHealth, StoredHealth]> {
      const database = await make(healthSchema);
      const store = async () => new StoredHealth(await database(), clock);
      return [await store(), await store(), await store()];
    }

    test('adds counts to days', async () => {
      const [one, other] = await open();
      await one.add([day(), day({ endpoint: 'maps/places' })], []);
      await other.add([day({ filled: { phone: 1, website: 2 } })], []);
      const { days } = await one.load('2026-11-20');
      assert.deepEqual(days[0], {
        ...day({ answers: 20, filled: { phone: 7.5, website: 2 } }),
        outcomes: { ...noOutcomes(), answered: 20 },
        minutes: { ok: 10, degraded: 0, unreachable: 0, refused: 0, changed: 0, unknown: 2 },
      });
      assert.equal(days.length, 2);
    });

    test('merges what processes saw into the state of an endpoint', async () => {
      const [one, other] = await open();
      const saw = (store: StoredHealth, ...now: Parameters<typeof standing>) =>
        store.add([], [standing(...now)]);
      await saw(one, 'ok', { canary: canary(9, 'ok'), errors: [error('1'), error('3')], answeredAt: 30 });
      await saw(other, 'refused', {
        ...{ since: 8, canary: canary(8, 'ok'), errors: [error('2')], answeredAt: 20 },
        minutes: [
          minute(9, { refused: 1, answered: 4 }, { platform_timeout: 1 }),
          minute(10, { answered: 1 }, {}),
        ],
        hours: [
          { hour: 5, answers: 10, filled: [2] },
          { hour: 7, answers: 10, filled: [1] },
        ],
      });
      const { now } = await one.current('2026-11-20');
      assert.deepEqual(now, [
        standing('refused', {
          ...{ since: 8, canary: canary(9, 'ok'), errors: [error('3'), error('2'), error('1')] },
          answeredAt: 30,
          minutes: [
            minute(9, { refused: 3, answered: 4 }, { platform_blocked: 2, platform_timeout: 1 }),
            minute(10, { answered: 1 }, {}),
          ],
          hours: [
            { hour: 5, answers: 10, filled: [2] },
            { hour: 7, answers: 20, filled: [7.5] },
          ],
        }),
      ]);
      assert.deepEqual((await other.load('2026-11-20')).now, now);
      // The same state from a later time on began when the first saw it.
      await saw(one, 'refused', { since: 20 });
      assert.equal((await other.current('2026-11-20')).now[0]?.since, 8);
    });

    test('forgets entries dated in the future by a clock that was set back', async () => {
      const [store] = await open();
      const at = clock.now() + 7_200_000;
      const first = Math.floor(at / 60_000);
      const ahead = standing('refused', {
        ...{ since: at, canary: canary(at, 'refused'), answeredAt: at },
        errors: Array(10).fill(error(new Date(at).toISOString())),
        minutes: Array.from({ length: 60 }, (_, one) => minute(first + one, { refused: 9 }, {})),
        hours: [{ hour: first / 60, answers: 9, filled: [0] }],
      });
      await store.add([], [ahead]);
      const nothing = { canary: null, errors: [], minutes: [], hours: [] };
      const until = standing('refused', { since: clock.now(), ...nothing });
      assert.deepEqual((await store.current('2026-11-20')).now, [until]);
      const present = standing('ok', { since: clock.now(), answeredAt: clock.now() });
      await store.add([], [present]);
      assert.deepEqual((await store.current('2026-11-20')).now, [present]);
    });

    test('loses nothing of processes that add at the same time', async () => {
      const stores = await open();
      const minutes = [minute(1, { answered: 1 }, {})];
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => stores[n % 3]?.add([], [standing('ok', { minutes })])),
      );
      const [{ minutes: [sum] = [] } = {}] = (await stores[0].current('2026-11-20')).now;
      assert.equal(sum?.counts.answered, 30);
    });

    test('forgets errors that name a subject, but no count that resembles its ID', async () => {
      const database = await (await make(healthSchema))();
      const store = new StoredHealth(database, clock);
      const kept = error('2026-11-20T00:00:00.000Z');
      const counts = standing('ok', { errors: [], minutes: [minute(29_000_000, { answered: 3 }, {})] });
      await store.add([], [{ ...counts, errors: [kept, { ...kept, seen: 'to /@baker' }] }]);
      const traces = new Traces(['tiktok:29000000', 'tiktok:@baker'].map(parseSubject));
      const forget = () => database.transaction((queries) => forgetInHealth(queries, traces));
      assert.deepEqual([await forget(), await forget()], [1, 0]);
      assert.deepEqual((await store.current('2026-11-20')).now, [{ ...counts, errors: [kept] }]);
    });

    test('loads days from one on, and sweeps earlier ones', async () => {
      const [store] = await open();
      await store.add([day({ day: '2026-08-01' }), day()], []);
      await store.raise(alert({ field: 'old', since: 1 }));
      await store.end('maps/place', 'old', 2, false);
      assert.equal((await store.load('2026-08-02')).days.length, 1);
      await store.sweep('2026-08-02');
      const { days, alerts } = await store.load('1970-01-01');
      assert.deepEqual([days.length, alerts.length], [1, 0]);
    });

    test('raises one alert a field, however many processes see it, until it has ended', async () => {
      const [one, other] = await open();
      const raised = await Promise.all([one.raise(alert()), other.raise(alert({ since: 9 }))]);
      assert.deepEqual(raised.sort(), [false, true]);
      await one.end('maps/place', 'phone', Date.UTC(2026, 10, 22), true);
      const later = alert({ since: Date.UTC(2026, 10, 23) });
      assert.equal(await other.raise(later), true);
      const { alerts } = await one.load('2026-11-20');
      const states = alerts.map(({ ended, accepted }) => `${ended} ${accepted}`);
      assert.deepEqual(states, [`${Date.UTC(2026, 10, 22)} true`, 'null false']);
    });

    test('gives the mail of an alert to one process, and again later if sending failed', async () => {
      const [one, other] = await open();
      await one.raise(alert());
      const now = 1_000_000;
      const claims = await Promise.all([one.claimMails(now), other.claimMails(now)]);
      assert.deepEqual(claims.map((claim) => claim.length).sort(), [0, 1]);
      const claimed = claims.flat();
      await one.settleMails(claimed, false, now);
      assert.deepEqual(await other.claimMails(now + 60_000), []);
      assert.equal((await other.claimMails(now + 5 * 60_000)).length, 1);
      // The one that took it was killed: after ten minutes it is due again.
      assert.equal((await one.claimMails(now + 16 * 60_000)).length, 1);
      // A clock that was set back holds up nothing, and neither one that is a little behind another's.
      assert.deepEqual(await other.claimMails(now + 15 * 60_000), []);
      assert.equal((await other.claimMails(now - 86_400_000)).length, 1);
      await one.settleMails(claimed, true, now);
      assert.deepEqual(await one.claimMails(now + 86_400_000), []);
    });

    test('sends nothing about an alert that has ended', async () => {
      const [store] = await open();
      await store.raise(alert());
      await store.end('maps/place', 'phone', 5, false);
      assert.deepEqual(await store.claimMails(10), []);
    });
  });
}
