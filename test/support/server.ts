import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { inject } from 'light-my-request';
import { openCache } from '../../lib/cache/open-cache.js';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import type { Services } from '../../lib/call/call.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import type { ErrorCode } from '../../lib/errors/extract-error.js';
import type { Platform } from '../../lib/platforms.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { casesOf, sampleOf } from '../../lib/samples.js';
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
import type { NewAccount } from '../../src/service/accounts/accounts.js';
import { newSecret } from '../../src/service/accounts/api-key.js';
import { openHosting } from '../../src/service/accounts/hosting.js';
import type { Mailer } from '../../src/service/accounts/mail/mailer.js';
import type { ExpiringStore } from '../../src/service/expiring-store/expiring-store.js';
import { HealthWatch } from '../../src/service/health/health-watch.js';
import type { CallFunction } from '../../src/service/jobs/runner/run-input.js';
import { assertDescribed, docsBase, holdToDescription } from './api-description.js';
import { idleJobs } from './idle-jobs.js';
import { MemoryMailer } from './memory-mailer.js';
import { testMonitoring } from './monitoring.js';
import { pay } from './pay.js';
import { openServerStore } from './server-store.js';

/** A clock that only the test moves; sleepers never wake. */
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

export type TestServer = Awaited<ReturnType<typeof testServer>>;

let accountsMade = 0;
const unlimited = { rateLimit: 1_000_000, demoRateLimit: 1_000_000 };

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
  home = mkdtempSync(path.join(os.tmpdir(), 'extract-server-')),
  clock: otherClock,
  expiringStore: otherExpiringStore,
  ask,
}: {
  config?: Partial<ServerConfig>;
  /** Hosting settings, as in the environment. */
  deskSettings?: Readonly<Record<string, string>>;
  timeouts?: ServerTimeouts;
  deadlineMs?: number;
  /** The server's public URL. */
  publicAddress?: string;
  /** With the pages of the dashboard. */
  pages?: boolean;
  /** The folder of its mails, for a server that sends none. */
  mailFolder?: string;
  /** Sends the mails. */
  carrier?: Mailer | undefined;
  home?: string;
  /** A clock of the test's own, in place of the server's. */
  clock?: Clock;
  expiringStore?: ExpiringStore;
  /** Answers the inputs of jobs. */
  ask?: CallFunction;
} = {}) {
  const handClock: HandClock = {
    time: Date.UTC(2026, 10, 5, 12),
    now: () => handClock.time,
    sleep: () => new Promise(() => undefined),
    alarm: () => () => undefined,
  };
  const clock = otherClock ?? handClock;
  const opened = await openServerStore(home, clock, config.trialCredits ?? 500);
  const { ledger, accounts, usage, refusedCalls, suppressions, sharedCounts } = opened;
  const expiringStore = otherExpiringStore ?? opened.expiringStore;
  const mailer = new MemoryMailer(carrier);
  const metrics = new Metrics();
  const troubles: unknown[] = [];
  const cache = openCache({ file: path.join(home, 'cache.db'), memoryBytes: 8_000_000, clock });
  const lines: string[] = [];
  const closing = new AbortController();
  /** The source of pages for calls without demo. */
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
  const jobs = idleJobs({ store: opened, services, home, ask });
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
    config: readServerConfig({ ...unlimited, metricsOpen: true, ...config }, {}),
    metrics,
    log: serverLog(config?.logLevel ?? 'info', { write: (line) => lines.push(line) }),
    closing: closing.signal,
    ...{ usage, refusedCalls, expiringStore, sharedCounts, health },
    faces: [tools, ...(pages ? [pagesFace(hosting, monitoring, suppressions, mailFolder)] : [])],
    ...(pages && { payments: hosting.payments }),
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  holdToDescription(app);
  after(async () => {
    await Promise.all([app.close(), jobs.stop()]);
    await Promise.all([opened.close(), cache.close()]);
    rmSync(home, { recursive: true, force: true });
  });
  return Object.assign(server, {
    ...{ app, accounts, ledger, refusedCalls, suppressions, cache, hosting, home, health, lines, closing },
    /** Taken, and worked on once they are started. */
    jobs,
    /** Receives the hosting mails. */
    mailer,
    /** Reports to the operator. */
    troubles,
    clock: handClock,
    /** Answers calls with the pages of an endpoint's case: the first one, or the case with that name or error. */
    async serve(endpoint: Endpoint, which?: string) {
      const cases = await casesOf(endpoint);
      const chosen =
        which === undefined ? cases[0] : cases.find(({ name, error }) => name === which || error === which);
      assert.ok(chosen, `${endpoint.path} has no case ${which}`);
      server.pages = routeSource(sampleFiles(endpoint.path), chosen.pages);
    },
    /** An account with a key. */
    async account(changes: Partial<NewAccount> = {}) {
      accountsMade += 1;
      const email = `user${accountsMade}@example.com`;
      const { id } = await accounts.create({ email, verified: true, credits: 0, ...changes });
      const { secret } = await accounts.createKey({ account: id, name: 'test', platforms: null });
      return { id, secret };
    },
    /** Sends a request in process. */
    async ask(url: string, secret: string | null = null, method = 'GET'): Promise<ServerAnswer> {
      await app.ready();
      // Calls the handler in front of the answer cache, not fastify's own behind it.
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
  });
}

/** Returns the query string of an endpoint's first case, with changes; undefined removes a parameter. */
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

/** An account that may call, and callers that are refused before their request is read, each with why. */
export async function callers(server: TestServer) {
  const rich = await server.account({ credits: 50_000 });
  const unverified = await server.account({ verified: false });
  const revoked = await server.accounts.createKey({ account: rich.id, name: 'revoked', platforms: null });
  await server.accounts.revokeKey(revoked.key.id);
  const poor = await server.account();
  const spent = { id: 'req_spent', account: poor.id, endpoint: 'test', credits: 500, needsPack: false };
  await pay(server.ledger, { ...spent, at: server.clock.now() });
  const refused: readonly (readonly [secret: string | null, status: number, code: ErrorCode])[] = [
    [null, 401, 'missing_api_key'],
    ['nonsense', 401, 'invalid_api_key'],
    [newSecret(), 401, 'invalid_api_key'],
    [revoked.secret, 401, 'revoked_api_key'],
    [unverified.secret, 403, 'email_not_verified'],
  ];
  const keyFor = async (...platforms: Platform[]) =>
    (await server.accounts.createKey({ account: rich.id, name: 'limited', platforms })).secret;
  return { rich, poor, unverified, revoked: revoked.secret, refused, keyFor };
}
