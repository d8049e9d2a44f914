import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alertNats, hasFallen } from '../../../src/service/health/fall-test.js';
import { maxDays, minAnswers } from '../../../src/service/health/field-watch.js';
import { maxHours } from '../../../src/service/health/recent-calls.js';
import { baselineOf, binomialDraws, PlayedField, quietDays, seeded } from './histories.js';

/** Answers a week at each of 18 endpoints, with sixteen things each that are watched and not always there. */
const answersPerWeek = 1000;
const answersPerHour = 6;
const fieldsWatched = 18 * 16;
/** Each nat makes an alert by chance e times rarer: fewer weeks with fewer nats say as much. */
const weeks = 200;
const quietNats = alertNats - 3;
/** Weeks in which one false alert is allowed. */
const weeksBetweenAlerts = 1000;

describe('alerts about fields, on simulated histories', () => {
  test('quiet weeks of a server give one false alert in 1,000 at most', () => {
    const random = seeded(20261122);
    let alerts = 0;
    for (let field = 0; field < fieldsWatched; field += 1) {
      const share = 0.15 + (0.84 * field) / fieldsWatched;
      const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
      const draw = binomialDraws(answersPerHour, share, random);
      const hours = new Int32Array(maxHours);
      const days = new Int32Array(maxDays);
      for (let hour = 0; hour < weeks * 7 * 24; hour += 1) {
        const day = Math.floor(hour / 24);
        const filled = draw();
        hours[hour % maxHours] = filled;
        days[day % maxDays] = (hour % 24 === 0 ? 0 : (days[day % maxDays] ?? 0)) + filled;
        if (day < maxDays) continue;
        const window = { answers: 0, filled: 0 };
        let isFallen = false;
        // The windows that `checkFields` compares.
        for (let at = 0; at < maxHours; at += 1) {
          window.answers += answersPerHour;
          window.filled += hours[(hour - at) % maxHours] ?? 0;
          isFallen ||= window.answers >= minAnswers && hasFallen(usual, window, quietNats);
        }
        for (let at = Math.floor((hour - maxHours + 1) / 24) - 1; at > day - maxDays; at -= 1) {
          window.answers += 24 * answersPerHour;
          window.filled += days[at % maxDays] ?? 0;
          isFallen ||= window.answers >= minAnswers && hasFallen(usual, window, quietNats);
        }
        if (!isFallen) continue;
        alerts += 1;
        hours.fill(Math.ceil(share * answersPerHour));
        days.fill(Math.ceil(share * answersPerHour * 24));
      }
    }
    assert.ok(alerts <= (weeks / weeksBetweenAlerts) * Math.exp(3), `${alerts} alerts at ${quietNats} nats`);
  });

  test('1,000 real falls by half are noticed within 200 answers, but for one at most, from a usual share of 60% up', () => {
    const random = seeded(7);
    const delays: number[] = [];
    for (let history = 0; history < 1000; history += 1) {
      const share = 0.61 + 0.38 * random();
      const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
      const field = new PlayedField(usual, answersPerHour, random);
      assert.equal(field.alertAfter(300, share), null);
      const after = field.alertAfter(1000, share / 2);
      assert.ok(after !== null, `a fall from ${share} was not noticed`);
      delays.push(after);
    }
    const late = delays.filter((delay) => delay > 200);
    assert.ok(late.length <= 1, String(late));
  });

  test('days that people ask about other subjects raise nothing, and a field that vanishes still does', () => {
    const random = seeded(11);
    let alerts = 0;
    for (let history = 0; history < 300; history += 1) {
      const changing = () => 0.45 + 0.4 * random();
      const days = Array.from({ length: 28 }, () => quietDays(200, changing(), random)[0] ?? assert.fail());
      const usual = baselineOf(days);
      const field = new PlayedField(usual, 200 / 24, random);
      for (let day = 0; day < 7; day += 1) {
        if (field.alertAfter(200, changing()) !== null) alerts += 1;
      }
      assert.ok(field.alertAfter(1000, 0.01) !== null);
    }
    assert.equal(alerts, 0);
  });
});
