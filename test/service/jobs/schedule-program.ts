// Runs scheduled jobs in a separate process, which the tests kill. Its clock runs a thousand times as fast.
import { readConfig } from '../../../lib/config.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { openDirectoryJobs } from '../../../src/service/jobs/sqlite/open-directory-jobs.js';
import { harbours } from '../../support/invented-rows.js';
import { writeLine } from '../../support/write-line.js';

const [home = ''] = process.argv.slice(2);
const speed = 1000;
const clock: Clock = {
  now: () => Math.floor(Date.now() * speed) - 1_700_000_000_000 * (speed - 1),
  sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  alarm: (ms, onAlarm) => systemClock.alarm(ms / speed, onAlarm),
};
const { ledger, jobStores } = await openDirectory(home, clock, 500);
const services = {
  ...openServices(readConfig({ home }, {}), { ledger }),
  clock,
  docsBase: 'https://docs.test',
};
const jobs = openDirectoryJobs({
  stores: jobStores,
  services,
  config: readConfig({ home }, {}),
  endpoints: [harbours],
  webhookAllow: [],
  // Each run finds a different item.
  ask: async (_, __, { requestId }) => ({
    source: 'platform',
    json: JSON.stringify([{ name: requestId }]),
    meta: {
      request_id: requestId,
      credits_charged: 3,
      credits_remaining: 0,
      cached: false,
      fetched_at: '2026-01-01T00:00:00.000Z',
      next_cursor: null,
    },
  }),
  onError: (_, cause) => writeLine(`fault ${String(cause)}`),
});
jobs.start();
writeLine(`ready ${clock.now()}`);
