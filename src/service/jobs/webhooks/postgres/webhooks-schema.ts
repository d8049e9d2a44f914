import type { PostgresSchema } from '../../../../../lib/database/postgres/table-schema.js';

/**
 * Attempts of webhooks and the secrets that sign them; how a delivery stands is in the row of its job. Times are
 * milliseconds since 1970.
 */
export const webhooksSchema: PostgresSchema = {
  name: 'webhooks',
  steps: [
    `
    CREATE TABLE webhook_attempts (
      job text COLLATE "C" NOT NULL,
      number integer NOT NULL,
      at bigint NOT NULL,
      status integer,
      error text,
      PRIMARY KEY (job, number)
    );

    -- A secret that signed before it was shown is shown once.
    CREATE TABLE webhook_secrets (
      account text COLLATE "C" NOT NULL,
      number integer NOT NULL,
      secret text NOT NULL,
      created_at bigint NOT NULL,
      ends_at bigint,
      shown smallint NOT NULL CHECK (shown IN (0, 1)),
      PRIMARY KEY (account, number)
    );
    `,
  ],
  imports: { tables: [{ table: 'webhook_attempts' }, { table: 'webhook_secrets' }] },
};
