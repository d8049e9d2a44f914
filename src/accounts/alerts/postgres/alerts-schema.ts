import type { PostgresSchema } from '../../../../lib/postgres/table-schema.js';

/**
 * Thresholds below which an account is alerted. `sent_at` is set from the mail until the balance is above again. `due_at`
 * is when the next try may be made. A process that is at it puts that into the future. Milliseconds since 1970.
 */
export const alertsSchema: PostgresSchema = {
  name: 'alerts',
  steps: [
    `
    CREATE TABLE alerts (
      account text COLLATE "C" PRIMARY KEY,
      threshold bigint NOT NULL CHECK (threshold > 0),
      sent_at bigint,
      due_at bigint NOT NULL DEFAULT 0,
      tries integer NOT NULL DEFAULT 0
    );
    `,
  ],
  imports: { tables: [{ table: 'alerts' }] },
};
