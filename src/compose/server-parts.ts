import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { Services } from '../../lib/call/call.js';
import { ReaderThread } from '../../lib/call/reader-thread.js';
import type { Config } from '../../lib/config.js';
import { LogThread } from '../../lib/database/sqlite/log-thread.js';
import { endpoints } from '../../lib/endpoints.js';
import { defaultDocsBase, ExtractError } from '../../lib/errors/extract-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { makeFolder } from '../../lib/runtime/make-folder.js';
import type { PeriodicTask } from '../../lib/runtime/periodic-task.js';
import { openServices } from '../../lib/services.js';
import type { HostingConfig } from '../config/hosting-config.js';
import { isLoopback } from '../config/loopback.js';
import { canaryMinutesOf, type ServerConfig } from '../config/server-config.js';
import { createApp } from '../faces/server/app.js';
import { addHealthMetrics } from '../faces/server/health-metrics.js';
import { Metrics } from '../faces/server/metrics.js';
import { addMonitoringMetrics } from '../faces/server/monitoring-metrics.js';
import { logVisited } from '../output/log.js';
import { isActive } from '../service/accounts/accounts.js';
import { type Hosting, openHosting } from '../service/accounts/hosting.js';
import { fillLocalAccount, localOwner } from '../service/accounts/local-owner.js';
import { mailFolder, openMailer } from '../service/accounts/mail/file-mailer.js';
import type { Mailer } from '../service/accounts/mail/mailer.js';
import { JobComparison } from '../service/health/job-comparison.js';
import { type Health, openHealth } from '../service/health/open-health.js';
import type { Jobs } from '../service/jobs/open-jobs.js';
import { EventLoopDelay } from '../service/monitoring/event-loop-delay.js';
import { openMonitoring } from '../service/monitoring/monitoring.js';
import { WatchedMailer } from '../service/monitoring/watched-mailer.js';
import { tracedServices } from '../service/tracing/traced-services.js';
import { registeredTracing } from '../service/tracing/tracing.js';
import { chargedKey } from '../service/usage/key-spend.js';
import { docsOnly, pages, tools } from './faces.js';
import { openStore } from './open-store.js';
import { retentionSweep } from './retention-sweep.js';
import type { OpenStore } from './stores.js';
import { whenReachable } from './when-reachable.js';

export interface PartsOptions {
  readonly config: Config;
  readonly server: ServerConfig;
  readonly hosting: HostingConfig;
  readonly port: number;
  readonly log: Logger;
  /** A server for this machine alone: no keys, accounts or account pages. */
  readonly local: boolean;
  /** Cancels running calls. */
  readonly closing: AbortSignal;
  /** Ends the wait for a database that is not available yet. */
  readonly giveUp?: AbortSignal | undefined;
}

export interface ServerParts {
  readonly docsBase: string;
  readonly store: OpenStore;
  readonly services: Services;
  readonly health: Health;
  readonly jobs: Jobs;
  readonly hosting: Hosting;
  readonly sweep: PeriodicTask;
  readonly app: FastifyInstance;
  /** Closes everything, in order of dependency. */
  close(): Promise<void>;
}

