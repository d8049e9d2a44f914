import { test } from 'node:test';
import pg from 'pg';
import type { DatabaseConfig } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { allSchemas } from '../../src/compose/database-tables.js';
import { openDatabase } from '../../src/compose/open-postgres.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import { SliceStore } from '../../src/service/jobs/runner/slice-store.js';
import { makeTestDatabase, skipWithoutPostgres } from './postgres.js';
import { keepElsewhere } from './server-store.js';

/**
 * Runs test files again with servers that store their state in PostgreSQL: each server has its own database. `load`
 * imports them.
 */
export async function alsoInPostgres(load: () => Promise<unknown>): Promise<void> {
  if (skipWithoutPostgres !== false) {
    test('in PostgreSQL', { skip: skipWithoutPostgres }, () => undefined);
    return;
  }
  const places = new WeakMap<Jobs, { readonly config: DatabaseConfig; readonly clock: Clock }>();
  const databases = new Map<string, string>();
  keepElsewhere({
    async open(home, clock, trialCredits) {
      const { config, drop } = await makeTestDatabase(allSchemas());
      databases.set(home, config.url);
      const store = await openDatabase(config, { home, clock, trialCredits });
      return {
        ...store,
        createJobs(options) {
          const jobs = store.createJobs(options);
          places.set(jobs, { config, clock });
          return jobs;
        },
        async close() {
          await store.close();
          await drop();
        },
      };
    },
    async endInputs(jobs, job, ended) {
      const place = places.get(jobs);
      if (place === undefined) throw new Error('No server of these tests has such jobs.');
      const postgres = await Postgres.open(place.config, systemClock);
      const store = new SliceStore({
        ...{ database: postgres, clock: place.clock, docsBase: 'https://docs.example' },
        beginDelivery: async () => undefined,
      });
      await store.commit(
        job,
        ended.map((one) => ({ ...one, line: Buffer.from('{}\n') })),
      );
      await postgres.close();
    },
    async tables(home) {
      const client = new pg.Client({ connectionString: databases.get(home) });
      await client.connect();
      const { rows: stale } = await client.query<{ readonly name: string; readonly place: string }>(
        `SELECT relname AS name, oid::regclass AS place FROM pg_class
         WHERE relkind IN ('r', 'p') AND NOT relispartition
           AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')`,
      );
      const tables = new Map<string, readonly object[]>();
      for (const { name, place } of stale)
        tables.set(name, (await client.query(`SELECT * FROM ${place}`)).rows);
      await client.end();
      return tables;
    },
  });
  await load();
}
