import type { TableSchema } from '../../../../lib/ledger/sqlite/migration.js';

/**
 * Below which balance an account is told. `sent_at` is set from the mail until the balance is above again; `due_at`
 * is when the next try may be made, which a process that is at it puts into the future. Milliseconds since 1970.
 */
export const alertsPart: TableSchema = {
  name: 'alerts',
  steps: [
    `
    CREATE TABLE alerts (
      account TEXT PRIMARY KEY REFERENCES holders (account) ON DELETE CASCADE,
      threshold INTEGER NOT NULL CHECK (threshold > 0),
      sent_at INTEGER,
      due_at INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};
