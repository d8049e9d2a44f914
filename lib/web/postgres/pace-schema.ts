import type { PostgresSchema } from '../../postgres/table-schema.js';

/**
 * Pace and cool-downs, a row a platform. Times are milliseconds since 1970 by the database's clock. `reserved_at`: when
 * `next_at` was reserved. `code` is null without a refusal. What a crash loses was over before the server is back.
 */
export const paceSchema: PostgresSchema = {
  name: 'pace',
  steps: [
    `
    CREATE UNLOGGED TABLE pace (
      platform text COLLATE "C" PRIMARY KEY,
      next_at double precision NOT NULL DEFAULT 0,
      reserved_at double precision NOT NULL DEFAULT 0,
      code text CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
      refused_at double precision NOT NULL DEFAULT 0,
      rests_until double precision NOT NULL DEFAULT 0,
      refusals integer NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50);
    `,
  ],
};
