import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { inject } from 'light-my-request';
import type { CacheStore } from '../../lib/cache/cache.js';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import type { Services } from '../../lib/call/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf, sampleOf } from '../../lib/samples.js';
import type { Suppressions } from '../../lib/suppressions/suppressions.js';
import { WatchedSuppressions } from '../../lib/suppressions/watched-suppressions.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { routeSource } from '../../lib/web/routes.js';
import { pages as pagesFace, tools } from '../../src/compose/faces.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import type { ServerConfig } from '../../src/config/server-config.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { createApp, type ServerTimeouts } from '../../src/faces/server/app.js';
import { Metrics } from '../../src/faces/server/metrics.js';
import { serverLog } from '../../src/output/log.js';
import type { AccountStore } from '../../src/service/accounts/account-store.js';
import type { NewAccount } from '../../src/service/accounts/accounts.js';
import type { Hosting } from '../../src/service/accounts/hosting.js';
import { openHosting } from '../../src/service/accounts/hosting.js';
import type { Mailer } from '../../src/service/accounts/mail/mailer.js';
import { HealthWatch } from '../../src/service/health/health-watch.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import type { RefusedCalls } from '../../src/service/usage/refused-calls.js';
import { assertDescribed, docsBase, holdToDescription } from './api-description.js';
import { idleJobs } from './idle-jobs.js';
import { MemoryMailer } from './memory-mailer.js';
import { testMonitoring } from './monitoring.js';
import { openServerStore } from './server-store.js';

/** A separate clock that only the test moves; sleepers never wake. */
interface HandClock {
  time: number;
  now(): number;
  sleep(): Promise<void>;
  alarm(): () => void;
}

/** An answer as tests look at it. */
interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The body parsed; undefined for one that is not JSON. */
  readonly body: {
    readonly data: unknown;
    readonly meta: Readonly<Record<string, unknown>>;
    readonly error: Readonly<Record<string, string>>;
  };
}

export interface TestServer {
  readonly app: FastifyInstance;
  readonly accounts: AccountStore;
  /** Taken, never worked on. */
  readonly jobs: Jobs;
  readonly ledger: Ledger;
  readonly refusedCalls: RefusedCalls;
  readonly suppressions: Suppressions;
  readonly cache: CacheStore;
  readonly hosting: Hosting;
  /** The receiver of the hosting mails. */
  readonly mailer: MemoryMailer;
  /** What was reported to the operator. */
  readonly troubles: unknown[];
  readonly clock: HandClock;
  readonly home: string;
  /** Watches the endpoints; its minutes pass when the test says so. */
  readonly health: HealthWatch;
  /** Lines of the log. */
  readonly lines: string[];
  readonly closing: AbortController;
  /** Where calls that are not demo read their pages from. */
  pages: PageSource;
  /** Answers calls with the pages of an endpoint's case: the first one, or the case with that name or error. */
  serve(endpoint: Endpoint, which?: string): Promise<void>;
  /** An account with a key. */
  account(changes?: Partial<NewAccount>): Promise<{ readonly id: string; readonly secret: string }>;
  /** Asks in process. */
  ask(url: string, secret?: string | null, method?: string): Promise<ServerAnswer>;
}

let accountsMade = 0;

