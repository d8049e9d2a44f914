import { answersSchema } from '../lib/cache/postgres/answers-schema.js';
import { leasesSchema } from '../lib/cache/postgres/leases-schema.js';
import { PostgresLeases } from '../lib/cache/postgres/postgres-leases.js';
import { postgresTier } from '../lib/cache/postgres/postgres-tier.js';
import type { Imbalance } from '../lib/ledger/imbalance.js';
import { imbalances } from '../lib/ledger/postgres/integrity.js';
import { ledgerSchema } from '../lib/ledger/postgres/ledger-schema.js';
import { countNodes, type NodeCounts } from '../lib/ledger/postgres/nodes.js';
import { PostgresLedger } from '../lib/ledger/postgres/postgres-ledger.js';
import { type DatabaseConfig, type DatabaseTimeouts, defaultTimeouts } from '../lib/postgres/connect.js';
import { inspectServer, type ServerFacts } from '../lib/postgres/inspect-server.js';
import {
  migrateDatabase,
  refuseNewer,
  refuseOldServer,
  type SchemaState,
  schemaStates,
} from '../lib/postgres/migrate.js';
import { Postgres } from '../lib/postgres/postgres.js';
import type { Queries } from '../lib/postgres/queries.js';
import type { AnySchema, PostgresSchema } from '../lib/postgres/table-schema.js';
import { type Clock, systemClock } from '../lib/runtime/clock.js';
import { makeOnce } from '../lib/runtime/make-once.js';
import { databaseSecret } from '../lib/runtime/postgres/database-secret.js';
import { secretsSchema } from '../lib/runtime/postgres/secrets-schema.js';
import { paceSchema } from '../lib/web/postgres/pace-schema.js';
import { PostgresPaceStore } from '../lib/web/postgres/postgres-pace-store.js';
import { keyedDigest } from './accounts/digests.js';
import { ledgerMoney } from './accounts/postgres/ledger-money.js';
import { hostingSchemas, postgresHosting } from './accounts/postgres/open-accounts.js';
import { healthSchema } from './health/postgres/health-schema.js';
import { PostgresHealthStore } from './health/postgres/postgres-health-store.js';
import { Engine } from './jobs/postgres/engine.js';
import { engineSchema } from './jobs/postgres/engine-schema.js';
import { jobsSchema } from './jobs/postgres/jobs-schema.js';
import { openDatabaseJobs } from './jobs/postgres/open-database-jobs.js';
import { PostgresJobs } from './jobs/postgres/postgres-jobs.js';
import { ResultsDays } from './jobs/postgres/results-days.js';
import { PostgresSchedules } from './jobs/schedules/postgres/postgres-schedules.js';
import { schedulesSchema } from './jobs/schedules/postgres/schedules-schema.js';
import { attemptTasks } from './jobs/webhooks/postgres/engine-deliverer.js';
import { PostgresWebhooks } from './jobs/webhooks/postgres/postgres-webhooks.js';
import { webhooksSchema } from './jobs/webhooks/postgres/webhooks-schema.js';
import { limitsSchema } from './limits/postgres/limits-schema.js';
import { PostgresCounts } from './limits/postgres/postgres-counts.js';
import type { OpenStore } from './stores.js';
import { PostgresTransientTexts } from './transient/postgres/postgres-transient-texts.js';
import { transientSchema } from './transient/postgres/transient-schema.js';
import { measureDisk } from './usage/measure-disk.js';
import { PostgresRefusedCalls } from './usage/postgres/postgres-refused-calls.js';
import { PostgresUsageArchive } from './usage/postgres/postgres-usage-archive.js';
import { PostgresUsageQueries } from './usage/postgres/postgres-usage-queries.js';
import { refusedCallsSchema } from './usage/postgres/refused-calls-schema.js';

/** The tables of a server's state, in the order in which they are made. */
export const postgresSchemas: readonly PostgresSchema[] = [
  secretsSchema,
  answersSchema,
  leasesSchema,
  ledgerSchema,
  refusedCallsSchema,
  ...hostingSchemas,
  healthSchema,
  jobsSchema,
  webhooksSchema,
  schedulesSchema,
  paceSchema,
  limitsSchema,
  transientSchema,
];

/** All tables, those of the engine of jobs included. Throws `invalid_parameter` where its package is not installed. */
export function allSchemas(): readonly AnySchema[] {
  return [...postgresSchemas, engineSchema()];
}

/** Brings the tables of a database up to this version. Resolves with how far they were. */
export function migrateTables(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  return migrateDatabase(config.url, allSchemas(), clock);
}

