import type { Dialect } from '../database/dialect.js';
import type { TableSchema } from '../database/table-schema.js';

/** Rows are updated with each request, so PostgreSQL reserves space next to them. */
const endOfBusy = ({ name, types }: Dialect) => (name === 'postgres' ? 'WITH (fillfactor = 50)' : types.end);

/** Requests that started, or will start, within an hour on surfaces with an hourly budget. */
const starts = ({ types }: Dialect) => `
  CREATE TABLE IF NOT EXISTS pace_starts (
    platform ${types.id} NOT NULL,
    at ${types.real} NOT NULL,
    PRIMARY KEY (platform, at)
  ) ${types.end};
`;

/**
 * Pace and cooldowns, one row per platform or surface. Times are milliseconds since 1970. `reserved_at`: when `next_at`
 * was reserved. `code` is null without a refusal. `causes` and `error_routes` are JSON arrays. Durable across a
 * database crash, so that a platform that asked for an hour of rest gets it.
 */
export const paceSchema: TableSchema = {
  name: 'pace',
  tables: (types, dialect) => `
    CREATE TABLE IF NOT EXISTS pace (
      platform ${types.id} PRIMARY KEY,
      next_at ${types.real} NOT NULL DEFAULT 0,
      reserved_at ${types.real} NOT NULL DEFAULT 0,
      code text CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
      refused_at ${types.real} NOT NULL DEFAULT 0,
      rests_until ${types.real} NOT NULL DEFAULT 0,
      refusals integer NOT NULL DEFAULT 0,
      causes text NOT NULL DEFAULT '[]',
      error_routes text NOT NULL DEFAULT '[]'
    ) ${endOfBusy(dialect)};

    CREATE TABLE IF NOT EXISTS platform_days (
      platform ${types.id} NOT NULL,
      day ${types.id} NOT NULL,
      requests ${types.integer} NOT NULL,
      refusals ${types.integer} NOT NULL,
      bytes ${types.integer} NOT NULL,
      shortest_gap_ms ${types.integer},
      PRIMARY KEY (platform, day)
    ) ${types.end};
    ${starts(dialect)}
  `,
  steps: [(_types, dialect) => starts(dialect)],
};
