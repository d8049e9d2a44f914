import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { isPastSql } from '../../../../lib/database/queries.js';
import type { SchemaSql } from '../../../../lib/database/schema-sql.js';
import { windowMs } from '../rate-limit.js';
import type { CallerCount, CallerTotal, SharedCounts } from '../shared-counts.js';

/**
 * Each caller's requests in the current window. Times are milliseconds since 1970 by the database's clock. A crash
 * loses a minute's counts.
 */
export const limitsSchema: SchemaSql = {
  name: 'limits',
  tables: `
    CREATE UNLOGGED TABLE rate_windows (
      caller text COLLATE "C" PRIMARY KEY,
      used integer NOT NULL,
      began double precision NOT NULL,
      ends_at double precision NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX rate_windows_by_end ON rate_windows (ends_at);
  `,
};

/** Exchanges between sweeps, and windows deleted per sweep. */
const sweepEvery = 100;
const sweptAtOnce = 1_000;

/** Milliseconds since 1970 by the database's clock, constant within a statement. */
const now = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::float8';
/** A window that ends too late was written before a clock was set back. */
const isOver = isPastSql('rate_windows.ends_at', now, windowMs);

/** In name order, so that processes do not deadlock. */
const addCounts = {
  name: 'limits-add',
  text: `
  INSERT INTO rate_windows (caller, used, began, ends_at)
  SELECT caller, used, ${now}, ${now} + left_ms
  FROM unnest($1::text[], $2::int[], $3::float8[]) AS told (caller, used, left_ms) ORDER BY caller
  ON CONFLICT (caller) DO UPDATE SET
    used = CASE WHEN ${isOver} THEN excluded.used ELSE rate_windows.used + excluded.used END,
    began = CASE WHEN ${isOver} THEN excluded.began ELSE rate_windows.began END,
    ends_at = CASE WHEN ${isOver} THEN excluded.ends_at ELSE rate_windows.ends_at END
  RETURNING caller, used, began, ends_at - ${now} AS left`,
};

const sweep = `
  DELETE FROM rate_windows WHERE caller IN (
    SELECT caller FROM rate_windows WHERE ends_at <= ${now} ORDER BY ends_at LIMIT ${sweptAtOnce}
    FOR UPDATE SKIP LOCKED)`;

/** The counts of all servers in PostgreSQL. One statement adds a process's counts and returns the totals. */
export class PostgresCounts implements SharedCounts {
  readonly #postgres: Postgres;
  #exchanges = 0;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async add(counts: readonly CallerCount[]): Promise<readonly CallerTotal[]> {
    const totals = await this.#postgres.write((queries) =>
      queries.rows<CallerTotal>(addCounts, [
        counts.map(({ caller }) => caller),
        counts.map(({ used }) => used),
        counts.map(({ left }) => left),
      ]),
    );
    this.#exchanges += 1;
    // Not awaited. What this sweep leaves, the next one deletes.
    if (this.#exchanges % sweepEvery === 0) {
      this.#postgres.write((queries) => queries.run(sweep)).catch(() => undefined);
    }
    return totals;
  }
}
