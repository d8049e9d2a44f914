import type { TableSchema } from '../database/table-schema.js';

/** Suppressed subjects. `added_at` is in milliseconds since 1970. */
export const suppressionsSchema: TableSchema = {
  name: 'suppressions',
  tables: ({ id, integer, end }) => `
    CREATE TABLE suppressions (
      platform ${id} NOT NULL,
      subject ${id} NOT NULL,
      added_at ${integer} NOT NULL,
      PRIMARY KEY (platform, subject)
    ) ${end};
  `,
  imports: { tables: [{ table: 'suppressions' }] },
};
