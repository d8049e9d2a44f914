import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lazyCache, noCache, type OnCacheFault } from './cache/cache.js';
import type { FetchLeases } from './cache/fetch-leases.js';
import { SingleFlight } from './cache/single-flight.js';
import type { CacheTier } from './cache/tier.js';
import type { Services } from './call/call.js';
import type { EndpointReader } from './call/read-endpoint.js';
import type { Config } from './config.js';
import { sqliteSchema } from './database/sqlite/migration.js';
import { invalidParameter } from './errors/extract-error.js';
import { isShortageCause, ShortageError } from './errors/shortage.js';
import type { Ledger } from './ledger/ledger.js';
import { withEndlessLocalAccount, withFixedLocalAccount } from './ledger/local-account.js';
import { owedOn, RetryingLedger } from './ledger/retrying-ledger.js';
import { initialBalance } from './ledger/sqlite/ledger-file.js';
import { openLedger, type SqliteLedger } from './ledger/sqlite/sqlite-ledger.js';
import { sites } from './platforms.js';
import type { Json } from './read/json.js';
import { systemClock } from './runtime/clock.js';
import { makeOnce } from './runtime/make-once.js';
import { requirePackage } from './runtime/require-package.js';
import { cursorSecret } from './runtime/secret.js';
import { sampleOf } from './samples.js';
import { SuppressionStore } from './suppressions/suppression-store.js';
import type { Suppressions } from './suppressions/suppressions.js';
import { suppressionsSchema } from './suppressions/suppressions-schema.js';
import { WatchedSuppressions } from './suppressions/watched-suppressions.js';
import type { BrowserSource } from './web/browser/browser-source.js';
import type { VisitCounts } from './web/browser/visits.js';
import { gapOf } from './web/gap.js';
import type { PaceStore } from './web/pace-store.js';
import type { PageEvidence } from './web/page-evidence.js';
import type { PageSource, Site } from './web/page-source.js';

// Modules that load a heavy package (the network, the cache's tiers) are imported on first use. The rest is small:
// another file costs more at startup than its lines.

/** The services of an extractor or a server. They reopen when used after `close()`. */
export interface OpenServices extends Services {
  /** Browser visits: open now, and since the start. */
  browserVisits(): VisitCounts;
  close(): Promise<void>;
}

type NumberByName = Readonly<Partial<Record<string, number>>>;

/**
 * Reads a JSON file that replaces a platform's dated data. Read for every fetch, so that corrections apply immediately.
 * Throws `invalid_parameter`, naming the setting, for an unreadable file.
 */
export async function readOverrides(setting: string, file: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Json;
  } catch (cause) {
    if (isShortageCause(cause)) throw new ShortageError({ cause });
    throw invalidParameter(`The file of the setting ${setting} is not readable JSON.`, {
      cause,
    });
  }
}

function notClosed(store: PaceStore): PaceStore {
  return {
    isRequired: store.isRequired,
    reserve: (platform, pace, instead) => store.reserve(platform, pace, instead),
    find: (platform) => store.find(platform),
    recordRefusal: (platform, refusal) => store.recordRefusal(platform, refusal),
    recordErrorRoute: (platform, print) => store.recordErrorRoute(platform, print),
    recordAnswer: (platform, began) => store.recordAnswer(platform, began),
    listPlatforms: () => store.listPlatforms(),
    addDays: (days) => store.addDays(days),
    listDays: (since) => store.listDays(since),
    close: async () => undefined,
  };
}

/** Opens the data directory's pace store, unless there is a shared one, which its opener closes. */
async function openPace(config: Config, shared: PaceStore | undefined): Promise<PaceStore> {
  if (shared !== undefined) return notClosed(shared);
  const { paceInFile } = await import('./web/sqlite/pace-file.js');
  return paceInFile(config.home, systemClock);
}

async function openPages(
  config: Config,
  callerPace: PaceStore | undefined,
  onBrowser: (source: BrowserSource) => void,
): Promise<PageSource> {
  if (config.fromPages !== undefined) {
    const { fromSavedPages } = await import('./web/saved-pages.js');
    return fromSavedPages(config.fromPages);
  }
  const [{ createNetwork, networkDefaults }, paceStore] = await Promise.all([
    import('./web/network.js'),
    openPace(config, callerPace),
  ]);
  const { paceMs, concurrency }: Readonly<Record<'paceMs' | 'concurrency', NumberByName>> = config;
  const network = createNetwork({
    userAgent: config.userAgent,
    pace: (site: Site, surface: string) => gapOf(site, surface, { paceMs, concurrency }),
    timeouts: networkDefaults.timeouts,
    cooldownMs: config.cooldownMs,
    proxy: config,
    clock: systemClock,
    random: Math.random,
    paceStore,
  });
  const { withBrowserFallback } = await import('./web/browser-fallback.js');
  const { findBrowser } = await import('./web/browser/find.js');
  const pages = withBrowserFallback(network, {
    use: config.browser,
    find: () => findBrowser(config),
    async open({ path, sandbox }) {
      const { createBrowserSource } = await import('./web/browser/browser-source.js');
      return createBrowserSource({
        path,
        sandbox,
        headed: config.browserHeaded,
        contexts: config.browserContexts,
        sites,
        proxy: config,
        extraCaCerts: config.extraCaCerts,
        throttleOf: network.throttleOf,
        clock: systemClock,
      });
    },
    onOpen: onBrowser,
  });
  if (config.savePages === undefined) return pages;
  const { savePages } = await import('./web/save-pages.js');
  return savePages(pages, config.savePages);
}

