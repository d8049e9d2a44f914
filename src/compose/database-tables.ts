import { leasesSchema } from '../../lib/cache/postgres/postgres-leases.js';
import { answersSchema } from '../../lib/cache/postgres/postgres-tier.js';
import {
  type DatabaseConfig,
  type DatabaseTimeouts,
  defaultTimeouts,
} from '../../lib/database/postgres/connect.js';
import { inspectServer, type ServerFacts } from '../../lib/database/postgres/inspect-server.js';
import {
  migrateDatabase,
  refuseNewer,
  refuseOldServer,
  type SchemaState,
  schemaStates,
} from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { refusePoolerAt } from '../../lib/database/postgres/refuse-pooler.js';
import { type AnySchema, postgresSchema } from '../../lib/database/postgres/table-schema.js';
import type { Queries } from '../../lib/database/queries.js';
import type { SchemaSql } from '../../lib/database/schema-sql.js';
import type { Imbalance } from '../../lib/ledger/imbalance.js';
import { imbalancesIn } from '../../lib/ledger/imbalance.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { countNodes, type NodeCounts } from '../../lib/ledger/postgres/nodes.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { secretsSchema } from '../../lib/runtime/postgres/database-secret.js';
import { paceSchema } from '../../lib/web/pace-schema.js';
import { transientSchema } from '../service/expiring-store/postgres/postgres-expiring-store.js';
import { engineSchema } from '../service/jobs/postgres/engine-schema.js';
import { limitsSchema } from '../service/limits/postgres/postgres-counts.js';
import { commonSchemas } from './table-stores.js';

/** The tables of a server's state, in order of creation. */
export const postgresSchemas: readonly SchemaSql[] = [
  secretsSchema,
  answersSchema,
  leasesSchema,
  postgresLedgerSchema,
  ...commonSchemas.map(postgresSchema),
  postgresSchema(paceSchema),
  limitsSchema,
  transientSchema,
];

/** Returns all tables, including the job engine's. Throws `invalid_parameter` if its package is not installed. */
export function allSchemas(): readonly AnySchema[] {
  return [...postgresSchemas, engineSchema()];
}

/** Migrates the tables of a database to this version. Returns the versions they had. */
export function migrateTables(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  return migrateDatabase(config.url, allSchemas(), clock);
}

/** Runs work on a dedicated connection. The tables may be of an earlier version. */
async function inspect<T>(
  config: DatabaseConfig,
  clock: Clock,
  work: (queries: Queries, states: readonly SchemaState[]) => Promise<T>,
  timeouts: DatabaseTimeouts = defaultTimeouts,
): Promise<T> {
  await refusePoolerAt(config.url, clock);
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
 * Returns the versions of the tables of a database without changing anything. Rejects with a `StorageError` if it
 * cannot be used, and with an error of the catalogue for newer tables or a server that is too old.
 */
export function tableStates(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  return inspect(config, clock, async (_, states) => states);
}

export interface DatabaseInspection {
  readonly server: ServerFacts;
  readonly tables: readonly SchemaState[];
  /** Null if the tables must be created or migrated first. */
  readonly nodes: NodeCounts | null;
  /** Accounts whose books do not balance; null if they were not checked. */
  readonly imbalances: readonly Imbalance[] | null;
}

/** Inspects a database without changing anything. `isFullCheck` checks all books. Rejects as `tableStates` does. */
export function inspectDatabase(
  config: DatabaseConfig,
  clock: Clock,
  isFullCheck: boolean,
): Promise<DatabaseInspection> {
  // Checking the books takes time in proportion to the rows.
  const timeouts = isFullCheck ? { ...defaultTimeouts, statement: 0, answer: 0 } : defaultTimeouts;
  return inspect(
    config,
    clock,
    async (queries, tables) => {
      const server = await inspectServer(queries, clock);
      const isCurrent = tables.every(({ version, expected }) => version === expected);
      return {
        ...{ server, tables },
        nodes: isCurrent ? await countNodes(queries) : null,
        imbalances: isCurrent && isFullCheck ? await imbalancesIn(queries) : null,
      };
    },
    timeouts,
  );
}
