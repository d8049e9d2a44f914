// A server with jobs in a separate process, started and killed by the tests. It reports each call.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../lib/config.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { readServerConfig } from '../../../src/config/server-config.js';
import { createApp } from '../../../src/faces/server/app.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { serverLog } from '../../../src/output/log.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { openDirectoryJobs } from '../../../src/service/jobs/sqlite/open-directory-jobs.js';
import { harbourOne, harbours } from '../../support/invented-rows.js';
import { writeLine } from '../../support/write-line.js';

const [home = '', caFile = ''] = process.argv.slice(2);

/** Ends a query that begins with `gate` when there is a file of that name, and others at once. */
const ask: CallFunction = async (_, params, { requestId }, signal) => {
  const query = String(params.query);
  writeLine(`requests ${query}`);
  while (query.startsWith('gate') && !existsSync(`${home}/gate`)) {
    signal.throwIfAborted();
    await setTimeout(5);
  }
  await setImmediate();
  const meta = {
    ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
    ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
  };
  return { source: 'platform', json: JSON.stringify({ echo: query }), meta };
};

const config = readConfig({ home }, {});
const { ledger, accounts, jobStores, usage } = await openDirectory(home, systemClock, 500);
const services = { ...openServices(config, { ledger }), docsBase: 'https://docs.example' };
const jobs = openDirectoryJobs({
  ...{ services, config, ask, endpoints: [harbours, harbourOne] },
  stores: jobStores,
  webhookAllow: ['hooks.example'],
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  ca: readFileSync(caFile, 'utf8'),
  onError: (_, cause) => writeLine(`trouble ${cause}`),
});
const app = createApp({
  ...{ services, accounts, jobs, usage },
  closing: new AbortController().signal,
  metrics: new Metrics(),
  config: readServerConfig({ rateLimit: 1_000_000, logLevel: 'silent' }, {}),
  log: serverLog('silent', { write: () => undefined }),
});
await app.listen({ port: 0, host: '127.0.0.1' });
jobs.start();
writeLine(`port ${(app.server.address() as AddressInfo).port}`);
