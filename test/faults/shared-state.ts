import assert from 'node:assert/strict';
import path from 'node:path';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { imbalancesIn, wrongSumsIn } from '../../lib/ledger/imbalance.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openDatabase } from '../../src/compose/open-postgres.js';
import { freePort } from '../support/free-port.js';
import { type Cluster, type ClusterOptions, makeCluster } from '../support/postgres-cluster.js';
import { assertCharged, assertJob, type CallRow, callRows } from './books.js';
import type { Client } from './client.js';
import type { Serving } from './program.js';
import { type Figures, type Surroundings, until } from './scenario.js';

/** A database that servers and workers share, with an account that has credits, and a key. */
export interface SharedState {
  readonly cluster: Cluster;
  readonly account: string;
  readonly secret: string;
  /** Starts a server or a worker with its own data directory and further settings. */
  serve(
    role: 'api' | 'worker',
    name: string,
    env?: Readonly<Record<string, string>>,
    through?: readonly string[],
  ): Promise<Serving>;
  /** The rows that a statement reads. */
  rows<Row extends object>(statement: string): Promise<Row[]>;
  /** Asserts the invariants: each balance is the sum of its rows, and each daily sum is the sum of its calls. */
  assertBooks(): Promise<void>;
  /** Asserts that each input of the jobs occurs once and in order. */
  assertJobs(client: Client, jobs: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** Waits until no call is open. Asserts that each answer is charged once, as it said, and no refusal is. */
  assertEnd(clients: readonly Client[], ms?: number): Promise<void>;
  /** Unfinished calls, excluding calls of jobs. */
  pendingCalls(): Promise<number>;
}

/** Runs a scenario over a PostgreSQL whose commits are on the disk, with an account in it. */
export async function withSharedState(
  surroundings: Surroundings,
  run: (state: SharedState) => Promise<Figures>,
  options: ClusterOptions = {},
): Promise<Figures> {
  const { folder, program, platform } = surroundings;
  const cluster = await makeCluster({ isDurable: true, port: await freePort(), ...options });
  const config = { url: cluster.url, connections: 4 };
  const place = { home: path.join(folder, 'maker'), clock: systemClock, trialCredits: 0 };
  const store = await openDatabase(config, place);
  const { id } = await store.accounts.create({
    ...{ email: 'ann@example.com', verified: true, credits: 5_000_000 },
  });
  const { secret } = await store.accounts.createKey({ account: id, name: 'faults', platforms: null });
  await store.close();
  const postgres = await Postgres.open(config, systemClock);
  const state: SharedState = {
    cluster,
    account: id,
    secret,
    serve: (role, name, env, through = []) =>
      program.serve(path.join(folder, name), {
        through,
        env: {
          ...{ ...platform.env, EXTRACT_DATABASE_URL: cluster.url, EXTRACT_ROLE: role },
          // If a server does not start, its output says why.
          ...{ EXTRACT_DEBUG: '1', ...env },
        },
      }),
    rows: (statement) => postgres.read((queries) => queries.rows(statement)),
    async assertBooks() {
      assert.deepEqual(await postgres.read(imbalancesIn), []);
      assert.deepEqual(await postgres.read(wrongSumsIn), []);
    },
    async assertJobs(client, jobs) {
      for (const [job, names] of jobs) await assertJob(client, job, names);
    },
    async assertEnd(clients, ms = 45_000) {
      await until('no call is open', ms, async () => (await state.pendingCalls()) === 0);
      await state.assertBooks();
      assertCharged(
        await state.rows<CallRow>(callRows),
        clients.flatMap(({ answered }) => answered),
      );
      await Promise.all(clients.map((client) => client.close()));
    },
    async pendingCalls() {
      const [row] = await state.rows<{ readonly count: number }>(
        `SELECT count(*) FROM usage WHERE status = 'pending' AND job_id IS NULL`,
      );
      return row?.count ?? 0;
    },
  };
  try {
    return await run(state);
  } finally {
    program.killAll();
    await postgres.close();
    await cluster.remove();
  }
}

/** Stops servers as an operator does. */
export async function stopAll(servers: readonly Serving[]): Promise<void> {
  for (const { child, ended } of servers) {
    child.kill('SIGTERM');
    await ended;
  }
}
