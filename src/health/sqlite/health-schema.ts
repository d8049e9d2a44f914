import type { TableSchema } from '../../../lib/ledger/sqlite/migration.js';

/** A row an endpoint and day, a row an endpoint, and a row an alarm. Times are milliseconds since 1970, days UTC. */
export const healthSchema: TableSchema = {
  name: 'health',
  steps: [
    `
    CREATE TABLE health_days (
      day TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      outcomes TEXT NOT NULL,
      minutes TEXT NOT NULL,
      answers INTEGER NOT NULL,
      filled TEXT NOT NULL,
      PRIMARY KEY (day, endpoint)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE health_now (
      endpoint TEXT PRIMARY KEY,
      standing TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE health_alarms (
      endpoint TEXT NOT NULL,
      field TEXT NOT NULL,
      since INTEGER NOT NULL,
      usual REAL NOT NULL,
      share REAL NOT NULL,
      answers INTEGER NOT NULL,
      ended INTEGER,
      accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1)),
      mailed INTEGER NOT NULL DEFAULT 0 CHECK (mailed IN (0, 1)),
      due INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (endpoint, field, since)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX health_alarms_open ON health_alarms (endpoint, field) WHERE ended IS NULL;
    `,
  ],
};
