// One of the servers that the benches compare, in a separate process: `startServer` starts it.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import type { CacheStore } from '../../lib/cache/cache.js';
import { readConfig } from '../../lib/config.js';
import { LogThread } from '../../lib/database/sqlite/log-thread.js';
import { endpoints } from '../../lib/endpoints.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { casesOf } from '../../lib/samples.js';
import { openServices } from '../../lib/services.js';
import { routeSource } from '../../lib/web/routes.js';
import { openDirectory } from '../../src/compose/open-store.js';
import type { OpenStore } from '../../src/compose/stores.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { createApp } from '../../src/faces/server/app.js';
import { Metrics } from '../../src/faces/server/metrics.js';
import { serverLog } from '../../src/output/log.js';
import { fixturesOf } from '../support/fixtures.js';
import type { WantedServer } from './start-server.js';

const { kind, endpointPath, bytes = 11_500 } = JSON.parse(process.argv[2] ?? '') as WantedServer;

/** The items of a sample's list over and over, until it has so many bytes. */
function repeated(data: string): string {
  const items = (JSON.parse(data) as readonly unknown[]).map((item) => JSON.stringify(item));
  const list: string[] = [];
  for (let room = bytes; room > 0; room -= list.at(-1)?.length ?? room) {
    list.push(items[list.length % items.length] ?? '');
  }
  return `[${list.join(',')}]`;
}

/** The secret of a key whose account can pay for everything. */
async function richKey({ accounts, ledger }: OpenStore): Promise<string> {
  const email = `bench-${randomUUID()}@example.com`;
  const { id } = await accounts.create({ email, verified: true, credits: 5_000_000 });
  const at = new Date().toISOString();
  await ledger.grant({ id: `pack_${id}`, account: id, credits: 900_000_000, kind: 'pack', at });
  return (await accounts.createKey({ account: id, name: 'bench', platforms: null })).secret;
}

async function ours(): Promise<{ port: number; secret: string; query: string }> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const store = await openDirectory(home, systemClock, 500);
  await store.check();
  const { ledger, accounts, usage } = store;
  const secret = await richKey(store);
  const endpoint = endpoints.find(({ path: one }) => one === endpointPath);
  if (endpoint === undefined) throw new Error(`no endpoint ${endpointPath}`);
  const [sample] = await casesOf(endpoint);
  if (sample === undefined) throw new Error('no sample');
  const config = readConfig({ home, paceMs: { shortvideo: 0 }, concurrency: { shortvideo: 32 } });
  const services = openServices(config, { ledger, shared: store.shared(64 * 1024 * 1024) });
  const { cache } = services;
  const large: CacheStore = {
    ...cache,
    get: (key) => cache.get(key),
    set: (key, answer, seconds) => cache.set(key, { ...answer, data: repeated(answer.data) }, seconds),
  };
  const pages = routeSource(fixturesOf(endpoint), sample.pages);
  const jobs = store.createJobs({
    ...{ services, config, webhookAllow: [] },
    endpoints,
    onError: (_, cause) => console.error(cause),
  });
  const app = createApp({
    services: { ...services, cache: large, pages: async () => pages },
    accounts,
    jobs,
    usage,
    sharedCounts: store.sharedCounts,
    expiringStore: store.expiringStore,
    config: readServerConfig({ rateLimit: 1_000_000_000 }),
    metrics: new Metrics(),
    log: serverLog('info', { write: (line) => process.stderr.write(line) }),
    closing: new AbortController().signal,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  new LogThread(path.join(home, 'ledger.db'));
  const params = Object.entries(sample.params).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const query = new URLSearchParams(params).toString();
  return { port: (app.server.address() as AddressInfo).port, secret, query };
}

/** Answers with the envelope that it is sent at first. */
async function theirs(): Promise<{ port: number }> {
  const text = await new Promise<string>((resolve) => process.once('message', resolve as never));
  if (kind === 'fastify') {
    const value = JSON.parse(text) as object;
    const app = fastify();
    app.get(`/v1/${endpointPath}`, async (_, reply) => {
      reply.type('application/json; charset=utf-8');
      return JSON.stringify(value);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: (app.server.address() as AddressInfo).port };
  }
  const body = Buffer.from(text);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
  const server = http.createServer((_, response) => response.writeHead(200, headers).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
process.send?.(await (kind === 'extract' ? ours() : theirs()));
