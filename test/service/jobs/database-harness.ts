import type { TestContext } from 'node:test';
import type { DatabaseConfig } from '../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import { FakeClock } from '../../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { type JobsHarness, type JobsHarnessOptions, jobsHarness, jobsOver } from './harness.js';

/** Milliseconds between two looks at a database. */
export const pauseMs = 20;

/** One node over a database: what a server has. */
export type Node = Omit<JobsHarness<OpenStore>, 'ledger'> & { readonly pauseMs: number };

/** A database of a test's own, with what opens nodes over it; all of them are closed at its end. */
export interface DatabaseHarness {
  readonly config: DatabaseConfig;
  node(options?: Omit<JobsHarnessOptions, 'home'>): Promise<Node>;
  rows<Row extends object>(sql: string, values?: readonly (string | number)[]): Promise<Row[]>;
}

export async function databaseHarness(t: TestContext): Promise<DatabaseHarness> {
  const { config, drop } = await makeTestDatabase(allSchemas());
  const looker = await Postgres.open({ ...config, connections: 1 }, systemClock);
  const nodes: Node[] = [];
  t.after(async () => {
    for (const node of nodes) {
      await node.close();
      await node.opened.close();
    }
    await looker.close();
    await drop();
  });
  return {
    config,
    async node(options) {
      const node = await jobsOver(
        t,
        (home, clock, trialCredits) =>
          openDatabase({ ...config, connections: 10 }, { home, clock, trialCredits }),
        options,
      );
      nodes.push({ ...node, pauseMs });
      return { ...node, pauseMs };
    },
    rows: <Row extends object>(sql: string, values: readonly (string | number)[] = []) =>
      looker.read((queries) => queries.rows<Row>(sql, values)),
  };
}

/** Jobs over a store, with a clock that the test moves. */
export interface TimedJobs extends Omit<Node, 'clock'>, Pick<DatabaseHarness, 'rows'> {
  readonly clock: FakeClock;
}

type OpenJobs = (t: TestContext, options?: Omit<JobsHarnessOptions, 'clock' | 'home'>) => Promise<TimedJobs>;

const openDirectoryJobs: OpenJobs = async (t, options) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { ...options, clock });
  const { stores } = all.opened.database;
  const rows: TimedJobs['rows'] = (sql, values = []) =>
    stores.transaction((queries) => queries.rows(sql, values));
  return { ...all, clock, pauseMs: 0, rows };
};

const openDatabaseJobs: OpenJobs = async (t, options) => {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const { node, rows } = await databaseHarness(t);
  return { ...(await node({ ...options, clock })), clock, rows };
};

/** The jobs of a data directory and of a database, each of the test's own. */
export const jobKinds = [
  { where: 'a data directory', skip: false, open: openDirectoryJobs },
  { where: 'a database', skip: skipWithoutPostgres, open: openDatabaseJobs },
] as const;