/** The whole server in process, over its own data directory or database. */
export async function testServer({
  config = {},
  deskSettings = {},
  timeouts,
  deadlineMs = 60_000,
  publicAddress = docsBase,
  pages = false,
  mailFolder,
  carrier,
}: {
  config?: Partial<ServerConfig>;
  /** Settings of hosting, as the environment would have them. */
  deskSettings?: Readonly<Record<string, string>>;
  timeouts?: ServerTimeouts;
  deadlineMs?: number;
  /** The URL under which the server says it is reachable. */
  publicAddress?: string;
  /** With the pages of the dashboard. */
  pages?: boolean;
  /** Where its mails are, for a server that sends none. */
  mailFolder?: string;
  /** Takes the mails further. */
  carrier?: Mailer | undefined;
} = {}): Promise<TestServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'extract-server-'));
  const clock: HandClock = {
    time: Date.UTC(2026, 10, 5, 12),
    now: () => clock.time,
    sleep: () => new Promise(() => undefined),
    alarm: () => () => undefined,
  };
  const opened = await openServerStore(home, clock, config.trialCredits ?? 500);
  const { ledger, accounts, usage, refusedCalls, suppressions, expiringStore, sharedCounts } = opened;
  const mailer = new MemoryMailer(carrier);
  const metrics = new Metrics();
  const troubles: unknown[] = [];
  const cache = openCache({ file: path.join(home, 'cache.db'), memoryBytes: 8_000_000, clock });
  const lines: string[] = [];
  const closing = new AbortController();
  const server: { pages: PageSource } = { pages: routeSource(home, []) };
  const health = new HealthWatch({
    ...{ endpoints, store: opened.health, clock, docsBase: publicAddress },
    onError: (cause) => troubles.push(cause),
  });
  const suppressed = new WatchedSuppressions(async () => suppressions, clock);
  const services: Services = {
    suppressed: () => suppressed.current(),
    onFetched: (endpoint, data) => health.onFetched(endpoint, data),
    onFetchFailed: (endpoint, error) => health.onFetchFailed(endpoint, error),
    onAttempt: (endpoint, attempt) => health.onAttempt(endpoint, attempt),
    statusNote: (endpoint) => health.note(endpoint),
    clock,
    docsBase: publicAddress,
    deadlineMs,
    flights: new SingleFlight(),
    ledger,
    cache,
    pages: async () => server.pages,
    sample: sampleOf,
    secret: async () => Buffer.alloc(32, 7),
  };
  const jobs = idleJobs({ store: opened, services, home });
  const { monitoring, watched } = testMonitoring({ store: opened, jobs, metrics, mailer, clock, home });
  const hosting = openHosting({
    ...{ store: opened, config: readHostingConfig(deskSettings), mailer: watched, clock },
    ...{ publicUrl: publicAddress, proxy: {} },
    onError: (_, cause) => troubles.push(cause),
  });
  const app = createApp({
    services,
    accounts,
    jobs,
    config: readServerConfig(
      { rateLimit: 1_000_000, demoRateLimit: 1_000_000, metricsOpen: true, ...config },
      {},
    ),
    metrics,
    log: serverLog(config?.logLevel ?? 'info', { write: (line) => lines.push(line) }),
    closing: closing.signal,
    ...{ usage, refusedCalls, expiringStore, sharedCounts, health },
    ...(pages
      ? {
          payments: hosting.payments,
          faces: [tools, pagesFace(hosting, monitoring, suppressions, mailFolder)],
        }
      : { faces: [tools] }),
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  holdToDescription(app);
  after(async () => {
    await Promise.all([app.close(), jobs.stop()]);
    await Promise.all([opened.close(), cache.close()]);
    rmSync(home, { recursive: true, force: true });
  });
  return Object.assign(server, {
    ...{ app, accounts, jobs, ledger, refusedCalls, suppressions, cache, hosting },
    ...{ mailer, troubles, clock, home, health, lines, closing },
    async serve(endpoint: Endpoint, which?: string) {
      const cases = await casesOf(endpoint);
      const chosen =
        which === undefined ? cases[0] : cases.find(({ name, error }) => name === which || error === which);
      assert.ok(chosen, `${endpoint.path} has no case ${which}`);
      server.pages = routeSource(sampleFiles(endpoint.path), chosen.pages);
    },
    async account(changes: Partial<NewAccount> = {}) {
      accountsMade += 1;
      const email = `user${accountsMade}@example.com`;
      const { id } = await accounts.create({ email, verified: true, credits: 0, ...changes });
      const { secret } = await accounts.createKey({ account: id, name: 'test', platforms: null });
      return { id, secret };
    },
    async ask(url: string, secret: string | null = null, method = 'GET'): Promise<ServerAnswer> {
      await app.ready();
      // Enters before the cache of answers, not at fastify's own entry behind it.
      const answer = await inject((...request) => void app.server.emit('request', ...request), {
        method,
        url,
        headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
      });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      const body = isJson ? answer.json() : undefined;
      if (url.startsWith('/v1/') && url !== '/v1/openapi.json') {
        const { meta, error } = body;
        assert.equal(answer.headers['x-request-id'], (error ?? meta).request_id);
        const route = url.split('?', 1)[0] ?? '';
        const isRead = method === 'GET' && endpoints.some(({ path: one }) => route === `/v1/${one}`);
        if (isRead) assertDescribed(method, route, answer.statusCode, body);
      }
      return { status: answer.statusCode, headers: answer.headers, text: answer.body, body };
    },
  }) as TestServer;
}

/** The query string that asks what an endpoint's first case asks, with changes; undefined leaves one out. */
export async function queryOf(
  endpoint: Endpoint,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const [sample] = await casesOf(endpoint);
  const params = Object.entries({ ...sample?.params, ...changes }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    params.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
