import path from 'node:path';
import { checkLedger } from '../lib/ledger/sqlite/integrity.js';
import { type LedgerDatabase, openLedger, type SqliteLedger } from '../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../lib/runtime/clock.js';
import { cursorSecret } from '../lib/runtime/secret.js';
import { StateFile } from '../lib/sqlite/state-file.js';
import type { PaceStore } from '../lib/web/pace-store.js';
import { SqlitePaceStore } from '../lib/web/sqlite/sqlite-pace-store.js';
import { alertsSchema } from './accounts/alerts/sqlite/alerts-schema.js';
import { SqliteAlerts } from './accounts/alerts/sqlite/sqlite-alerts.js';
import { keyedDigest } from './accounts/digests.js';
import { packsSchema } from './accounts/packs/sqlite/packs-schema.js';
import { SqlitePurchases } from './accounts/packs/sqlite/sqlite-purchases.js';
import { Sessions } from './accounts/sign-in/sqlite/sessions.js';
import { SignInLinks } from './accounts/sign-in/sqlite/sign-in-links.js';
import { signInSchema } from './accounts/sign-in/sqlite/sign-in-schema.js';
import { SqliteAdminSignIn } from './accounts/sign-in/sqlite/sqlite-admin-sign-in.js';
import { SqliteSignIn } from './accounts/sign-in/sqlite/sqlite-sign-in.js';
import { accountsSchema } from './accounts/sqlite/accounts-schema.js';
import { SqliteAccounts } from './accounts/sqlite/sqlite-accounts.js';
import { Users } from './accounts/sqlite/users.js';
import { readDatabaseConfig } from './config/database-config.js';
import { healthSchema } from './health/sqlite/health-schema.js';
import { SqliteHealthStore } from './health/sqlite/sqlite-health-store.js';
import { type JobStores, openJobs } from './jobs/open-jobs.js';
import { SqliteSchedules } from './jobs/schedules/sqlite/sqlite-schedules.js';
import { jobsSchema } from './jobs/sqlite/jobs-schema.js';
import { FileRunnerLock } from './jobs/sqlite/runner-lock.js';
import { SqliteJobs } from './jobs/sqlite/sqlite-jobs.js';
import { SqliteWebhooks } from './jobs/webhooks/sqlite/sqlite-webhooks.js';
import type { NewsStore } from './news/news-store.js';
import { newsSchema } from './news/sqlite/news-schema.js';
import { SqliteNews } from './news/sqlite/sqlite-news.js';
import type { OpenStore } from './stores.js';
import { refusedCallsSchema, SqliteRefusedCalls } from './usage/sqlite/sqlite-refused-calls.js';
import { SqliteUsageArchive } from './usage/sqlite/sqlite-usage-archive.js';
import { SqliteUsageQueries } from './usage/sqlite/sqlite-usage-queries.js';
import { SqliteWatches, watchesSchema } from './watch/sqlite/sqlite-watches.js';
import type { WatchStore } from './watch/watch-store.js';

/** What commands remember from one run to the next. */
export interface OpenState {
  readonly news: NewsStore;
  readonly watches: WatchStore;
  close(): Promise<void>;
}

/** Opens the pace and the cool-downs that the processes of a data directory share. */
export function openPace(home: string, clock: Clock): PaceStore {
  return new SqlitePaceStore(home, clock);
}

/** Opens what commands remember: a file of its own, so that no call waits for it. */
export async function openState(home: string, clock: Clock): Promise<OpenState> {
  const file = await StateFile.open(path.join(home, 'state.db'), clock, [newsSchema, watchesSchema]);
  return {
    news: new SqliteNews(file, clock),
    watches: new SqliteWatches(file),
    close: () => file.close(),
  };
}

/** The stores of a data directory, with what only a file of SQLite has. */
export interface DirectoryStore extends OpenStore {
  readonly ledger: SqliteLedger;
  readonly database: LedgerDatabase;
  readonly jobStores: JobStores;
}

/** The tables in the file of the ledger, beside its own. */
export const storeSchemas = [
  accountsSchema,
  jobsSchema,
  signInSchema,
  packsSchema,
  alertsSchema,
  healthSchema,
  refusedCallsSchema,
] as const;

/**
 * Opens what servers keep: in the database that is set, else in the data directory. Whoever opens it closes it. Rejects
 * with a `StorageError` where it cannot be used.
 */
export async function openStore(home: string, clock: Clock, trialCredits: number): Promise<OpenStore> {
  const { database } = readDatabaseConfig();
  if (database === undefined) return openDirectory(home, clock, trialCredits);
  const { openDatabase } = await import('./open-postgres.js');
  return openDatabase(database, { home, clock, trialCredits });
}

/** Opens the stores of a data directory; whoever opens them closes them. */
export async function openDirectory(
  home: string,
  clock: Clock,
  trialCredits: number,
): Promise<DirectoryStore> {
  const ledger = openLedger(path.join(home, 'ledger.db'), { clock, schemas: storeSchemas });
  try {
    const database = await ledger.database();
    const digest = keyedDigest(await cursorSecret(home));
    const users = new Users(database, digest, trialCredits);
    const sessions = new Sessions(database, users);
    const links = new SignInLinks(database.db);
    const purchases = new SqlitePurchases(database, clock, users);
    const alerts = new SqliteAlerts(database, users);
    const jobs = new SqliteJobs(database, clock);
    const webhooks = new SqliteWebhooks(database, clock);
    // Webhooks before the jobs that they belong to.
    const refusedCalls = new SqliteRefusedCalls(database, clock);
    const rows = [webhooks, jobs, sessions, links, purchases, alerts, refusedCalls];
    const schedules = new SqliteSchedules(database, clock, jobs);
    const pace = new SqlitePaceStore(home, clock);
    const accounts = new SqliteAccounts(database, clock, users, rows);
    const jobStores = {
      jobs,
      webhooks,
      schedules,
      runnerLock: new FileRunnerLock(path.join(home, 'jobs'), clock),
    };
    return {
      ledger,
      database,
      accounts,
      alerts,
      purchases,
      adminSignIn: new SqliteAdminSignIn(database, clock),
      createSignIn: (options) => new SqliteSignIn({ ...options, database, users, sessions, links, digest }),
      usage: new SqliteUsageQueries(database, home),
      refusedCalls,
      pace,
      health: new SqliteHealthStore(database),
      usageArchive: new SqliteUsageArchive(database),
      check: () => database.read(() => checkLedger(database.db)),
      sharedCounts: undefined,
      transient: undefined,
      shared: () => undefined,
      connections: () => null,
      async close() {
        await ledger.close();
        await pace.close();
      },
      jobStores,
      createJobs: (options) => openJobs({ ...options, stores: jobStores }),
    };
  } catch (cause) {
    await ledger.close();
    throw cause;
  }
}
