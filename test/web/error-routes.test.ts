import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { ErrorRoute } from '../../lib/errors/outcomes.js';
import { networkDefaults } from '../../lib/web/network.js';
import { Throttle } from '../../lib/web/throttle.js';
import { stoppedClock } from '../support/cases.js';
import { uncounted } from '../support/uncounted.js';

/** A platform under the pace and the cool-down of a new installation. */
function platform() {
  const { cooldownMs } = networkDefaults;
  const page = { ms: 3000, concurrency: 1 };
  const throttle = new Throttle(
    { platform: 'photosocial', surfaces: { page } },
    {
      gap: () => page,
      cooldownMs,
      clock: stoppedClock,
      counter: uncounted,
    },
  );
  /** Returns the error code of a session that ends with an error page, or that may not start. */
  const errorPageOf = (subject: string, account?: string): string => {
    try {
      return (throttle.open('plain', { account }).end(new ErrorRoute(subject)) as ExtractError).code;
    } catch (error) {
      return `cooling down: ${(error as ExtractError).code}`;
    }
  };
  return { errorPageOf, end: (error?: unknown) => throttle.open('plain').end(error) };
}

describe('the error page instead of subjects', () => {
  test('is final for each of four, and no cool-down begins', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) assert.equal(errorPageOf(subject), 'platform_restricted');
    assert.equal(errorPageOf('a'), 'platform_restricted');
  });

  test('is a refusal of every visitor at the fifth in a row', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
    assert.equal(errorPageOf('e'), 'platform_blocked');
    assert.equal(errorPageOf('f'), 'cooling down: platform_blocked');
  });

  test('met by one account alone is a refusal of that account', () => {
    const { errorPageOf } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject, 'one');
    assert.equal(errorPageOf('e', 'one'), 'platform_blocked');
    assert.equal(errorPageOf('f', 'one'), 'cooling down: platform_blocked');
    assert.equal(errorPageOf('g', 'other'), 'platform_blocked');
    assert.equal(errorPageOf('h', 'third'), 'cooling down: platform_blocked');
  });

  test('of one repeated subject is not a refusal', () => {
    const { errorPageOf } = platform();
    for (let times = 0; times < 9; times += 1) assert.equal(errorPageOf('a'), 'platform_restricted');
  });

  test('is counted from zero after an answer, including “not found”', () => {
    for (const answer of [undefined, new ExtractError('profile_not_found')]) {
      const { errorPageOf, end } = platform();
      for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
      end(answer);
      assert.equal(errorPageOf('e'), 'platform_restricted');
    }
  });

  test('is counted on through other failures, which say nothing of it', () => {
    const { errorPageOf, end } = platform();
    for (const subject of ['a', 'b', 'c', 'd']) errorPageOf(subject);
    end(new ExtractError('platform_timeout'));
    assert.equal(errorPageOf('e'), 'platform_blocked');
  });
});
