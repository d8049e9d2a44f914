import type { PostgresSchema } from '../../../lib/postgres/table-schema.js';

/**
 * Texts that are kept for a while, compressed. Times are milliseconds since 1970 by the database's clock. What a crash
 * loses is done anew by whoever misses it.
 */
export const transientSchema: PostgresSchema = {
  name: 'transient',
  steps: [
    `
    CREATE UNLOGGED TABLE transient_texts (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      ends_at double precision NOT NULL,
      value bytea NOT NULL,
      PRIMARY KEY (kind, id)
    );
    ALTER TABLE transient_texts ALTER COLUMN value SET STORAGE EXTERNAL;
    CREATE INDEX transient_texts_of_owner ON transient_texts (kind, owner, ends_at);
    CREATE INDEX transient_texts_by_end ON transient_texts (ends_at);
    `,
  ],
};
