import { randomUUID } from 'node:crypto';
import type { Postgres } from '../../database/postgres/postgres.js';
import { isPastSql } from '../../database/queries.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import { CircuitBreaker } from '../../runtime/circuit-breaker.js';
import type { Clock } from '../../runtime/clock.js';
import { PeriodicTask } from '../../runtime/periodic-task.js';
import type { FetchLeases } from '../fetch-leases.js';

/**
 * Running fetches, by the key of their answer. `ends_at` is in milliseconds since 1970 by the database's clock; a
 * living holder extends it. After a crash of the database, a fetch may run twice.
 */
export const leasesSchema: SchemaSql = {
  name: 'leases',
  tables: `
    CREATE UNLOGGED TABLE fetch_leases (
      key text COLLATE "C" PRIMARY KEY,
      holder uuid NOT NULL,
      ends_at double precision NOT NULL
    ) WITH (fillfactor = 70);
    CREATE INDEX fetch_leases_by_end ON fetch_leases (ends_at);
  `,
};

/** Milliseconds until a lease expires without renewal, and between renewals. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** Expired leases deleted per renewal. */
const sweptAtOnce = 100;

/** The database's clock, because the servers' clocks may differ. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/** A lease that ends too late was written before a clock was set back. */
const takeLease = {
  name: 'lease-take',
  text: `
  INSERT INTO fetch_leases (key, holder, ends_at) VALUES ($1, $2, ${now} + ${leaseMs})
  ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
  WHERE ${isPastSql('fetch_leases.ends_at', now, leaseMs)}`,
};

const releaseLease = {
  name: 'lease-release',
  text: 'DELETE FROM fetch_leases WHERE key = $1 AND holder = $2',
};

/**
 * Leases in PostgreSQL. One statement takes a lease, and one renews all leases of a process. Leases of a dead process
 * end after ten seconds.
 */
export function createPostgresLeases(postgres: Postgres, clock: Clock): FetchLeases {
  const holder = randomUUID();
  const held = new Set<string>();
  const breaker = new CircuitBreaker(clock);
  // The call with the lease keeps the process alive.
  const renewals = new PeriodicTask(clock, renewEveryMs, () => renew(), false);

  async function take(key: string): Promise<boolean> {
    const leasedRows = await breaker.run(() =>
      postgres.write((queries) => queries.run(takeLease, [key, holder])),
    );
    if (leasedRows === 0) return false;
    held.add(key);
    renewals.arm();
    return true;
  }

  async function release(key: string): Promise<void> {
    held.delete(key);
    await breaker.run(() => postgres.write((queries) => queries.run(releaseLease, [key, holder])));
  }

  async function close(): Promise<void> {
    await renewals.stop();
    if (held.size === 0) return;
    held.clear();
    await postgres.write((queries) => queries.run('DELETE FROM fetch_leases WHERE holder = $1', [holder]));
  }

  /** A lease outlasts three renewals, so one may fail. */
  async function renew(): Promise<null | undefined> {
    if (held.size === 0) return null;
    const keys = [...held];
    await postgres
      .write((queries) =>
        queries.run(
          `WITH swept AS (
             DELETE FROM fetch_leases WHERE key IN (
               SELECT key FROM fetch_leases WHERE ends_at <= ${now} - ${leaseMs} ORDER BY ends_at LIMIT ${sweptAtOnce}
               FOR UPDATE SKIP LOCKED))
           UPDATE fetch_leases SET ends_at = ${now} + ${leaseMs} WHERE holder = $1 AND key = ANY($2)`,
          [holder, keys],
        ),
      )
      .catch(() => 0);
    return held.size === 0 ? null : undefined;
  }

  return { take, release, close };
}
