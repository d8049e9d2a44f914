import type { DatabaseConfig } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';

/** A database whose `clock_timestamp()` the test moves, so that a machine that pauses makes nothing late. */
export interface StoppedDatabaseClock {
  /** The connection settings that use the stopped clock. */
  readonly config: DatabaseConfig;
  /** Lets time pass in the database. */
  advance(ms: number): Promise<void>;
}

/** Stops the clock of a database for those who connect by another address of it. */
export async function stopDatabaseClock(config: DatabaseConfig): Promise<StoppedDatabaseClock> {
  const run = async (...texts: readonly string[]) => {
    const postgres = await Postgres.open({ ...config, connections: 1 }, systemClock);
    try {
      await postgres.write(async (queries) => {
        for (const text of texts) await queries.run(text);
      });
    } finally {
      await postgres.close();
    }
  };
  await run(
    'CREATE SCHEMA stopped',
    'CREATE TABLE stopped.clock AS SELECT pg_catalog.clock_timestamp() AS moment',
    `CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql
       RETURN (SELECT moment FROM stopped.clock)`,
  );
  // Unless it is named, PostgreSQL looks for a function among its own first.
  const options = encodeURIComponent('-c search_path=stopped,pg_catalog,public');
  return {
    config: { ...config, url: `${config.url}?options=${options}` },
    advance: (ms) => run(`UPDATE stopped.clock SET moment = moment + ${ms} * interval '1 millisecond'`),
  };
}
