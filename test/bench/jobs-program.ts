// A server with one finished job of 10,000 inputs, or the given number. It prints its port, the path of the results,
// the key and the file.

import { mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../lib/config.js';
import { endpoints } from '../../lib/endpoints.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openServices } from '../../lib/services.js';
import { openDirectory } from '../../src/compose/open-store.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { createApp } from '../../src/faces/server/app.js';
import { Metrics } from '../../src/faces/server/metrics.js';
import { serverLog } from '../../src/output/log.js';
import { openDirectoryJobs } from '../../src/service/jobs/sqlite/open-directory-jobs.js';

const count = Number(process.argv[2] ?? 10_000);
const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const config = readConfig({ home }, {});
const { ledger, accounts, jobStores, usage } = await openDirectory(home, systemClock, 500);
const { id: account } = await accounts.create({
  email: 'bench@example.com',
  verified: true,
  credits: 1_000_000,
});
const { secret } = await accounts.createKey({ account, name: 'bench', platforms: null });
const services = openServices(config, { ledger });
const json = JSON.stringify({ text: 'a line of data as long as those of real pages are '.repeat(24) });
const jobs = openDirectoryJobs({
  ...{ services, config, endpoints, webhookAllow: [] },
  stores: jobStores,
  onError: (_, cause) => console.error(cause),
  ask: async (_, __, { requestId }) => ({
    source: 'platform',
    json,
    meta: {
      ...{ request_id: requestId, credits_charged: 3, credits_remaining: 0, cached: false },
      ...{ fetched_at: '2026-01-01T00:00:00.000Z', next_cursor: null },
    },
  }),
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
const { id } = await jobs.store.create(
  {
    ...{ account, key: undefined, endpoint: 'shortvideo/profile', credits: 3, webhookUrl: undefined },
    ...{
      inputs: Array.from({ length: count }, (_, at) => `{"username":"account${at}"}`),
      idempotency: undefined,
    },
  },
  () => '',
);
while ((await jobs.store.find(account, id)).status !== 'done') await setTimeout(20);
const { port } = app.server.address() as AddressInfo;
const results = `/v1/jobs/${id}/results`;
// The same lines in a file, for a server of files to compare with.
const file = path.join(home, 'results.ndjson');
const answer = await fetch(`http://127.0.0.1:${port}${results}`, {
  headers: { authorization: `Bearer ${secret}` },
});
writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
process.send?.({ home, port, secret, path: results, file });
process.on('disconnect', () => process.exit());
