import type { TestContext } from 'node:test';
import type { Services } from '../../../lib/call/call.js';
import { readConfig } from '../../../lib/config.js';
import type { DatabaseConfig } from '../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { openServices } from '../../../lib/services.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import type { JobsOptions } from '../../../src/service/jobs/job-parts.js';
import { makeTestDatabase } from '../../support/postgres.js';
import { customersOf, echo, type JobsHarness, newHome, rows } from './harness.js';

/** One node over a database: what a server has. */
export interface Node extends Pick<JobsHarness, 'home' | 'jobs' | 'customer' | 'credits'> {
  readonly opened: OpenStore;
  /** What stopped a job for now, as it was reported to `onError`. */
  readonly errors: unknown[];
  readonly pauseMs: number;
  /** Shuts down gracefully, as a server does on SIGTERM. */
  close(): Promise<void>;
}

export interface NodeOptions extends Partial<Omit<JobsOptions, 'services' | 'config'>> {
  readonly clock?: Clock;
  readonly services?: Partial<Services>;
  /** False: nothing is worked on until the test says so. */
  readonly start?: boolean;
}

/** Milliseconds between two looks at a database. */
export const pauseMs = 20;

/** Opens a node over a database. */
export async function openNode(
  config: DatabaseConfig,
  home: string,
  { clock = systemClock, start = true, services, ...rest }: NodeOptions = {},
): Promise<Node> {
  const opened = await openDatabase({ ...config, connections: 10 }, { home, clock, trialCredits: 500 });
  const settings = readConfig({ home }, {});
  const own = openServices(settings, { ledger: opened.ledger });
  const errors: unknown[] = [];
  const jobs = opened.createJobs({
    services: { ...own, clock, docsBase: 'https://docs.example', ...services },
    config: settings,
    endpoints: rows,
    webhookAllow: [],
    ask: echo,
    onError: (_, cause) => errors.push(cause),
    ...rest,
  });
  if (start) jobs.start();
  let closed: Promise<void> | undefined;
  const { accounts } = opened;
  return {
    ...{ home, opened, jobs, errors, pauseMs },
    ...customersOf(accounts, opened.ledger),
    close() {
      closed ??= jobs
        .stop()
        .then(() => own.close())
        .then(() => opened.close());
      return closed;
    },
  };
}

/** A database of a test's own, with what opens nodes over it; all of them are closed at its end. */
export interface DatabaseHarness {
  readonly config: DatabaseConfig;
  node(options?: NodeOptions): Promise<Node>;
  rows<Row extends object>(sql: string, values?: readonly (string | number)[]): Promise<Row[]>;
}

export async function databaseHarness(t: TestContext): Promise<DatabaseHarness> {
  const { config, drop } = await makeTestDatabase(allSchemas());
  const looker = await Postgres.open({ ...config, connections: 1 }, systemClock);
  const nodes: Node[] = [];
  t.after(async () => {
    for (const node of nodes) await node.close();
    await looker.close();
    await drop();
  });
  return {
    config,
    async node(options) {
      const node = await openNode(config, newHome(t), options);
      nodes.push(node);
      return node;
    },
    rows: <Row extends object>(sql: string, values: readonly (string | number)[] = []) =>
      looker.read((queries) => queries.rows<Row>(sql, values)),
  };
}
