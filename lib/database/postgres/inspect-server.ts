import { type Clock, elapsed } from '../../runtime/clock.js';
import type { Queries } from '../queries.js';

/** A table with many dead rows whose space has not been reclaimed. */
interface DeadRows {
  readonly table: string;
  readonly live: number;
  readonly dead: number;
}

/** The state of a PostgreSQL server and one of its databases. */
export interface ServerFacts {
  /** Such as `15.18`. */
  readonly version: string;
  readonly bytes: number;
  /** True for a standby, which cannot be written to. */
  readonly isReadOnly: boolean;
  /** Connections of all programs to all databases, and their maximum. */
  readonly connections: number;
  readonly maxConnections: number;
  /** Milliseconds by which the server's clock is ahead of the local one. */
  readonly clockAheadMs: number;
  /** Age of the oldest open transaction in this database; 0 for none. Rows deleted since then cannot be reclaimed. */
  readonly oldestTransactionSeconds: number;
  /** Tables with more dead rows than live ones, worst first, without small ones. */
  readonly deadRows: readonly DeadRows[];
}

/** Fewer dead rows are harmless: they are reclaimed after a delay. */
const manyDead = 20_000;

interface Row extends Omit<ServerFacts, 'clockAheadMs' | 'deadRows'> {
  readonly now: number;
}

/** Inspects a connection's server and database. Changes nothing. */
export async function inspectServer(queries: Queries, clock: Clock): Promise<ServerFacts> {
  const began = elapsed(clock);
  const row = await queries.first<Row>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
       pg_database_size(current_database()) AS bytes,
       pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
       current_setting('max_connections')::int AS "maxConnections",
       (SELECT coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)::int FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()) AS "oldestTransactionSeconds",
       floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
  );
  const took = elapsed(clock) - began;
  const { now, ...facts } = row as Row;
  const deadRows = await queries.rows<DeadRows>(
    `SELECT relname AS table, n_live_tup AS live, n_dead_tup AS dead FROM pg_stat_user_tables
     WHERE n_dead_tup > greatest($1, n_live_tup) ORDER BY n_dead_tup DESC`,
    [manyDead],
  );
  // The server read the time about halfway through the round trip.
  return { ...facts, clockAheadMs: Math.round(now - (clock.now() - took / 2)), deadRows };
}
