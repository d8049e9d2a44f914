import type { Config } from '../../lib/config.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { preloadModules } from '../../lib/preload.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { requirePackage } from '../../lib/runtime/require-package.js';
import { withTimeout } from '../../lib/runtime/with-timeout.js';
import { readyBrowser } from '../../lib/web/browser/ready.js';
import type { HostingConfig } from '../config/hosting-config.js';
import { retentionByName } from '../config/retention-config.js';
import { checkTrustedProxies, type ServerConfig } from '../config/server-config.js';
import { preloadFileKinds } from '../files/result-files/write-file.js';
import { type LogSink, serverLog } from '../output/log.js';
import { adminSignInPath } from '../service/accounts/sign-in/sign-in.js';
import { noteSettings } from '../service/audit/note-settings.js';
import { restrictToOwner } from './file-permissions.js';
import { freePort, listenFault } from './listen.js';
import { forgetAddress, noteAddress } from './server-address.js';
import { openParts, type ServerParts } from './server-parts.js';

const defaultDrainMs = 10_000;
/** Time for sending the refusals of cancelled calls, in milliseconds. */
const closeGraceMs = 1_000;

/** Time for closing the stores: a database that does not answer must not keep the server from stopping. */
const storesGraceMs = 2_000;

export interface RunningServer {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** True if there is no account yet. */
  readonly isNew: boolean;
  /** A single-use link to the admin page; null for a server without pages. */
  readonly adminLink: string | null;
  /**
   * Stops the server: rejects new requests, ends running calls within ten seconds, and closes everything. A database
   * that does not answer adds at most three seconds.
   */
  stop(): Promise<void>;
}

export interface ServeOptions {
  readonly config: Config;
  readonly server: ServerConfig;
  readonly hosting: HostingConfig;
  readonly log: LogSink;
  /** Serves only this machine, without keys. */
  readonly local?: boolean;
  readonly drainMs?: number;
  /** Cancels the start while it waits for the database. */
  readonly signal?: AbortSignal | undefined;
}

const silentStores = new StorageError('unreachable', 'The stores did not respond in time.');

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Opens now what could not be opened later, once descriptors run short. */
async function preload(config: Config, { store, services }: ServerParts): Promise<void> {
  await Promise.all([
    preloadModules(config, store.connections() === null ? 'files' : 'database'),
    preloadFileKinds(),
    services.secret(),
    services.pages(),
  ]);
}

/** Reports that the server has started. A ledger that cannot be written fails here. */
async function openGreeting({ docsBase, hosting, store }: ServerParts) {
  const adminLink = `${docsBase}${adminSignInPath}?token=${await hosting.admin.createLink()}`;
  return { adminLink, isNew: (await store.accounts.count()) === 0 };
}

const storageSettings = ({ cacheDiskMb }: Config, { accountMb, trialCredits, ...server }: ServerConfig) => ({
  EXTRACT_ACCOUNT_MB: accountMb,
  EXTRACT_CACHE_DISK_MB: cacheDiskMb,
  ...retentionByName(server),
  EXTRACT_TRIAL_CREDITS: trialCredits,
});

/**
 * Starts the server over the configured database or the data directory. Waits for a database that cannot be reached.
 * Rejects if it cannot listen.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { config, server, hosting, local = false, drainMs = defaultDrainMs } = options;
  const { host, roles } = server;
  checkTrustedProxies(server.trustProxy);
  if (hosting.stripe !== undefined) requirePackage('stripe', 'EXTRACT_STRIPE_KEY');
  await readyBrowser(config);
  await restrictToOwner(config.home);
  const port = server.port === 0 ? await freePort(host) : server.port;
  const log = serverLog(server.logLevel, options.log);
  const closing = new AbortController();
  const parts = await openParts({
    config,
    server,
    hosting,
    port,
    log,
    local,
    closing: closing.signal,
    giveUp: options.signal,
  });
  const { app, docsBase, health, jobs } = parts;
  let greeting: Pick<RunningServer, 'adminLink' | 'isNew'> = { adminLink: null, isNew: false };
  try {
    await preload(config, parts);
    await noteSettings(parts.store.audit, storageSettings(config, server));
    await health.start();
    if (roles.includes('api') && !local) greeting = await openGreeting(parts);
    await app.listen({ host, port });
    if (roles.includes('api')) noteAddress(config.home, docsBase);
  } catch (cause) {
    await parts.close();
    throw listenFault(cause, host, port);
  }
  if (roles.includes('worker')) jobs.start();
  parts.hosting.start();
  void parts.sweep.run();
  return {
    url: `http://${inUrl(host)}:${port}`,
    ...greeting,
    async stop() {
      if (roles.includes('api')) forgetAddress(config.home);
      const timers = [
        setTimeout(() => {
          closing.abort(
            new ExtractError('platform_timeout', 'The server stopped before the platform responded.'),
          );
        }, drainMs),
        // Disconnects clients that have not read their response by then.
        setTimeout(() => app.server.closeAllConnections(), drainMs + closeGraceMs),
      ];
      try {
        await withTimeout(
          parts.close(),
          drainMs + closeGraceMs + storesGraceMs,
          systemClock,
          () => silentStores,
        );
      } catch (cause) {
        if (cause !== silentStores) throw cause;
        // As after a crash: other servers refund open calls and take over running work.
        log.warn('stopped without closing its stores, which did not respond in time');
      } finally {
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}