/** Parts that the program provides. */
export interface CallerServices {
  /** The ledger of a program with its own tables in the file; closed with the rest. */
  readonly ledger?: Ledger | undefined;
  /** The suppressed subjects that belong to that ledger. */
  readonly suppressions?: Suppressions | undefined;
  /** Called with the error of an unusable cache, and null once it works again; by default a Node.js warning. */
  readonly onCacheFault?: ((fault: Error | null) => void) | undefined;
  /** The stores that a database's servers share, instead of a data directory. Their opener closes them. */
  readonly shared?: SharedServices | undefined;
  /** Stores every page that is read. Its opener closes it. */
  readonly evidence?: PageEvidence | undefined;
  /** Runs readers outside this thread. Its opener closes it. */
  readonly read?: EndpointReader | undefined;
}

/** The services that all servers of a database share. */
export interface SharedServices {
  readonly paceStore: PaceStore;
  /** Opens the second tier of the cache, which is closed with the services. */
  cacheTier(onFault: OnCacheFault): CacheTier;
  /** Key that signs cursors. */
  secret(): Promise<Uint8Array>;
  /** Lets equal misses share one fetch. */
  readonly leases: FetchLeases;
}

function warn(fault: Error | null): void {
  if (fault !== null) {
    const warning = new Error(fault.message, { cause: fault.cause });
    process.emitWarning(Object.assign(warning, { name: 'ExtractWarning', code: 'EXTRACT_CACHE_UNUSABLE' }));
  }
}

/**
 * Opens the services of a configuration: ledger and cache in its data directory, pages from the network or a folder.
 * Throws `invalid_parameter` if a setting needs a package that is not installed.
 */
export function openServices(config: Config, parts: CallerServices = {}): OpenServices {
  const { onCacheFault = warn, shared, evidence, read: readEndpoint } = parts;
  // Checked now, because a missing cache would go unnoticed later.
  if (config.cache && config.cacheUrl !== undefined) requirePackage('@redis/client', 'EXTRACT_CACHE_URL');
  // Only for programs without their own ledger: a server's accounts pay.
  const openLocalLedger = (): Ledger => {
    localFile = openLedger(ledgerFile, { clock: systemClock, schemas: [sqliteSchema(suppressionsSchema)] });
    const localLedger = new RetryingLedger(localFile, systemClock, owedOn(path.resolve(ledgerFile)));
    return config.localCredits === 'fixed'
      ? withFixedLocalAccount(localLedger)
      : withEndlessLocalAccount(localLedger, systemClock);
  };
  let localFile: SqliteLedger | undefined;
  const ledgerFile = path.join(config.home, 'ledger.db');
  const callerLedger = parts.ledger && new RetryingLedger(parts.ledger, systemClock);
  let ledger: Ledger | undefined = callerLedger;
  const suppressed = new WatchedSuppressions(async () => {
    if (parts.suppressions !== undefined) return parts.suppressions;
    ledger ??= openLocalLedger();
    const { stores } = await (localFile as SqliteLedger).database();
    return new SuppressionStore(stores, systemClock);
  }, systemClock);
  // The answer cache is off while pages are saved, archived or replayed.
  const keepsPages = config.savePages !== undefined || evidence !== undefined;
  const keepsAnswers = config.cache && !keepsPages && config.fromPages === undefined;
  const cache = lazyCache(async () => {
    if (!keepsAnswers) return noCache;
    const { openCache, tieredCache } = await import('./cache/open-cache.js');
    const memoryBytes = config.cacheMemoryMb * 1024 * 1024;
    const onFault: OnCacheFault = (fault) => {
      // If the native module is missing, the ledger fails the same call with a clear message.
      if (fault?.fault !== 'uninstalled') onCacheFault(fault);
    };
    if (config.cacheUrl !== undefined) {
      const { redisTier } = await import('./cache/redis/redis-tier.js');
      return tieredCache(memoryBytes, redisTier(config.cacheUrl, onFault));
    }
    if (shared !== undefined) return tieredCache(memoryBytes, shared.cacheTier(onFault));
    return openCache({
      file: path.join(config.home, 'answers.db'),
      replaces: path.join(config.home, 'cache.db'),
      memoryBytes,
      diskBytes: config.cacheDiskMb * 1024 * 1024,
      onFault,
    });
  });
  let browser: BrowserSource | undefined;
  const pages = makeOnce(() =>
    openPages(config, shared?.paceStore, (source) => {
      browser = source;
    }),
  );
  const secret = makeOnce(() => shared?.secret() ?? cursorSecret(config.home));
  return {
    clock: systemClock,
    docsBase: config.docsUrl,
    deadlineMs: config.timeoutMs,
    flights: new SingleFlight(),
    // Without a cache there is nothing to share.
    leases: keepsAnswers ? shared?.leases : undefined,
    get ledger() {
      ledger ??= openLocalLedger();
      return ledger;
    },
    initialBalance: () => (callerLedger === undefined ? initialBalance(ledgerFile) : null),
    cache,
    pages: pages.get,
    read: readEndpoint,
    evidence,
    browserVisits: () => browser?.counts ?? { open: 0, started: 0 },
    async overrides(platform) {
      if (platform !== 'photosocial' || config.photosocialDocuments === undefined) return null;
      return readOverrides('EXTRACT_PHOTOSOCIAL_DOCUMENTS', config.photosocialDocuments);
    },
    sample: sampleOf,
    secret: secret.get,
    ...(callerLedger === undefined || parts.suppressions !== undefined
      ? { suppressed: () => suppressed.current() }
      : {}),
    async close() {
      const database = ledger;
      ledger = callerLedger;
      await Promise.all([
        pages
          .take()
          ?.catch(() => undefined)
          .then((source) => source?.close()),
        cache.close(),
        database?.close(),
      ]);
    },
  };
}
