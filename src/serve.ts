import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import type { Config, ServerConfig } from '../lib/config.js';
import { endpoints } from '../lib/endpoints.js';
import { defaultDocsBase, ExtractError } from '../lib/errors/extract-error.js';
import { systemClock } from '../lib/runtime/clock.js';
import { requirePackage } from '../lib/runtime/optional-package.js';
import { openServices } from '../lib/services.js';
import { openMailer } from './accounts/mail/open-mailer.js';
import { openHosting } from './accounts/open-hosting.js';
import { adminSignInPath } from './accounts/sign-in/sign-in.js';
import type { HostingConfig } from './config/hosting-config.js';
import { openJobs } from './jobs/open-jobs.js';
import { openStore } from './open-store.js';
import { createApp } from './server/app.js';
import type { LogSink } from './server/log.js';
import { Metrics } from './server/metrics.js';
import { checkTrustedProxies } from './server/trusted-proxies.js';

const usualPatience = 10_000;
/** Milliseconds after that in which their refusals must have left. */
const lastMoments = 1_000;

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** True when nobody has an account yet. */
  readonly isNew: boolean;
  /** The way to the admin page, once. */
  readonly adminLink: string;
  /** Stops: takes no more, ends what is under way within ten seconds, lets go of everything. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly config: Config;
  readonly server: ServerConfig;
  readonly desk: HostingConfig;
  readonly log: LogSink;
  /** Milliseconds that calls under way are given when the server stops. */
  readonly patienceMs?: number;
}

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** A port that is free, for a server that is told to take any: its documentation's address has to be known before. */
async function freePort(host: string): Promise<number> {
  const probe = net.createServer().listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the server over a data directory. Rejects when it cannot listen. */
export async function serve({
  config,
  server,
  desk: deskConfig,
  log,
  patienceMs = usualPatience,
}: ServeOptions): Promise<RunningServer> {
  checkTrustedProxies(server.trustProxy);
  if (deskConfig.stripe !== undefined) requirePackage('stripe', 'EXTRACT_STRIPE_KEY');
  const port = server.port === 0 ? await freePort(server.host) : server.port;
  const opened = await openStore(config.home, systemClock, server.trialCredits);
  const { ledger, accounts, books } = opened;
  const metrics = new Metrics();
  const services = openServices(config, {
    ledger,
    onCacheFault(fault) {
      metrics.cacheUsable(fault === null);
      if (fault === null) app.log.info('the cache file can be used again');
      else app.log.warn({ err: fault.cause }, fault.message);
    },
  });
  const closing = new AbortController();
  // The default leads to the default port: a server that listens elsewhere has its documentation there.
  const docsBase = config.docsUrl === defaultDocsBase ? `http://localhost:${port}` : config.docsUrl;
  collectDefaultMetrics({ register: metrics.registry });
  const jobs = openJobs({
    books,
    services: { ...services, docsBase, fetched: (endpoint, data) => metrics.fetched(endpoint, data) },
    config,
    endpoints,
    webhookAllow: server.webhookAllow,
    answered: (endpoint, answer, seconds) => metrics.answered(endpoint, answer, seconds),
    refused: (endpoint, code) => metrics.refused(endpoint, code),
    troubled: (job, cause) => app.log.error({ job, err: cause }, 'a job cannot go on now'),
  });
  const desk = openHosting({
    ...{ opened, config: deskConfig, clock: systemClock, publicUrl: docsBase },
    proxy: config,
    mailer: await openMailer({
      ...{ home: config.home, mail: deskConfig.mail, clock: systemClock },
      // The one secret that the log is to hold: without a mail server there is no other way to sign in.
      kept: ({ to, link }, file) =>
        app.log.info({ to, link, file }, 'a mail was kept, as no mail server is set'),
    }),
    troubled: (account, cause) => app.log.error({ account, err: cause }, 'the desk could not do its work'),
  });
  const app = createApp({
    metrics,
    services: { ...services, docsBase },
    accounts,
    jobs,
    dashboard: { desk, books },
    config: server,
    log,
    closing: closing.signal,
  });
  const close = async () => {
    // Inputs that run are left for the next start: nothing is lost by not waiting for them.
    await Promise.all([app.close(), jobs.stop()]);
    // After the requests, of which one may be sending a mail.
    await desk.stop();
    await services.close();
  };
  try {
    await app.listen({ host: server.host, port });
  } catch (cause) {
    await close();
    const reason = listenFaults[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new ExtractError('invalid_parameter', `Cannot listen on ${server.host}, port ${port}: ${reason}.`, {
      cause,
    });
  }
  jobs.start();
  desk.start();
  return {
    url: `http://${inUrl(server.host)}:${port}`,
    isNew: (await accounts.list()).length === 0,
    adminLink: `${docsBase}${adminSignInPath}?token=${await desk.admin.link()}`,
    async stop() {
      const timers = [
        setTimeout(() => {
          closing.abort(
            new ExtractError('platform_timeout', 'The server stopped before the platform had answered.'),
          );
        }, patienceMs),
        // Who does not take the answer even now is not waited for.
        setTimeout(() => app.server.closeAllConnections(), patienceMs + lastMoments),
      ];
      try {
        await close();
      } finally {
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}
