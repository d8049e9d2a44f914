import type { PostgresSchema } from '../../../lib/postgres/table-schema.js';

/**
 * Requests of each caller in the window under way. Times are milliseconds since 1970 by the database's clock. What a
 * crash loses is the count of a minute.
 */
export const limitsSchema: PostgresSchema = {
  name: 'limits',
  steps: [
    `
    CREATE UNLOGGED TABLE rate_windows (
      caller text COLLATE "C" PRIMARY KEY,
      used integer NOT NULL,
      began double precision NOT NULL,
      ends_at double precision NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX rate_windows_by_end ON rate_windows (ends_at);
    `,
  ],
};
