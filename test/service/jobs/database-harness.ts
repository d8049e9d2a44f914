import type { TestContext } from 'node:test';
import type { DatabaseConfig } from '../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import { makeTestDatabase } from '../../support/postgres.js';
import { type JobsHarness, type JobsHarnessOptions, jobsOver } from './harness.js';

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
