import type { TableSchema } from '../../../lib/database/table-schema.js';

/**
 * Calls that were refused before they were charged. `created_at` is in milliseconds since 1970. No money depends on them: a
 * crash of the database may lose them all.
 */
export const refusedCallsSchema: TableSchema = {
  name: 'refused calls',
  tables: ({ id, text, integer, end, unlogged }) => `
    CREATE ${unlogged} TABLE refused_calls (
      account ${id} NOT NULL,
      created_at ${integer} NOT NULL,
      id ${id} NOT NULL,
      endpoint ${id} NOT NULL,
      code ${id} NOT NULL,
      key_id ${id},
      key_name ${text},
      duration_ms ${integer},
      PRIMARY KEY (account, created_at, id)
    ) ${end};
  `,
  imports: { tables: [{ table: 'refused_calls' }] },
};
