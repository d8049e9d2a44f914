import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RecentMinutes } from '../../../src/service/monitoring/recent-minutes.js';
import { FakeClock } from '../../support/fake-clock.js';

const minute = 60_000;

describe('the calls of the last fifteen minutes', () => {
  test('are counted, failures by code, and forgotten a minute at a time', async () => {
    const clock = new FakeClock();
    const recent = new RecentMinutes(clock);
    assert.deepEqual(recent.sums(), { answered: 0, failed: 0, codes: [], latency: null });
    recent.countAnswer(null);
    recent.countAnswer(100);
    recent.countFailure('rate_limited');
    await clock.advance(14 * minute);
    recent.countFailure('platform_blocked');
    recent.countFailure('platform_blocked');
    const { answered, failed, codes, latency } = recent.sums();
    assert.deepEqual([answered, failed], [2, 3]);
    assert.deepEqual(codes, [
      { code: 'platform_blocked', count: 2 },
      { code: 'rate_limited', count: 1 },
    ]);
    assert.ok(latency !== null && latency.p50 >= 100 && latency.p50 <= 110);
    await clock.advance(minute);
    assert.deepEqual(recent.sums(), {
      ...{ answered: 0, failed: 2, latency: null },
      codes: [{ code: 'platform_blocked', count: 2 }],
    });
    await clock.advance(15 * minute);
    assert.equal(recent.sums().failed, 0);
  });

  test('have the percentiles of their durations, to a tenth', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 120_000 }), { minLength: 1, maxLength: 300 }), (all) => {
        const recent = new RecentMinutes(new FakeClock());
        for (const ms of all) recent.countAnswer(ms);
        const sorted = all.toSorted((a, b) => a - b);
        const { latency } = recent.sums();
        for (const [share, percentile] of [
          [0.5, latency?.p50],
          [0.95, latency?.p95],
          [0.99, latency?.p99],
        ] as const) {
          const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
          assert.ok(
            percentile !== undefined && percentile >= exact - 1 && percentile <= exact * 1.1 + 1,
            `${share}: ${percentile} for ${exact}`,
          );
        }
      }),
      { numRuns: 200, seed: 20261122 },
    );
  });
});
