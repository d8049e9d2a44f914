import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AnswerWindow, blockAnswers } from '../../src/health/answer-window.js';
import {
  alarmAfter,
  baselineOf,
  blockDraws,
  halfNats,
  informedAlarmAfter,
  quietDays,
  seeded,
} from './histories.js';

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
      const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
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
      const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
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
      const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
      assert.ok(alarmAfter(new AnswerWindow(1), usual, 1000, share / 2, random) !== null, String(share));
    }
  });

  test('a rarer field takes as long as chance demands: no test with as few false alarms is much sooner', () => {
    const random = seeded(3);
    // One false alarm in 1,000 weeks of all fields together is one in so many answers of a single one.
    const between = fieldsWatched * weeks * answersPerWeek;
    const mean = (delays: readonly number[]) => delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
    for (const share of [0.2, 0.3, 0.41, 0.5, 0.61]) {
      const [own, informed]: [number[], number[]] = [[], []];
      for (let history = 0; history < 300; history += 1) {
        const usual = baselineOf(quietDays(answersPerWeek / 7, share, random));
        const window = new AnswerWindow(1);
        alarmAfter(window, usual, answersPerWeek, share, random);
        own.push(alarmAfter(window, usual, 3000, share / 2, random) ?? 3000);
        informed.push(informedAlarmAfter(share, between, random));
      }
      // The mean that a test needs where alarms by chance are rare (Lorden 1971).
      const bound = Math.log(between) / halfNats(share);
      assert.ok(mean(own) <= 1.15 * bound, `${share}: ${mean(own)} answers, ${bound} by theory`);
      assert.ok(
        mean(own) <= 1.6 * mean(informed),
        `${share}: ${mean(own)} answers, ${mean(informed)} by an informed test`,
      );
      // Within 200 answers whatever comes: not below 60 %, even for a test that is told what it looks for.
      const late = informed.filter((delay) => delay > 200).length;
      if (share <= 0.41) assert.ok(late > 0.1 * informed.length, `${share}: ${late} late`);
      if (share <= 0.3) assert.ok(late > 0.5 * informed.length, `${share}: ${late} late`);
    }
  });

  test('days that people ask about other subjects raise nothing, and a field that vanishes still does', () => {
    const random = seeded(11);
    let alarms = 0;
    for (let history = 0; history < 300; history += 1) {
      const changing = () => 0.45 + 0.4 * random();
      const days = Array.from({ length: 28 }, () => quietDays(200, changing(), random)[0] ?? assert.fail());
      const usual = baselineOf(days);
      const window = new AnswerWindow(1);
      for (let day = 0; day < 7; day += 1) {
        if (alarmAfter(window, usual, 200, changing(), random) !== null) alarms += 1;
      }
      assert.ok(alarmAfter(window, usual, 1000, 0.01, random) !== null);
    }
    assert.equal(alarms, 0);
  });
});
