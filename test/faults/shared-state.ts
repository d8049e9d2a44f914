import assert from 'node:assert/strict';
import path from 'node:path';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { imbalancesIn, wrongSumsIn } from '../../lib/ledger/imbalance.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openDatabase } from '../../src/compose/open-postgres.js';
import { freePort } from '../support/free-port.js';
import { type Cluster, type ClusterOptions, makeCluster } from '../support/postgres-cluster.js';
import { assertCharged, type CallRow, callRows } from './books.js';
import type { ClientAnswer } from './client.js';
import type { Serving, StartOptions } from './program.js';
import type { Surroundings } from './scenario.js';

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
    options?: Pick<StartOptions, 'through'>,
  ): Promise<Serving>;
  /** The rows that a statement reads. */
  rows<Row extends object>(statement: string): Promise<Row[]>;
  /** Asserts the invariants: each balance is the sum of its rows, and each daily sum is the sum of its calls. */
  assertBooks(): Promise<void>;
  /** Asserts that each answer that came is charged once, as it said, and that no refusal is. Once no call is under way. */
  assertAnswers(answered: readonly ClientAnswer[]): Promise<void>;
  /** Unfinished calls, excluding calls of jobs. */
  pendingCalls(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL whose commits are on the disk, and makes an account in it. Everything but its creation uses the
 * address that `wayTo` returns, if it is set.
 */
export async function sharedState(
  { folder, program, platform }: Surroundings,
  options: ClusterOptions = {},
  wayTo: (cluster: Cluster) => Promise<string> = async ({ url }) => url,
): Promise<SharedState> {
  const cluster = await makeCluster({ isDurable: true, port: await freePort(), ...options });
  const config = { url: cluster.url, connections: 4 };
  const store = await openDatabase(config, {
    home: path.join(folder, 'maker'),
    clock: systemClock,
    trialCredits: 0,
  });
  const { id } = await store.accounts.create({
    ...{ email: 'ann@example.com', verified: true, credits: 5_000_000 },
  });
  const { secret } = await store.accounts.createKey({ account: id, name: 'faults', platforms: null });
  await store.close();
  const url = await wayTo(cluster);
  const postgres = await Postgres.open({ ...config, url }, systemClock);
  return {
    cluster,
    account: id,
    secret,
    serve: (role, name, env, started) =>
      program.serve(path.join(folder, name), {
        ...started,
        env: {
          ...platform.env,
          EXTRACT_DATABASE_URL: url,
          EXTRACT_ROLE: role,
          // A server that does not start says why.
          EXTRACT_DEBUG: '1',
          ...env,
        },
      }),
    rows: (statement) => postgres.read((queries) => queries.rows(statement)),
    async assertBooks() {
      assert.deepEqual(await postgres.read(imbalancesIn), []);
      assert.deepEqual(await postgres.read(wrongSumsIn), []);
    },
    async assertAnswers(answered) {
      const rows = await postgres.read((queries) => queries.rows<CallRow>(callRows));
      assertCharged(rows, answered);
    },
    async pendingCalls() {
      const row = await postgres.read((queries) =>
        queries.first<{ readonly count: number }>(
          `SELECT count(*) FROM usage WHERE status = 'pending' AND job_id IS NULL`,
        ),
      );
      return row?.count ?? 0;
    },
    async close() {
      await postgres.close();
      await cluster.remove();
    },
  };
}
