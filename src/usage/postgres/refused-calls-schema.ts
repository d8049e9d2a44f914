import type { PostgresSchema } from '../../../lib/postgres/table-schema.js';

/**
 * Calls that were refused before they were charged. `created_at` is in milliseconds since 1970. No money depends on them: a
 * crash of the database may lose them all.
 */
export const refusedCallsSchema: PostgresSchema = {
  name: 'refused calls',
  steps: [
    `
    CREATE UNLOGGED TABLE refused_calls (
      account text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      id text COLLATE "C" NOT NULL,
      endpoint text COLLATE "C" NOT NULL,
      code text COLLATE "C" NOT NULL,
      key_id text COLLATE "C",
      key_name text,
      duration_ms bigint,
      PRIMARY KEY (account, created_at, id)
    );
    `,
  ],
  imports: { tables: [{ table: 'refused_calls' }] },
};
