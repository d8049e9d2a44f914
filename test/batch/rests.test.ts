import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Backoff, type OnRefusal, type Rest } from '../../lib/batch/backoff.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { FakeClock } from '../support/fake-clock.js';

const never = new AbortController().signal;

function refusal(retryAfter?: number): ExtractError {
  return new ExtractError('platform_blocked', undefined, retryAfter === undefined ? {} : { retryAfter });
}

function resting(onRefusal: OnRefusal = 'wait', firstMs = 30_000) {
  const clock = new FakeClock();
  const told: Rest[] = [];
  return { clock, told, rests: new Backoff(onRefusal, firstMs, clock, (rest) => told.push(rest)) };
}

describe('a platform that refuses a batch', () => {
  test('is waited for as long as it asks, and then asked again', async () => {
    const { clock, told, rests } = resting();
    assert.equal(rests.recordRefusal(refusal(40)), true);
    let over = false;
    const waiting = rests.wait(never).then(() => {
      over = true;
    });
    await clock.advance(39_999);
    assert.equal(over, false);
    await clock.advance(1);
    await waiting;
    assert.equal(told[0]?.until, Date.parse('2026-01-01T00:00:40Z'));
  });

  test('is waited for as long as the door rests where nobody says how long', async () => {
    const { clock, rests } = resting('wait', 7000);
    rests.recordRefusal(refusal());
    const waiting = rests.wait(never);
    await clock.advance(7000);
    await waiting;
    assert.deepEqual(clock.slept, [7000]);
  });

  test('is left alone for a minute even where the door takes no rests', async () => {
    const { clock, rests } = resting('wait', 0);
    rests.recordRefusal(refusal());
    const waiting = rests.wait(never);
    await clock.advance(60_000);
    await waiting;
    assert.deepEqual(clock.slept, [60_000]);
  });

  test('by calls that were under way together refuses once', () => {
    const { told, rests } = resting();
    for (let at = 0; at < 20; at += 1) assert.equal(rests.recordRefusal(refusal(10)), true);
    assert.equal(told.length, 1);
  });

  test('is not waited for longer than a quarter of an hour: the batch stops with the refusal', () => {
    const { told, rests } = resting();
    assert.throws(() => rests.recordRefusal(refusal(901)), { code: 'platform_blocked', retryAfter: 901 });
    assert.deepEqual(told, []);
  });

  test('a fourth time in a row, with no answer in between, ends the waiting', async () => {
    const { clock, rests } = resting();
    for (let times = 0; times < 3; times += 1) {
      assert.equal(rests.recordRefusal(refusal(5)), true);
      await clock.advance(5000);
    }
    assert.throws(() => rests.recordRefusal(refusal(5)), { code: 'platform_blocked' });
  });

  test('an answer in between begins the count anew', async () => {
    const { clock, rests } = resting();
    for (let times = 0; times < 9; times += 1) {
      assert.equal(rests.recordRefusal(refusal(5)), true);
      await clock.advance(5000);
      rests.recordAnswer();
    }
  });

  test('stops the batch at once where that is wanted', () => {
    assert.throws(() => resting('stop').rests.recordRefusal(refusal(5)), { code: 'platform_blocked' });
  });

  test('fails the input where that is wanted, and nobody waits', async () => {
    const { clock, rests } = resting('fail');
    assert.equal(rests.recordRefusal(refusal(5)), false);
    await rests.wait(never);
    assert.deepEqual(clock.slept, []);
  });

  test('is not waited for any more by a batch that is stopped', async () => {
    const { rests } = resting();
    rests.recordRefusal(refusal(50));
    const stop = new AbortController();
    const waiting = rests.wait(stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
  });

  test('is waited for as long as it lasts when the clock was set back', async () => {
    const { clock, rests } = resting();
    rests.recordRefusal(refusal(60));
    clock.set(Date.parse('2020-01-01T00:00:00Z'));
    const stop = new AbortController();
    const waiting = rests.wait(stop.signal);
    assert.deepEqual(clock.slept, [60_000]);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting);
  });
});
