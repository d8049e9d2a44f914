import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readConfig } from '../../../lib/config.js';
import type { Platform } from '../../../lib/platforms.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { type OpenServices, openServices } from '../../../lib/services.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { tools } from '../../../src/compose/faces.js';
import { readServerConfig, type ServerConfig } from '../../../src/config/server-config.js';
import { createApp } from '../../../src/faces/server/app.js';
import { Metrics } from '../../../src/faces/server/metrics.js';
import { serverLog } from '../../../src/output/log.js';
import type { AccountStore } from '../../../src/service/accounts/account-store.js';
import type { ExpiringStore } from '../../../src/service/expiring-store/expiring-store.js';
import type { Jobs } from '../../../src/service/jobs/open-jobs.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { idleJobs } from '../../support/idle-jobs.js';
import { openServerStore } from '../../support/server-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { anyEndpoint, sampleCase } from './call-tool.js';

interface Serving {
  readonly home?: string;
  readonly clock?: Clock;
  readonly pages?: PageSource;
  readonly config?: Partial<ServerConfig>;
  readonly expiringStore?: ExpiringStore | undefined;
  /** Answers the inputs of jobs. */
  readonly ask?: CallFunction;
}

export interface ServedTools {
  readonly url: string;
  readonly accounts: AccountStore;
  readonly services: OpenServices;
  readonly metrics: Metrics;
  /** Taken, and worked on once they are started. */
  readonly jobs: Jobs;
  readonly log: string[];
  /** A confirmed account with a pack, and a key of it. */
  holder(limits?: {
    readonly verified?: boolean;
    readonly platforms?: readonly Platform[];
    readonly credits?: number;
  }): Promise<{ readonly account: string; readonly secret: string; readonly key: string }>;
  /** Ends the calls under way, as a server does that must stop. */
  stop(reason: Error): void;
  /**
   * Connects the SDK's client, in its own session if its protocol revision has sessions; `key` is sent as bearer token.
   */
  connect(
    key?: string,
    options?: ClientOptions,
  ): Promise<{ client: Client; transport: StreamableHTTPClientTransport }>;
}

const folder = temporaryFolder();
let holders = 0;

/** A whole server on a socket of this machine; gone when the test is. */
export async function serveTools(
  t: TestContext,
  {
    home = mkdtempSync(path.join(folder, 'home-')),
    clock = systemClock,
    pages,
    config,
    expiringStore,
    ask,
  }: Serving = {},
): Promise<ServedTools> {
  const settings = readServerConfig({ logLevel: 'error', trustProxy: [], corsOrigins: [], ...config }, {});
  const store = await openServerStore(home, clock, settings.trialCredits);
  const { ledger, accounts, usage } = store;
  const opened = openServices(readConfig({ home, cacheMemoryMb: 1 }, {}), {
    ...{ ledger, shared: store.shared(100_000_000) },
  });
  const services = { ...opened, clock, ...(pages && { pages: async () => pages }) };
  const metrics = new Metrics();
  const closing = new AbortController();
  const log: string[] = [];
  const jobs = idleJobs({ store, services, home, ask });
  const app = createApp({
    services,
    accounts,
    jobs,
    usage,
    metrics,
    config: settings,
    expiringStore: expiringStore ?? store.expiringStore,
    faces: [tools],
    log: serverLog(settings.logLevel, { write: (line) => void log.push(line) }),
    closing: closing.signal,
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `${address}/mcp`;
  const clients: Client[] = [];
  t.after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    closing.abort(new Error('the test is over'));
    await Promise.all([app.close(), jobs.stop()]);
    await services.close();
    await store.close();
  });
  return {
    url,
    accounts,
    services,
    metrics,
    jobs,
    log,
    async holder({ verified = true, platforms, credits = 50_000 } = {}) {
      holders += 1;
      const { id: account } = await accounts.create({
        email: `holder${holders}@example.com`,
        verified,
        credits,
      });
      const apiKey = await accounts.createKey({ account, name: 'a key', platforms: platforms ?? null });
      return { account, secret: apiKey.secret, key: apiKey.key.id };
    },
    stop: (reason) => closing.abort(reason),
    async connect(key, options) {
      const client = new Client({ name: 'test', version: '1' }, options);
      const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
      const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
      await client.connect(transport);
      clients.push(client);
      return { client, transport };
    },
  };
}

/** A server, an account with credits and a key of it, the client of that key, and what the sample of a tool asks. */
export async function keyed(t: TestContext, serving?: Serving, options?: ClientOptions) {
  const server = await serveTools(t, serving);
  const holder = await server.holder();
  const { client, transport } = await server.connect(holder.secret, options);
  const { params } = await sampleCase(anyEndpoint);
  return { server, ...holder, client, transport, params, ledger: server.services.ledger };
}

/** Posts a message as the protocol wants it. */
export const post = (url: string, message: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

/** A client of the revision without sessions. */
export const newRevision: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** What every message of that revision says of itself. */
export const newRevisionMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The first message of a session. */
export const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
