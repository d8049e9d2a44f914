import { describe } from 'node:test';
import { FakeClock } from '../../support/fake-clock.js';
import { jobsHarness } from './harness.js';
import { linksSuite } from './links-port.js';

describe('shared links of a data directory', () => {
  linksSuite(async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    return { ...(await jobsHarness(t, { clock })), clock, pauseMs: 0 };
  });
});
