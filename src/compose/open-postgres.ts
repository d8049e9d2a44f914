import { PostgresLeases } from '../../lib/cache/postgres/postgres-leases.js';
import { postgresTier } from '../../lib/cache/postgres/postgres-tier.js';
import type { DatabaseConfig, DatabaseTimeouts } from '../../lib/database/postgres/connect.js';
import { type ConnectionLoad, Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { makeOnce } from '../../lib/runtime/make-once.js';
import { databaseSecret } from '../../lib/runtime/postgres/database-secret.js';
import { PostgresPaceStore } from '../../lib/web/postgres/postgres-pace-store.js';
import { keyedDigest } from '../service/accounts/digests.js';
import { openHostingStore } from '../service/accounts/open-accounts.js';
import { holdAccount } from '../service/accounts/users.js';
import type { Operator } from '../service/audit/audit-log.js';
import { PostgresExpiringStore } from '../service/expiring-store/postgres/postgres-expiring-store.js';
import { StoredHealth } from '../service/health/health-history.js';
import { AccountStorage } from '../service/jobs/account-storage.js';
import { LinkStore } from '../service/jobs/links/link-store.js';
import { Engine } from '../service/jobs/postgres/engine.js';
import { openDatabaseJobs } from '../service/jobs/postgres/open-database-jobs.js';
import { ResultsDays } from '../service/jobs/postgres/results-days.js';
import { sliceWork } from '../service/jobs/postgres/slice-work.js';
import { AlertStore } from '../service/jobs/schedules/alerts/alert-store.js';
import { ScheduleStore } from '../service/jobs/schedules/schedule-store.js';
import { StoredJobs } from '../service/jobs/stored-jobs.js';
import { WebhookStore } from '../service/jobs/webhooks/webhook-store.js';
import { PostgresCounts } from '../service/limits/postgres/postgres-counts.js';
import { boundedReads } from '../service/usage/bounded-reads.js';
import { LedgerArchive } from '../service/usage/ledger-archive.js';
import { LedgerUsage } from '../service/usage/ledger-usage.js';
import { measureDatabase } from '../service/usage/measure-disk.js';
import { RefusedCallStore } from '../service/usage/refused-call-store.js';
import { accountMoney } from './account-money.js';
import { auditedSuppressions, forgetAct } from './audited-suppressions.js';
import { migrateTables } from './database-tables.js';
import { forgetInDatabase } from './forget-in-database.js';
import { jobMoney } from './job-money.js';
import type { OpenStore } from './stores.js';

export interface OpenDatabaseOptions {
  /** Data directory: what this machine alone keeps, such as mails without a mail server. */
  readonly home: string;
  readonly clock: Clock;
  readonly trialCredits: number;
  /** The operator that a command acts for; left out in a server. */
  readonly operator?: Operator | undefined;
  /** Days for which results of jobs are kept. */
  readonly resultDays?: number | undefined;
  /** For which the database is waited. */
  readonly timeouts?: DatabaseTimeouts;
}

const sumLoads = (a: ConnectionLoad, b: ConnectionLoad): ConnectionLoad => ({
  open: a.open + b.open,
  idle: a.idle + b.idle,
  waiting: a.waiting + b.waiting,
});

/**
 * Opens the stores of a database, and brings its tables up to this version before that. Their opener closes them.
 * Rejects with a `StorageError` where it cannot be used, and with `internal_error` for tables of a later version.
 */
export async function openDatabase(
  config: DatabaseConfig,
  { home, clock, trialCredits, operator, timeouts, resultDays }: OpenDatabaseOptions,
): Promise<OpenStore> {
  // Waits for the network go by the system's clock, whatever clock the stores have.
  await migrateTables(config, systemClock);
  const connections = config.connections - 1;
  const postgres = await Postgres.open({ ...config, connections }, systemClock, timeouts);
  // One group is written at a time, over a connection of its own: no charge waits for a long read.
  const groups = await Postgres.open({ ...config, connections: 1 }, systemClock, timeouts, groupSession);
  const ledger = new PostgresLedger(postgres, clock, groups);
  const leases = new PostgresLeases(postgres, systemClock);
  const engine = new Engine({ postgres, clock: systemClock });
  const close = async () => {
    await engine.stop();
    await ledger.close();
    await leases.close();
    await groups.close();
    await postgres.close();
  };
  try {
    const secret = makeOnce(() => databaseSecret(postgres)).get;
    const digest = keyedDigest(await secret());
    const pace = new PostgresPaceStore(postgres, clock);
    const refusedCalls = new RefusedCallStore(postgres, clock);
    const days = new ResultsDays(postgres);
    const jobs = new StoredJobs({
      ...{ database: postgres, clock, holdAccount },
      money: jobMoney(ledger.owner),
      work: sliceWork(engine, days),
      resultDays,
    });
    const webhooks = new WebhookStore(postgres, clock, resultDays);
    const links = new LinkStore(postgres, clock);
    const schedules = new ScheduleStore(postgres, clock, jobs);
    const alerts = new AlertStore(postgres, clock);
    const expiringStore = new PostgresExpiringStore(postgres);
    const hosting = openHostingStore({
      ...{ database: postgres, clock, digest, trialCredits, operator },
      money: accountMoney(ledger.owner),
      // Webhooks before the jobs that they belong to, links after the jobs that they read.
      rows: [webhooks, jobs, links, refusedCalls],
    });
    return {
      ...hosting,
      ledger,
      usage: boundedReads(new LedgerUsage(postgres, () => measureDatabase(postgres, home))),
      refusedCalls,
      pace,
      health: new StoredHealth(postgres, clock),
      suppressions: auditedSuppressions(postgres, clock, hosting.audit, digest),
      async forget(subject, traces) {
        const forgotten = await forgetInDatabase(postgres, expiringStore, traces);
        await hosting.audit.note(forgetAct(digest, subject, forgotten));
        return forgotten;
      },
      usageArchive: new LedgerArchive(postgres),
      createJobs: (options) =>
        openDatabaseJobs(
          {
            postgres,
            engine,
            days,
            jobs,
            webhooks,
            schedules,
            alerts,
            links,
            storage: new AccountStorage(postgres),
          },
          options,
        ),
      sharedCounts: new PostgresCounts(postgres),
      expiringStore,
      shared: (cacheBytes) => ({
        paceStore: pace,
        cacheTier: (onFault) => postgresTier(postgres, cacheBytes, onFault),
        secret,
        leases,
      }),
      check: () => ledger.begin(),
      connections: () => ({ ...sumLoads(postgres.load, groups.load), max: config.connections }),
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
