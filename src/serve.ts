import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import type { Config } from '../lib/config.js';
import type { Endpoint } from '../lib/endpoint.js';
import { endpoints } from '../lib/endpoints.js';
import { defaultDocsBase, ExtractError } from '../lib/errors/extract-error.js';
import { isShortageCause, ShortageError } from '../lib/errors/shortage.js';
import { StorageError } from '../lib/errors/storage-error.js';
import { preloadModules } from '../lib/preload.js';
import { systemClock } from '../lib/runtime/clock.js';
import { makeFolder } from '../lib/runtime/make-folder.js';
import { requirePackage } from '../lib/runtime/require-package.js';
import { withTimeout } from '../lib/runtime/with-timeout.js';
import { openServices } from '../lib/services.js';
import { readyBrowser } from '../lib/web/browser/ready.js';
import { isActive } from './accounts/accounts.js';
import { openHosting } from './accounts/hosting.js';
import { openMailer } from './accounts/mail/file-mailer.js';
import { adminSignInPath } from './accounts/sign-in/sign-in.js';
import type { HostingConfig } from './config/hosting-config.js';
import { checkTrustedProxies, type ServerConfig } from './config/server-config.js';
import { pages, tools } from './faces.js';
import { JobComparison } from './health/job-comparison.js';
import { openHealth } from './health/open-health.js';
import { openStore } from './open-store.js';
import { EventLoopDelay } from './operation/event-loop-delay.js';
import { openOperation } from './operation/operation.js';
import { WatchedMailer } from './operation/watched-mailer.js';
import { type LogSink, logVisited } from './output/log.js';
import { preloadFileKinds } from './result-files/write-file.js';
import { createApp } from './server/app.js';
import { addHealthMetrics } from './server/health-metrics.js';
import { Metrics } from './server/metrics.js';
import { addOperationMetrics } from './server/operation-metrics.js';
import { tracedServices } from './tracing/traced-services.js';
import { registeredTracing } from './tracing/tracing.js';

const defaultDrainMs = 10_000;
/** Milliseconds after that in which the refusals of those calls must have left. */
const closeGraceMs = 1_000;

/** Milliseconds after those that the stores are given: a database that says nothing holds no server up. */
const storesGraceMs = 2_000;

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** True when nobody has an account yet. */
  readonly isNew: boolean;
  /** A link to the admin page that works once; null for a server that has no pages. */
  readonly adminLink: string | null;
  /**
   * Stops: takes no more requests, ends the calls under way within ten seconds, and closes everything. A database that does
   * not answer is not waited for: three seconds later it is over.
   */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly config: Config;
  readonly server: ServerConfig;
  readonly hosting: HostingConfig;
  readonly log: LogSink;
  /** Milliseconds that calls under way are given when the server stops. */
  readonly drainMs?: number;
}