/** Runs work on a connection of its own. The tables are those of this version or an earlier one. */
async function lookInto<T>(
  config: DatabaseConfig,
  clock: Clock,
  work: (queries: Queries, states: readonly SchemaState[]) => Promise<T>,
  timeouts: DatabaseTimeouts = defaultTimeouts,
): Promise<T> {
  const postgres = await Postgres.open({ ...config, connections: 1 }, clock, timeouts);
  try {
    return await postgres.read(async (queries) => {
      await refuseOldServer(queries);
      const states = await schemaStates(queries, allSchemas());
      refuseNewer(states);
      return work(queries, states);
    });
  } finally {
    await postgres.close();
  }
}

/**
 * Looks how far the tables of a database are, and changes nothing. Rejects with a `StorageError` where it cannot be
 * used. Rejects with an error of the catalogue for newer tables and for a server that is too old.
 */
export function tableStates(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  return lookInto(config, clock, async (_, states) => states);
}

/** What is found in a database. */
export interface DatabaseInspection {
  readonly server: ServerFacts;
  readonly tables: readonly SchemaState[];
  /** Null where the tables are to be made or migrated first. */
  readonly nodes: NodeCounts | null;
  /** Accounts whose books do not balance; null where nobody added them up. */
  readonly imbalances: readonly Imbalance[] | null;
}

/** Looks into a database, and changes nothing. `whole`: adds up all books. Rejects as `tableStates` does. */
export function inspectDatabase(
  config: DatabaseConfig,
  clock: Clock,
  whole: boolean,
): Promise<DatabaseInspection> {
  // Adding up the books takes as long as there are rows.
  const timeouts = whole ? { ...defaultTimeouts, statement: 0, answer: 0 } : defaultTimeouts;
  return lookInto(
    config,
    clock,
    async (queries, tables) => {
      const server = await inspectServer(queries, clock);
      const isCurrent = tables.every(({ version, wanted }) => version === wanted);
      return {
        ...{ server, tables },
        nodes: isCurrent ? await countNodes(queries) : null,
        imbalances: isCurrent && whole ? await imbalances(queries) : null,
      };
    },
    timeouts,
  );
}

export interface OpenDatabaseOptions {
  /** Data directory: what this machine alone keeps, such as mails without a mail server. */
  readonly home: string;
  readonly clock: Clock;
  readonly trialCredits: number;
  /** For which the database is waited. */
  readonly timeouts?: DatabaseTimeouts;
}

/**
 * Opens the stores of a database, and brings its tables up to this version before that. Whoever opens them closes them.
 * Rejects with a `StorageError` where it cannot be used, and with `internal_error` for tables of a later version.
 */
export async function openDatabase(
  config: DatabaseConfig,
  { home, clock, trialCredits, timeouts }: OpenDatabaseOptions,
): Promise<OpenStore> {
  // What waits for a network waits by the system's clock, whatever the stores are told the time is.
  await migrateTables(config, systemClock);
  const postgres = await Postgres.open(config, systemClock, timeouts);
  const ledger = new PostgresLedger(postgres, clock);
  const leases = new PostgresLeases(postgres, systemClock);
  const engine = new Engine({ postgres, clock: systemClock });
  const close = async () => {
    await engine.stop();
    await ledger.close();
    await leases.close();
    await postgres.close();
  };
  try {
    const secret = makeOnce(() => databaseSecret(postgres)).get;
    const digest = keyedDigest(await secret());
    const pace = new PostgresPaceStore(postgres, clock);
    const refusedCalls = new PostgresRefusedCalls(postgres, clock);
    const days = new ResultsDays(postgres);
    const jobs = new PostgresJobs({ postgres, clock, engine, days, owner: ledger.owner });
    const webhooks = new PostgresWebhooks(postgres, clock, attemptTasks(engine));
    const schedules = new PostgresSchedules(postgres, clock, (...given) => jobs.makeScheduled(...given));
    return {
      ...postgresHosting({
        ...{ postgres, clock, digest, trialCredits },
        money: ledgerMoney(ledger.owner),
        // Webhooks before the jobs that they belong to.
        rows: [
          webhooks,
          jobs,
          { deleteAccount: (queries, { account }) => refusedCalls.deleteAccount(queries, account) },
        ],
      }),
      ledger,
      usage: new PostgresUsageQueries(postgres, () => measureDisk(home)),
      refusedCalls,
      pace,
      health: new PostgresHealthStore(postgres),
      usageArchive: new PostgresUsageArchive(postgres),
      createJobs: (options) =>
        openDatabaseJobs({ postgres, engine, days, jobs, webhooks, schedules }, options),
      sharedCounts: new PostgresCounts(postgres),
      transient: new PostgresTransientTexts(postgres),
      shared: (cacheBytes) => ({
        paceStore: pace,
        cacheTier: (onFault) => postgresTier(postgres, cacheBytes, onFault),
        secret,
        leases,
      }),
      check: () => ledger.begin(),
      connections: () => ({ ...postgres.load, max: config.connections }),
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
