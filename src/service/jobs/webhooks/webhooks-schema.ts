import type { TableSchema } from '../../../../lib/database/table-schema.js';

/**
 * Webhook attempts, and the secrets that sign them. A delivery's state is in its job's row. Times are milliseconds
 * since 1970.
 */
export const webhooksSchema: TableSchema = {
  name: 'webhooks',
  tables: ({ id, text, integer, end }) => `
    CREATE TABLE webhook_attempts (
      job ${id} NOT NULL,
      number ${integer} NOT NULL,
      at ${integer} NOT NULL,
      status ${integer},
      error ${text},
      PRIMARY KEY (job, number)
    ) ${end};

    -- A secret that signed before it was shown is shown once.
    CREATE TABLE webhook_secrets (
      account ${id} NOT NULL,
      number ${integer} NOT NULL,
      secret ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      ends_at ${integer},
      shown ${integer} NOT NULL DEFAULT 1 CHECK (shown IN (0, 1)),
      PRIMARY KEY (account, number)
    ) ${end};
  `,
  imports: { tables: [{ table: 'webhook_attempts' }, { table: 'webhook_secrets' }] },
};
