import type { PostgresSchema } from '../../postgres/table-schema.js';

/**
 * Fetches under way, by the key of their answer. `ends_at`: milliseconds since 1970 by the database's clock, which the
 * holder moves on while it lives. What a crash of the database loses is a fetch that is done twice.
 */
export const leasesSchema: PostgresSchema = {
  name: 'leases',
  steps: [
    `
    CREATE UNLOGGED TABLE fetch_leases (
      key text COLLATE "C" PRIMARY KEY,
      holder uuid NOT NULL,
      ends_at double precision NOT NULL
    ) WITH (fillfactor = 70);
    CREATE INDEX fetch_leases_by_end ON fetch_leases (ends_at);
    `,
  ],
};
