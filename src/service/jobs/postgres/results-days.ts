import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { isLocked } from '../../../../lib/database/postgres/postgres-fault.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { dayMs } from '../../../../lib/runtime/clock.js';

/** Arbitrary, the same in all versions: one process at a time creates or drops partitions. */
const lockId = 7_238_471_003;

/** Milliseconds to wait for a day's readers. All other queries wait behind it, so beyond that the next run retries. */
const readersMs = 200;

const partitionOf = (day: number) => `job_results_${day}`;

/** The daily partitions of results. Expired ones are dropped without touching a row. */
export class ResultsDays {
  readonly #postgres: Postgres;
  readonly #known = new Set<number>();

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async ensure(day: number): Promise<void> {
    if (this.#known.has(day)) return;
    await this.#postgres.transaction((queries) => makeDay(queries, day));
    this.#known.add(day);
  }

  async ensureWithin(queries: Queries, day: number): Promise<void> {
    if (!this.#known.has(day)) await makeDay(queries, day);
  }

  /**
   * Drops the partitions of days without results. Yesterday's stays, because its jobs may be running and clocks differ.
   * If a partition is being read, as by a backup, the next run retries.
   */
  async dropExpired(today: number): Promise<void> {
    const days = await this.#postgres.read(async (queries) => {
      const rows = await queries.rows<{ readonly day: number }>(
        `SELECT substring(relname FROM 13)::int AS day FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = to_regclass('job_results')`,
      );
      return rows.map(({ day }) => day).filter((day) => day < today - 1);
    });
    for (const day of days) {
      const isInUse = await this.#postgres
        .transaction((queries) => dropDay(queries, day))
        .catch((fault: unknown) => {
          if (isLocked(fault)) return true;
          throw fault;
        });
      if (!isInUse) this.#known.delete(day);
    }
  }
}

/** Drops a day's partition inside a transaction. Returns true if a job still has results there. */
async function dropDay(queries: Queries, day: number): Promise<boolean> {
  await queries.run('SELECT pg_advisory_xact_lock($1)', [lockId]);
  const job = await queries.first(
    'SELECT 1 FROM jobs WHERE deleted = 0 AND created_at >= $1::bigint AND created_at < $1::bigint + $2::bigint LIMIT 1',
    [day * dayMs, dayMs],
  );
  if (job !== undefined) return true;
  await queries.run(`SET LOCAL lock_timeout = ${readersMs}`);
  await queries.run(`DROP TABLE IF EXISTS ${partitionOf(day)}`);
  return false;
}

/** Creates a day's partition if there is none, inside a transaction. */
export async function makeDay(queries: Queries, day: number): Promise<void> {
  const partition = partitionOf(day);
  await queries.run('SELECT pg_advisory_xact_lock($1)', [lockId]);
  const table = await queries.first<{ readonly there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [partition],
  );
  if (table?.there === true) return;
  // Attaching a table allows concurrent writes of results; creating it as a partition would not.
  await queries.run(`CREATE TABLE ${partition} (LIKE job_results INCLUDING ALL)`);
  await queries.run(`ALTER TABLE job_results ATTACH PARTITION ${partition} FOR VALUES IN (${day})`);
}
