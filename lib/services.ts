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
import { ExtractError } from './errors/extract-error.js';
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
import type { PageArchive } from './web/page-archive.js';
import type { PageSource, Site } from './web/page-source.js';

// Modules that load a heavy package (the network, the cache's tiers) are imported when they are first needed. The
// rest is small, and a file more costs a program's start more than the lines in it.

/** The services of an extractor or a server. `close()` closes all that was opened, and a later use opens it again. */
export interface OpenServices extends Services {
  /** Visits of the browser: under way, and since the start. */
  browserVisits(): VisitCounts;
  close(): Promise<void>;
}

type NumberByName = Readonly<Partial<Record<string, number>>>;

/**
 * The JSON of a file that replaces dated data of a platform. Read for every fetch, so that a corrected file
 * counts at once. Throws `invalid_parameter`, naming the setting, for a file that cannot be read.
 */
export async function readOverrides(setting: string, file: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Json;
  } catch (cause) {
    if (isShortageCause(cause)) throw new ShortageError({ cause });
    throw new ExtractError('invalid_parameter', `The file of the setting ${setting} is not readable JSON.`, {
      cause,
    });
  }
}

/** The same store, which stays open. */
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

/** The pace of the data directory, where no other is given. A given one is closed by whoever opened it. */
async function openPace(config: Config, given: PaceStore | undefined): Promise<PaceStore> {
  if (given !== undefined) return notClosed(given);
  const { paceInFile } = await import('./web/sqlite/pace-file.js');
  return paceInFile(config.home, systemClock);
}

async function openPages(
  config: Config,
  givenPace: PaceStore | undefined,
  onBrowser: (source: BrowserSource) => void,
): Promise<PageSource> {
  if (config.fromPages !== undefined) {
    const { fromSavedPages } = await import('./web/saved-pages.js');
    return fromSavedPages(config.fromPages);
  }
  const [{ createNetwork, networkDefaults }, paceStore] = await Promise.all([
    import('./web/network.js'),
    openPace(config, givenPace),
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

/** The parts that the program around the services brings along. */
export interface GivenServices {
  /** The ledger of a program that keeps tables in its file; it is closed with the rest. */
  readonly ledger?: Ledger | undefined;
  /** The suppressed subjects beside that ledger. */
  readonly suppressions?: Suppressions | undefined;
  /** Receives the fault of an unusable cache, and null when it works again; by default Node.js warns of it. */
  readonly onCacheFault?: ((fault: Error | null) => void) | undefined;
  /** The store that servers of one database share in place of a data directory; its opener closes it. */
  readonly shared?: SharedServices | undefined;
  /** Keeps all that is read. Its opener closes it. */
  readonly archive?: PageArchive | undefined;
  /** Reads endpoints in place of this thread. Its opener closes it. */
  readonly read?: EndpointReader | undefined;
}

/** The services of a call that all servers of a database share. */
export interface SharedServices {
  /** Pace and cool-downs. */
  readonly paceStore: PaceStore;
  /** Opens the second tier of the cache, which is closed with the services. */
  cacheTier(onFault: OnCacheFault): CacheTier;
  /** Key that signs cursors. */
  secret(): Promise<Uint8Array>;
  /** By which equal misses share a fetch. */
  readonly leases: FetchLeases;
}

function warn(fault: Error | null): void {
  if (fault !== null) {
    const warning = new Error(fault.message, { cause: fault.cause });
    process.emitWarning(Object.assign(warning, { name: 'ExtractWarning', code: 'EXTRACT_CACHE_UNUSABLE' }));
  }
}

/**
 * The services of a configuration: ledger and cache in its data directory, pages from network or folder. Throws
 * `invalid_parameter` where a setting needs a package that is not installed.
 */
export function openServices(config: Config, given: GivenServices = {}): OpenServices {
  const { onCacheFault = warn, shared, archive, read } = given;
  // Before a call: a cache that is wanted and cannot be there would be missed by nobody.
  if (config.cache && config.cacheUrl !== undefined) requirePackage('@redis/client', 'EXTRACT_CACHE_URL');
  // A server's ledger, which is given, has accounts that pay.
  const openOwnLedger = (): Ledger => {
    ownFile = openLedger(ledgerFile, { clock: systemClock, schemas: [sqliteSchema(suppressionsSchema)] });
    const ownLedger = new RetryingLedger(ownFile, systemClock, owedOn(path.resolve(ledgerFile)));
    return config.localCredits === 'fixed'
      ? withFixedLocalAccount(ownLedger)
      : withEndlessLocalAccount(ownLedger, systemClock);
  };
  let ownFile: SqliteLedger | undefined;
  const ledgerFile = path.join(config.home, 'ledger.db');
  const givenLedger = given.ledger && new RetryingLedger(given.ledger, systemClock);
  let ledger: Ledger | undefined = givenLedger;
  const suppressed = new WatchedSuppressions(async () => {
    if (given.suppressions !== undefined) return given.suppressions;
    ledger ??= openOwnLedger();
    const { stores } = await (ownFile as SqliteLedger).database();
    return new SuppressionStore(stores, systemClock);
  }, systemClock);
  // Pages are kept, or read anew from where they were kept, only where no kept answer stands in for them.
  const keepsPages = config.savePages !== undefined || archive !== undefined;
  const keepsAnswers = config.cache && !keepsPages && config.fromPages === undefined;
  const cache = lazyCache(async () => {
    if (!keepsAnswers) return noCache;
    const { openCache, tieredCache } = await import('./cache/open-cache.js');
    const memoryBytes = config.cacheMemoryMb * 1024 * 1024;
    const onFault: OnCacheFault = (fault) => {
      // Where the native module is missing, the ledger refuses the same call, and says so.
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
    // Without a cache there is nothing to wait for.
    leases: keepsAnswers ? shared?.leases : undefined,
    get ledger() {
      ledger ??= openOwnLedger();
      return ledger;
    },
    initialBalance: () => (givenLedger === undefined ? initialBalance(ledgerFile) : null),
    cache,
    pages: pages.get,
    read,
    archive,
    browserVisits: () => browser?.counts ?? { open: 0, begun: 0 },
    async overrides(platform) {
      if (platform !== 'photosocial' || config.photosocialDocuments === undefined) return null;
      return readOverrides('EXTRACT_PHOTOSOCIAL_DOCUMENTS', config.photosocialDocuments);
    },
    sample: sampleOf,
    secret: secret.get,
    ...(givenLedger === undefined || given.suppressions !== undefined
      ? { suppressed: () => suppressed.current() }
      : {}),
    async close() {
      const database = ledger;
      ledger = givenLedger;
      await Promise.all([
        pages
          .take()
          ?.catch(() => undefined)
          .then((opened) => opened?.close()),
        cache.close(),
        database?.close(),
      ]);
    },
  };
}
