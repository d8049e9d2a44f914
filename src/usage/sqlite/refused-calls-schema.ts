import type { TableSchema } from '../../../lib/ledger/sqlite/migration.js';

/** Calls that were refused before they were charged. `created_at` is in milliseconds since 1970. */
export const refusedCallsSchema: TableSchema = {
  name: 'refused calls',
  steps: [
    `
    CREATE TABLE refused_calls (
      account TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      id TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      code TEXT NOT NULL,
      key_id TEXT,
      key_name TEXT,
      duration_ms INTEGER,
      PRIMARY KEY (account, created_at, id)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};
