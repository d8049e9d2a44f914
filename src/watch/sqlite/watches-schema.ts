import type { TableSchema } from '../../../lib/ledger/sqlite/migration.js';

/** How far each watch has come. Times are milliseconds since 1970. */
export const watchesSchema: TableSchema = {
  name: 'watches',
  steps: [
    `
    CREATE TABLE watches (
      id TEXT PRIMARY KEY,
      anchor INTEGER NOT NULL,
      last INTEGER NOT NULL,
      run_at INTEGER,
      run_output TEXT,
      delivery_id TEXT,
      delivery_body TEXT
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};
