import type { TableSchema } from '../../../../lib/ledger/sqlite/migration.js';

/**
 * Thresholds below which an account is alerted. `sent_at` is set from the mail until the balance is above again.
 * `due_at` is when the next try may be made, which a process that is at it puts into the future. Milliseconds since
 * 1970.
 */
export const alertsSchema: TableSchema = {
  name: 'alerts',
  steps: [
    `
    CREATE TABLE alerts (
      account TEXT PRIMARY KEY,
      threshold INTEGER NOT NULL CHECK (threshold > 0),
      sent_at INTEGER,
      due_at INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    `,
    // Older files: a foreign key to the users. Deleting an account is a method now.
    `
    CREATE TABLE alerts_alone (
      account TEXT PRIMARY KEY,
      threshold INTEGER NOT NULL CHECK (threshold > 0),
      sent_at INTEGER,
      due_at INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    INSERT INTO alerts_alone SELECT * FROM alerts;
    DROP TABLE alerts;
    ALTER TABLE alerts_alone RENAME TO alerts;
    `,
  ],
};
