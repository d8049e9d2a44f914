// Runs scheduled jobs in a separate process, which the tests kill while it records the jobs' items as seen.
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../lib/config.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { harbours } from '../../support/invented-rows.js';
import { writeLine } from '../../support/write-line.js';

const [home = '', url = ''] = process.argv.slice(2);
const opened =
  url === ''
    ? await openDirectory(home, systemClock, 500)
    : await openDatabase({ url, connections: 4 }, { home, clock: systemClock, trialCredits: 500 });
const config = readConfig({ home }, {});
const at = '2026-01-01T00:00:00.000Z';
const items = ['c', 'b', 'a'];
const jobs = opened.createJobs({
  services: { ...openServices(config, { ledger: opened.ledger }), docsBase: 'https://docs.example' },
  ...{ config, endpoints: [harbours], webhookAllow: [] },
  ask: async (_, __, { requestId }) => {
    await setTimeout(Math.random() * 40);
    const where = { url: null, author: null, fetched_at: at, route: null };
    return {
      source: 'platform',
      json: JSON.stringify(items.map((name) => ({ name }))),
      sources: JSON.stringify(items.map((id, index) => ({ ...where, id, position: index + 1 }))),
      meta: {
        ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
        ...{ fetched_at: at, next_cursor: null },
      },
    };
  },
  onError: (_, cause) => writeLine(`fault ${String(cause)}`),
});
jobs.start();
writeLine('ready');