async function openCheckedStore({ config, server, local }: PartsOptions): Promise<OpenStore> {
  const store = await openStore(config.home, systemClock, server.trialCredits, undefined, server.resultDays);
  try {
    if (server.roles.length < 2 && store.connections() === null) {
      throw new ExtractError(
        'invalid_parameter',
        'Roles are for servers that share a database. Set EXTRACT_DATABASE_URL, or omit --role and EXTRACT_ROLE.',
      );
    }
    if (local && store.connections() !== null) {
      throw new ExtractError(
        'conflicting_parameters',
        'serve --local uses the data directory of this machine: unset EXTRACT_DATABASE_URL.',
        { next: '' },
      );
    }
    await store.check();
    if (local && config.localCredits === 'endless') await fillLocalAccount(store.ledger, systemClock);
    // For this machine's own state: mail files, downloads.
    makeFolder(config.home);
    return store;
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

function openCallServices({ config, log }: PartsOptions, store: OpenStore, metrics: Metrics) {
  const shared = store.shared(config.cacheDiskMb * 1024 * 1024);
  const readers = new ReaderThread(systemClock);
  const services = openServices(config, {
    ...{ ledger: store.ledger, suppressions: store.suppressions, shared, read: readers.read },
    onCacheFault(fault) {
      metrics.cacheUsable(fault === null);
      if (fault === null) log.info('the cache is usable again');
      else log.warn({ err: fault.cause }, fault.message);
    },
  });
  return { services, readers, leases: shared?.leases };
}

/** Returns the folder of unsent mail files, if only people at this machine can read the pages that name it. */
function mailFolderOf({ config, server, hosting }: PartsOptions): string | undefined {
  const isLocalOnly = isLoopback(server.host) && server.trustProxy.length === 0;
  return isLocalOnly && hosting.mail === undefined ? mailFolder(config.home) : undefined;
}

/** Opens the mailer: the configured mail server, or files. */
async function openServerMailer({ config, hosting, log }: PartsOptions): Promise<WatchedMailer> {
  const carrier = await openMailer({
    ...{ home: config.home, mail: hosting.mail, clock: systemClock },
    // The only secret in the log: without a mail server there is no other way to sign in.
    onStored: ({ to, link }, file) =>
      log.info({ to, link, file }, 'an e-mail was stored, because no mail server is configured'),
  });
  return new WatchedMailer(carrier, systemClock);
}

function openServerJobs(
  { config, server, hosting, log }: PartsOptions,
  store: OpenStore,
  services: Services,
  metrics: Metrics,
  comparison: JobComparison,
  mailer: Mailer,
): Jobs {
  return store.createJobs({
    services: {
      ...services,
      onFetched(endpoint, data) {
        metrics.countFields(endpoint, data);
        services.onFetched?.(endpoint, data);
      },
    },
    ...{ config, endpoints, webhookAllow: server.webhookAllow, bucket: hosting.bucket },
    accountBytes: server.accountMb * 1024 * 1024,
    mailer,
    async emailOf(id) {
      const account = await store.accounts.get(id);
      return account?.verified === true ? account.email : null;
    },
    jobPage: (job) => `${services.docsBase}/dashboard/jobs/${job}`,
    onAnswered(endpoint, answer, seconds, job) {
      metrics.countAnswer(endpoint, answer, seconds);
      comparison.addAnswer(job, endpoint, answer);
      logVisited(log, endpoint, answer);
    },
    comparisonOf(job) {
      const sentences = comparison.endJob(job);
      if (sentences.length > 0)
        log.warn({ job, fields: sentences }, 'a job returned fewer fields than usual');
      return sentences;
    },
    onRejected: (endpoint, code) => metrics.countError(endpoint, code),
    async readKeyState(account, id) {
      if (id === localOwner.key.id) return { fault: null, monthlyCredits: null };
      const key = (await store.accounts.listKeys(account)).find((one) => one.id === id);
      const fault = key !== undefined && isActive(key, systemClock.now()) ? null : 'revoked_api_key';
      return { fault, monthlyCredits: key === undefined ? null : chargedKey(key).monthlyCredits };
    },
    onError: (job, cause) => log.error({ job, err: cause }, 'a job cannot continue now'),
  });
}

function openServerHosting(
  { config, hosting, log }: PartsOptions,
  store: OpenStore,
  jobs: Jobs,
  mailer: Mailer,
  publicUrl: string,
): Hosting {
  return openHosting({
    ...{ store, config: hosting, clock: systemClock, publicUrl, proxy: config, mailer },
    onError: (account, cause) => log.error({ account, err: cause }, 'a balance alert could not be sent'),
    onDelete: (account) => jobs.cancelAll(account),
    onDeleted: () => jobs.forgetDeleted(),
  });
}

/** Opens the parts of a server, each of which depends only on earlier parts. Rejects if the stores cannot be used. */
export async function openParts(options: PartsOptions): Promise<ServerParts> {
  const { config, server, log, closing } = options;
  const store = await whenReachable(() => openCheckedStore(options), {
    clock: systemClock,
    signal: options.giveUp,
    onWait: (fault) => log.warn({ err: fault.cause }, `waiting for the database: ${fault.message}`),
  });
  const logThread =
    store.connections() === null ? new LogThread(path.join(config.home, 'ledger.db')) : undefined;
  const metrics = new Metrics();
  collectDefaultMetrics({ register: metrics.registry });
  const { services: untraced, readers, leases } = openCallServices(options, store, metrics);
  const tracing = registeredTracing() ?? undefined;
  const tracedParts = tracing === undefined ? untraced : tracedServices(untraced, tracing.span);
  // The default address has the default port; a server on another port has its documentation there.
  const docsBase = config.docsUrl === defaultDocsBase ? `http://localhost:${options.port}` : config.docsUrl;
  const mailer = await openServerMailer(options);
  const health = openHealth({
    ...{ endpoints, services: tracedParts, store: store.health, leases, mailer, docsBase, log },
    operatorEmail: options.hosting.operatorEmail,
    canaryMinutes: canaryMinutesOf(server, options.hosting),
    canaries: server.canaries,
    onCanary: (endpoint, result) => counts.canary(endpoint, result),
  });
  const { watch } = health;
  const counts = addHealthMetrics(metrics.registry, watch);
  const services: typeof tracedParts & Services = {
    ...tracedParts,
    docsBase,
    onFetchFailed: (endpoint, error) => watch.onFetchFailed(endpoint, error),
    statusNote: (endpoint) => watch.note(endpoint),
    onFetched: (endpoint, data) => watch.onFetched(endpoint, data),
    onAttempt(endpoint, attempt) {
      watch.onAttempt(endpoint, attempt);
      counts.attempt(endpoint, attempt);
    },
  };
  const jobs = openServerJobs(options, store, services, metrics, new JobComparison(watch), mailer);
  const loop = new EventLoopDelay();
  const monitoring = openMonitoring({
    ...{ home: config.home, clock: systemClock, recent: metrics.recent, loop, mailer, pace: store.pace },
    connections: () => store.connections(),
    ...{ jobs: jobs.store, webhooks: jobs.webhooks, storage: jobs.storage, purchases: store.purchases },
  });
  addMonitoringMetrics(metrics.registry, monitoring);
  const hosting = openServerHosting(options, store, jobs, mailer, docsBase);
  const sweep = retentionSweep({
    ...{ home: config.home, retention: server, clock: systemClock },
    ...{ refusedCalls: store.refusedCalls, schedules: jobs.schedules },
    onError: (cause) => log.error({ err: cause }, 'old data cannot be deleted now'),
  });
  const app = createApp({
    operatorEmail: options.hosting.operatorEmail,
    ...{ metrics, tracing, services, jobs, log, closing, config: server },
    ...{ accounts: store.accounts, usage: store.usage, refusedCalls: store.refusedCalls },
    ...{ expiringStore: store.expiringStore, sharedCounts: store.sharedCounts },
    ...{ health: watch, payments: hosting.payments },
    faces: [
      tools,
      options.local ? docsOnly : pages(hosting, monitoring, store.suppressions, mailFolderOf(options)),
    ],
    local: options.local ? localOwner : undefined,
    answersCalls: server.roles.includes('api'),
  });
  return {
    ...{ docsBase, store, services, health, jobs, hosting, sweep, app },
    async close() {
      // The next start repeats running inputs, so there is no need to wait for them. Mail stops after the requests,
      // one of which may be sending mail, and before everything that may wait for it.
      await Promise.all([app.close().then(() => hosting.stop()), jobs.stop()]);
      await Promise.all([health.stop(), sweep.stop()]);
      await store.refusedCalls.flush();
      loop.stop();
      await store.pace.close();
      await services.close();
      await readers.close();
      await logThread?.close();
      await store.close();
    },
  };
}
