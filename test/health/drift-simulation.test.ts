import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AnswerWindow, blockAnswers } from '../../src/health/answer-window.js';
import { alarmAfter, blockDraws, quietDays, seeded, usualOf } from './histories.js';

/** Answers a week at each of 18 endpoints, with eight fields each that are not always there. */
const answersPerWeek = 1000;
const fieldsWatched = 18 * 8;
const weeks = 1000;

describe('alarms about fields, on simulated histories', () => {
  test('1,000 quiet weeks of a server give one false alarm at most', () => {
    const random = seeded(20261122);
    const draws = Array.from({ length: fieldsWatched }, (_, field) =>
      blockDraws(0.15 + (0.84 * field) / fieldsWatched),
    );
    let alarms = 0;
    for (const { share, draw } of draws) {
      const usual = usualOf(quietDays(answersPerWeek / 7, share, random));
      // The window goes on from week to week, as it does on a server; an alarm ends it.
      let window = new AnswerWindow(1);
      for (let block = 0; block < (weeks * answersPerWeek) / blockAnswers; block += 1) {
        window.push({ at: 1, answers: blockAnswers, filled: [draw(random)] });
        if (window.fallOf(0, usual) === null) continue;
        alarms += 1;
        window = new AnswerWindow(1);
      }
    }
    assert.ok(alarms <= 1, `${alarms} false alarms in ${weeks} weeks`);
  });

  test('1,000 real falls by half are noticed within 200 answers, from a usual share of 60 % up', () => {
    const random = seeded(7);
    const delays: number[] = [];
    for (let history = 0; history < 1000; history += 1) {
      const share = 0.61 + 0.38 * random();
      const usual = usualOf(quietDays(answersPerWeek / 7, share, random));
      const window = new AnswerWindow(1);
      assert.equal(alarmAfter(window, usual, answersPerWeek, share, random), null);
      const after = alarmAfter(window, usual, 1000, share / 2, random);
      assert.ok(after !== null, `a fall from ${share} was not noticed`);
      delays.push(after);
    }
    const late = delays.filter((delay) => delay > 200);
    assert.deepEqual(late, []);
  });

  test('a rarer field takes longer, and is noticed within the thousand answers that are kept', () => {
    const random = seeded(9);
    for (let history = 0; history < 300; history += 1) {
      const share = 0.3 + 0.3 * random();
      const usual = usualOf(quietDays(answersPerWeek / 7, share, random));
      assert.ok(alarmAfter(new AnswerWindow(1), usual, 1000, share / 2, random) !== null, String(share));
    }
  });

  test('days that people ask about other subjects raise nothing, and a field that vanishes still does', () => {
    const random = seeded(11);
    let alarms = 0;
    for (let history = 0; history < 300; history += 1) {
      const changing = () => 0.45 + 0.4 * random();
      const days = Array.from({ length: 28 }, () => quietDays(200, changing(), random)[0] ?? assert.fail());
      const usual = usualOf(days);
      const window = new AnswerWindow(1);
      for (let day = 0; day < 7; day += 1) {
        if (alarmAfter(window, usual, 200, changing(), random) !== null) alarms += 1;
      }
      assert.ok(alarmAfter(window, usual, 1000, 0.01, random) !== null);
    }
    assert.equal(alarms, 0);
  });
});