const silentStores = new StorageError('unreachable', 'The stores did not answer in time.');

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** What kept a server from listening, as an error of the catalogue; any other fault as it is. */
function listenFault(cause: unknown, host: string, port: number): unknown {
  if (isShortageCause(cause)) return new ShortageError({ cause });
  const reason = listenFaults[(cause as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return cause;
  return new ExtractError('invalid_parameter', `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    cause,
  });
}

/** A free port, for a server that may take any. The address of its documentation must be known before it listens. */
async function freePort(host: string): Promise<number> {
  const probe = net.createServer().listen(0, host);
  await once(probe, 'listening').catch((cause: unknown) => {
    throw listenFault(cause, host, 0);
  });
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the server over the database that is set, or the data directory. Rejects when it cannot listen. */
export async function serve({
  config,
  server,
  hosting: hostingConfig,
  log,
  drainMs = defaultDrainMs,
}: ServeOptions): Promise<RunningServer> {
  checkTrustedProxies(server.trustProxy);
  const [isApi, isWorker] = [server.roles.includes('api'), server.roles.includes('worker')];
  if (hostingConfig.stripe !== undefined) requirePackage('stripe', 'EXTRACT_STRIPE_KEY');
  await readyBrowser(config);
  const port = server.port === 0 ? await freePort(server.host) : server.port;
  const store = await openStore(config.home, systemClock, server.trialCredits);
  try {
    if (!(isApi && isWorker) && store.connections() === null) {
      throw new ExtractError(
        'invalid_parameter',
        'Roles are for servers that share a database. Set EXTRACT_DATABASE_URL, or leave out --role and EXTRACT_ROLE.',
      );
    }
    await store.check();
    // What this machine alone keeps: mails, results that are downloaded.
    makeFolder(config.home);
  } catch (cause) {
    await store.close();
    throw cause;
  }
  const { ledger, accounts, usage } = store;
  const metrics = new Metrics();
  const shared = store.shared(config.cacheDiskMb * 1024 * 1024);
  const untraced = openServices(config, {
    ledger,
    shared,
    onCacheFault(fault) {
      metrics.cacheUsable(fault === null);
      if (fault === null) app.log.info('the cache can be used again');
      else app.log.warn({ err: fault.cause }, fault.message);
    },
  });
  const tracing = registeredTracing() ?? undefined;
  const opened = tracing === undefined ? untraced : tracedServices(untraced, tracing.span);
  const closing = new AbortController();
  // The default leads to the default port: a server that listens elsewhere has its documentation there.
  const docsBase = config.docsUrl === defaultDocsBase ? `http://localhost:${port}` : config.docsUrl;
  const carrier = await openMailer({
    ...{ home: config.home, mail: hostingConfig.mail, clock: systemClock },
    // The one secret in the log: without a mail server there is no other way to sign in.
    onStored: ({ to, link }, file) =>
      app.log.info({ to, link, file }, 'a mail was kept, as no mail server is set'),
  });
  const mailer = new WatchedMailer(carrier, systemClock);
  const loop = new EventLoopDelay();
  const health = openHealth({
    ...{ endpoints, services: opened, store: store.health, mailer, docsBase },
    leases: shared?.leases,
    operatorEmail: hostingConfig.operatorEmail,
    canaryMinutes: server.canaryMinutes,
    canaries: server.canaries,
    log: () => app.log,
    onCanary: (endpoint, result) => countCanary(endpoint, result),
  });
  const countCanary = addHealthMetrics(metrics.registry, health.watch);
  const services = {
    ...opened,
    docsBase,
    onFetchFailed: (endpoint: Endpoint, error: ExtractError) => health.watch.onFetchFailed(endpoint, error),
    statusNote: (endpoint: Endpoint) => health.watch.note(endpoint),
    onFetched: (endpoint: Endpoint, data: unknown) => health.watch.onFetched(endpoint, data),
  };
  collectDefaultMetrics({ register: metrics.registry });
  const comparison = new JobComparison(health.watch);
  const jobs = store.createJobs({
    services: {
      ...services,
      onFetched(endpoint, data) {
        metrics.countFields(endpoint, data);
        services.onFetched(endpoint, data);
      },
    },
    config,
    endpoints,
    webhookAllow: server.webhookAllow,
    onAnswered(endpoint, answer, seconds, job) {
      metrics.countAnswer(endpoint, answer, seconds);
      comparison.addAnswer(job, endpoint, answer);
      logVisited(app.log, endpoint, answer);
    },
    comparisonOf(job) {
      const sentences = comparison.endJob(job);
      if (sentences.length > 0)
        app.log.warn({ job, fields: sentences }, 'a job was answered with less than usual');
      return sentences;
    },
    onRejected: (endpoint, code) => metrics.countError(endpoint, code),
    async readKeyState(account, id) {
      const key = (await accounts.listKeys(account)).find((one) => one.id === id);
      const fault = key !== undefined && isActive(key, systemClock.now()) ? null : 'revoked_api_key';
      return { fault, monthlyCredits: key?.monthly_credits ?? null };
    },
    onError: (job, cause) => app.log.error({ job, err: cause }, 'a job cannot go on now'),
  });
  const operation = openOperation({
    ...{ home: config.home, clock: systemClock, recent: metrics.recent, loop, mailer, pace: store.pace },
    connections: () => store.connections(),
    ...{ jobs: jobs.store, webhooks: jobs.webhooks, purchases: store.purchases },
  });
  addOperationMetrics(metrics.registry, operation);
  const hosting = openHosting({
    ...{ store, config: hostingConfig, clock: systemClock, publicUrl: docsBase },
    proxy: config,
    mailer,
    onError: (account, cause) => app.log.error({ account, err: cause }, 'a balance alert could not be sent'),
    onDelete: (account) => jobs.cancelAll(account),
    onDeleted: () => jobs.forgetDeleted(),
  });
  const app = createApp({
    metrics,
    tracing,
    services,
    accounts,
    jobs,
    usage,
    refusedCalls: store.refusedCalls,
    transient: store.transient,
    sharedCounts: store.sharedCounts,
    health: health.watch,
    payments: hosting.payments,
    faces: [tools, pages(hosting, operation)],
    answersCalls: isApi,
    config: server,
    log,
    closing: closing.signal,
  });
  const close = async () => {
    // Inputs that run are left for the next start: nothing is lost by not waiting for them.
    await Promise.all([app.close(), jobs.stop()]);
    await health.stop();
    // After the requests, of which one may be sending a mail.
    await hosting.stop();
    await store.refusedCalls.flush();
    loop.stop();
    await store.pace.close();
    await services.close();
    await store.close();
  };
  let isNew = false;
  let adminLink: string | null = null;
  try {
    // Whatever cannot be opened now is said at once; whatever can stays at hand when descriptors run short later.
    await Promise.all([
      preloadModules(config, store.connections() === null ? 'files' : 'database'),
      preloadFileKinds(),
      services.secret(),
      services.pages(),
    ]);
    await health.start();
    if (isApi) {
      // Before it listens: a ledger that cannot be written to is told now.
      adminLink = `${docsBase}${adminSignInPath}?token=${await hosting.admin.createLink()}`;
      isNew = (await accounts.count()) === 0;
    }
    await app.listen({ host: server.host, port });
  } catch (cause) {
    await close();
    throw listenFault(cause, server.host, port);
  }
  if (isWorker) jobs.start();
  hosting.start();
  return {
    url: `http://${inUrl(server.host)}:${port}`,
    isNew,
    adminLink,
    async stop() {
      const timers = [
        setTimeout(() => {
          closing.abort(
            new ExtractError('platform_timeout', 'The server stopped before the platform had answered.'),
          );
        }, drainMs),
        // A client that does not take its answer even now is cut off.
        setTimeout(() => app.server.closeAllConnections(), drainMs + closeGraceMs),
      ];
      try {
        await withTimeout(close(), drainMs + closeGraceMs + storesGraceMs, systemClock, () => silentStores);
      } catch (cause) {
        if (cause !== silentStores) throw cause;
        // As after a crash: others give back what is open, and take over what is at work.
        app.log.warn('stopped without its stores, which did not answer in time');
      } finally {
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}
