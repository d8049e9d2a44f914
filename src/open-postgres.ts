import { answersSchema } from '../lib/cache/postgres/answers-schema.js';
import { leasesSchema } from '../lib/cache/postgres/leases-schema.js';
import { ledgerSchema } from '../lib/ledger/postgres/ledger-schema.js';
import type { DatabaseConfig } from '../lib/postgres/connect.js';
import {
  migrateDatabase,
  refuseNewer,
  refuseOldServer,
  type SchemaState,
  schemaStates,
} from '../lib/postgres/migrate.js';
import { Postgres } from '../lib/postgres/postgres.js';
import type { PostgresSchema } from '../lib/postgres/table-schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import { secretsSchema } from '../lib/runtime/postgres/secrets-schema.js';
import { paceSchema } from '../lib/web/postgres/pace-schema.js';
import { hostingSchemas } from './accounts/postgres/open-accounts.js';
import { healthSchema } from './health/postgres/health-schema.js';
import { limitsSchema } from './limits/postgres/limits-schema.js';
import { transientSchema } from './transient/postgres/transient-schema.js';
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
  paceSchema,
  limitsSchema,
  transientSchema,
];

/** Brings the tables of a database up to this version. Resolves with how far they were. */
export function migrateTables(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  return migrateDatabase(config.url, postgresSchemas, clock);
}

/**
 * Looks how far the tables of a database are, and changes nothing. Rejects with a `StorageError` where it cannot be
 * used. Rejects with an error of the catalogue for newer tables and for a server that is too old.
 */
export async function tableStates(config: DatabaseConfig, clock: Clock): Promise<readonly SchemaState[]> {
  const postgres = await Postgres.open({ ...config, connections: 1 }, clock);
  try {
    return await postgres.read(async (queries) => {
      await refuseOldServer(queries);
      const states = await schemaStates(queries, postgresSchemas);
      refuseNewer(states);
      return states;
    });
  } finally {
    await postgres.close();
  }
}
