import { createPostgresLeases } from '../../lib/cache/postgres/postgres-leases.js';
import { postgresTier } from '../../lib/cache/postgres/postgres-tier.js';
import type { DatabaseConfig, DatabaseTimeouts } from '../../lib/database/postgres/connect.js';
import { type ConnectionLoad, Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { makeOnce } from '../../lib/runtime/make-once.js';
import { databaseSecret } from '../../lib/runtime/postgres/database-secret.js';
import { DatabasePaceStore } from '../../lib/web/database-pace-store.js';
import { keyedDigest } from '../service/accounts/digests.js';
import { holdAccount } from '../service/accounts/users.js';
import type { Operator } from '../service/audit/audit-log.js';
import { PostgresExpiringStore } from '../service/expiring-store/postgres/postgres-expiring-store.js';
import { Engine } from '../service/jobs/postgres/engine.js';
import { openDatabaseJobs } from '../service/jobs/postgres/open-database-jobs.js';
import { ResultsDays } from '../service/jobs/postgres/results-days.js';
import { sliceWork } from '../service/jobs/postgres/slice-work.js';
import { StoredJobs } from '../service/jobs/stored-jobs.js';
import { PostgresCounts } from '../service/limits/postgres/postgres-counts.js';
import { measureDatabase } from '../service/usage/measure-disk.js';
import { accountMoney } from './account-money.js';
import { migrateTables } from './database-tables.js';
import { forgetInDatabase } from './forget-in-database.js';
import type { OpenStore } from './stores.js';
import { commonStores } from './table-stores.js';

export interface OpenDatabaseOptions {
  /** The data directory, for state of this machine alone, such as mail files. */
  readonly home: string;
  readonly clock: Clock;
  readonly trialCredits: number;
  /** The operator who runs a command; undefined in a server. */
  readonly operator?: Operator | undefined;
  readonly resultDays?: number | undefined;
  readonly timeouts?: DatabaseTimeouts;
}

const sumLoads = (a: ConnectionLoad, b: ConnectionLoad): ConnectionLoad => ({
  open: a.open + b.open,
  idle: a.idle + b.idle,
  waiting: a.waiting + b.waiting,
});

/**
 * Opens the stores of a database, after migrating its tables to this version. The caller closes them. Rejects with a
 * `StorageError` if it cannot be used, and with `internal_error` for tables of a later version.
 */
export async function openDatabase(
  config: DatabaseConfig,
  { home, clock, trialCredits, operator, timeouts, resultDays }: OpenDatabaseOptions,
): Promise<OpenStore> {
  // Waiting for the network uses the system's clock, whatever clock the stores have.
  await migrateTables(config, systemClock);
  const connections = config.connections - 1;
  const postgres = await Postgres.open({ ...config, connections }, systemClock, timeouts);
  // Groups are written one at a time over a dedicated connection, so that no charge waits for a long read.
  const groups = await Postgres.open({ ...config, connections: 1 }, systemClock, timeouts, groupSession);
  const ledger = new PostgresLedger(postgres, clock, groups);
  const leases = createPostgresLeases(postgres, systemClock);
  const engine = new Engine({ postgres, clock: systemClock });
  const close = async () => {
    await engine.stop();
    for (const one of [ledger, leases, groups, postgres]) await one.close();
  };
  try {
    const secret = makeOnce(() => databaseSecret(postgres)).get;
    const digest = keyedDigest(await secret());
    const pace = new DatabasePaceStore(postgres, { clock });
    const days = new ResultsDays(postgres);
    const jobs = new StoredJobs({
      ...{ database: postgres, clock, holdAccount },
      owner: ledger.owner,
      work: sliceWork(engine, days),
      resultDays,
    });
    const expiringStore = new PostgresExpiringStore(postgres);
    const { stores, jobPorts } = commonStores({
      ...{ database: postgres, clock, jobs, digest, trialCredits, operator, resultDays },
      money: accountMoney(ledger.owner),
      measure: () => measureDatabase(postgres, home),
      forget: (traces, signal) => forgetInDatabase(postgres, expiringStore, traces, signal),
    });
    return {
      ...stores,
      ...{ ledger, pace },
      createJobs: (options) => openDatabaseJobs({ ...jobPorts, postgres, engine, days }, options),
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
