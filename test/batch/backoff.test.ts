import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Backoff, type BackoffPeriod, type OnRefusal } from '../../lib/batch/backoff.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { CooldownRefusal } from '../../lib/web/cooldown-refusal.js';
import { FakeClock } from '../support/fake-clock.js';

const never = new AbortController().signal;

const refusal = (details: { readonly retryAfter?: number } = {}) =>
  new ExtractError('platform_rate_limited', undefined, details);

const hour = 3_600_000;

function refusing(onRefusal: OnRefusal = 'wait', firstMs = 30_000, waitAtMostMs = 12 * hour) {
  const clock = new FakeClock();
  const periods: BackoffPeriod[] = [];
  return {
    clock,
    periods,
    backoff: new Backoff(onRefusal, firstMs, clock, (period) => periods.push(period), waitAtMostMs),
  };
}

describe('a platform that refuses a batch', () => {
  test('by calls that were under way together refuses once', () => {
    const { periods, backoff } = refusing();
    for (let at = 0; at < 20; at += 1) assert.equal(backoff.recordRefusal(refusal({ retryAfter: 10 })), 0);
    assert.equal(periods.length, 1);
  });

  test('again and again is waited for in pauses that grow to an hour, twelve hours in all', async () => {
    const { clock, periods, backoff } = refusing('wait', 60_000);
    const begin = clock.now();
    let before = begin;
    const minutes: number[] = [];
    for (;;) {
      try {
        backoff.recordRefusal(refusal());
      } catch {
        break;
      }
      const { until } = periods.at(-1) as BackoffPeriod;
      minutes.push((until - before) / 60_000);
      await clock.advance(until - before);
      before = until;
    }
    assert.deepEqual(minutes.slice(0, 8), [1, 2, 4, 8, 16, 32, 60, 60]);
    assert.equal(clock.now() - begin, 12 * hour);
  });

  test('for one page delays that input; for a second one since the last answer, all inputs', async () => {
    const { clock, periods, backoff } = refusing();
    const blocked = new ExtractError('platform_blocked');
    assert.equal(backoff.recordRefusal(blocked), 30_000);
    await backoff.wait(never);
    assert.deepEqual(clock.slept, []);
    backoff.recordAnswer();
    assert.equal(backoff.recordRefusal(blocked), 30_000);
    assert.equal(backoff.recordRefusal(blocked), 0);
    // Both pauses end together, and are reported as one.
    assert.equal(periods.length, 1);
    const waiting = backoff.wait(never);
    await clock.advance(30_000);
    await waiting;
  });

  test('that mentions the address or a time delays all inputs immediately', () => {
    for (const details of [{ scope: 'address' }, { retryAfter: 5 }] as const) {
      const blocked = new ExtractError('platform_blocked', undefined, details);
      assert.equal(refusing().backoff.recordRefusal(blocked), 0);
    }
  });
});

test('an input stopped by a cool-down reports the refusal that started it', () => {
  const backoff = new Backoff('fail', 60_000, new FakeClock(), () => undefined);
  const cooldown = new CooldownRefusal('platform_blocked', 'maps refused', [], 60);
  const pause = cooldown.within('req_2', 'https://docs');
  assert.equal(backoff.causeOf(pause), pause);
  backoff.recordRefusal(new ExtractError('platform_rate_limited', 'The platform answered 429.'));
  backoff.recordRefusal(pause);
  const told = backoff.causeOf(pause);
  assert.match(told.message, /^The platform answered 429\./);
  assert.deepEqual([told.code, told.requestId], ['platform_rate_limited', 'req_2']);
});

test('an input stopped by another process’s cool-down reports the first and the last refusal', () => {
  const backoff = new Backoff('fail', 60_000, new FakeClock(), () => undefined);
  const causes = ['The platform asks for a captcha.', 'The platform returned HTTP 403 and no page.'];
  const pause = new CooldownRefusal('platform_blocked', 'maps refused', causes, 60);
  const told = backoff.causeOf(pause.within('req_3', 'https://docs'));
  assert.equal(told.message, causes.join(' Then: '));
  assert.deepEqual([told.code, told.requestId, told.retryAfter], ['platform_blocked', 'req_3', 60]);
});
