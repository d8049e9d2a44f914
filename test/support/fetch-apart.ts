import { gapOf } from '../../lib/web/gap.js';
// A separate process that fetches the URL of its argument, for settings that Node only reads at start-up.

import { ExtractError } from '../../lib/errors/extract-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { createNetwork } from '../../lib/web/network.js';
import type { ProxySettings } from '../../lib/web/proxies.js';
import { testSite } from './site.js';

const { urls, proxy } = JSON.parse(process.argv[2] ?? '') as { urls: string[]; proxy: ProxySettings };
const source = createNetwork({
  userAgent: 'test/1',
  pace: (site, surface) => gapOf(site, surface, { paceMs: {}, concurrency: {} }),
  timeouts: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000, totalMs: 20_000 },
  cooldownMs: 0,
  proxy,
  clock: systemClock,
  random: Math.random,
});
const site = testSite({ surfaces: { page: { ms: 0, concurrency: 1 } } });
const results: string[] = [];
for (const url of urls) {
  try {
    results.push((await source.open(site).fetch({ url })).text());
  } catch (error) {
    results.push(error instanceof ExtractError ? `${error.code}: ${error.message}` : String(error));
  }
}
await source.close();
process.stdout.write(JSON.stringify(results));
