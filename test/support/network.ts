import type { TestContext } from 'node:test';
import { gapOf } from '../../lib/web/gap.js';
import { createNetwork, type NetworkOptions } from '../../lib/web/network.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { FakeClock } from './fake-clock.js';

/** The network without pace and cooldowns, on the test's clock; closed at the end of the test. */
export function network(t: TestContext, over: Partial<NetworkOptions> = {}): PageSource {
  const source = createNetwork({
    userAgent: 'test/1',
    pace: (site, surface) => gapOf(site, surface, { paceMs: {}, concurrency: {} }),
    timeouts: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000, totalMs: 60_000 },
    cooldownMs: 0,
    proxy: {},
    clock: new FakeClock(),
    random: () => 0.5,
    ...over,
  });
  t.after(() => source.close());
  return source;
}
