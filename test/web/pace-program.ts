import { subscribe } from 'node:diagnostics_channel';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { preloadModules } from '../../lib/preload.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { DatabasePaceStore } from '../../lib/web/database-pace-store.js';
import { createNetwork } from '../../lib/web/network.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import type { PageSession } from '../../lib/web/page-source.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { testSite } from '../support/site.js';

/**
 * A process that requests so many moments at the pace of its data directory, or of a database. It writes a line for each that it
 * reserves. One JSON argument says how.
 */
interface PacePlan {
  readonly home: string;
  /** Database URL, if there is a database. */
  readonly url?: string;
  readonly origin: string;
  readonly ms: number;
  readonly cooldownMs: number;
  readonly count: number;
}

const { home, url, origin, ms, cooldownMs, count } = JSON.parse(process.argv[2] ?? '') as PacePlan;
const store: PaceStore =
  url === undefined
    ? paceInFile(home, systemClock)
    : new DatabasePaceStore(await Postgres.open({ url, connections: 3 }, systemClock), {
        clock: systemClock,
      });
const { reserve } = store;
store.reserve = async (platform, pace, instead) => {
  const turn = await reserve.call(store, platform, pace, instead);
  console.log(JSON.stringify({ at: turn.at, instead }));
  return turn;
};
// When a request leaves, by the machine's clock: what comes after is the network's.
if (url !== undefined) {
  // As a server does before it listens: else the first request would leave late after its turn.
  await preloadModules({}, 'database');
  subscribe('undici:client:sendHeaders', () =>
    console.log(JSON.stringify({ sent: performance.timeOrigin + performance.now() })),
  );
}
const source = createNetwork({
  userAgent: 'test/1',
  pace: () => ({ ms, concurrency: 2 }),
  timeouts: { connectMs: 5000, headersMs: 5000, bodyMs: 5000, totalMs: 20_000 },
  cooldownMs,
  proxy: {},
  clock: systemClock,
  random: Math.random,
  paceStore: store,
});
for (let at = 0; at < count; at += 1) {
  let session: PageSession | undefined;
  try {
    session = source.open(testSite());
    const { status } = await session.fetch({ url: `${origin}/` });
    if (status === 429) throw new ExtractError('platform_rate_limited');
    session.end();
  } catch (error) {
    session?.end(error);
    // Asks all the time, unlike a batch: the cool-down alone holds it back.
    await systemClock.sleep(20);
  }
}
await source.close();
