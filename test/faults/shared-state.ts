import assert from 'node:assert/strict';
import path from 'node:path';
import { imbalances, wrongSums } from '../../lib/ledger/postgres/integrity.js';
import { Postgres } from '../../lib/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openDatabase } from '../../src/open-postgres.js';
import { freePort } from '../support/free-port.js';
import { type Cluster, type ClusterOptions, makeCluster } from '../support/postgres-cluster.js';
import type { Answered, Client } from './client.js';
import type { Serving, StartOptions } from './program.js';
import { type Surroundings, until } from './scenario.js';

/** A database that servers and workers share, with an account that has credits, and a key. */
export interface SharedState {
  readonly cluster: Cluster;
  readonly account: string;
  readonly secret: string;
  /** Starts a server or a worker, with a data directory of its own and further settings. */
  serve(
    role: 'api' | 'worker',
    name: string,
    env?: Readonly<Record<string, string>>,
    options?: Pick<StartOptions, 'through'>,
  ): Promise<Serving>;
  /** The rows that a statement reads. */
  rows<Row extends object>(statement: string): Promise<Row[]>;
  /**
   * Asserts what holds at every moment: balances are sums of their rows, and sums of days those of their calls.
   */
  assertBooks(): Promise<void>;
  /** Asserts that each answer that came is charged once, as it said, and that no refusal is. Once no call is under way. */
  assertAnswers(answered: readonly Answered[]): Promise<void>;
  /** Calls that have not ended, those of jobs left out. */
  pendingCalls(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a PostgreSQL whose commits are on the disk, and makes an account in it. */
export async function sharedState(
  { folder, program, platform }: Surroundings,
  options: ClusterOptions = {},
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
  const postgres = await Postgres.open(config, systemClock);
  return {
    cluster,
    account: id,
    secret,
    serve: (role, name, env, started) =>
      program.serve(path.join(folder, name), {
        ...started,
        env: { ...platform.env, EXTRACT_DATABASE_URL: cluster.url, EXTRACT_ROLE: role, ...env },
      }),
    rows: (statement) => postgres.read((queries) => queries.rows(statement)),
    async assertBooks() {
      assert.deepEqual(await postgres.read(imbalances), []);
      assert.deepEqual(await postgres.read(wrongSums), []);
    },
    async assertAnswers(answered) {
      const rows = await postgres.read((queries) =>
        queries.rows<{ readonly id: string; readonly status: string; readonly credits_charged: number }>(
          'SELECT id, status, credits_charged FROM usage WHERE job_id IS NULL',
        ),
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id: call, status, charged } of answered) {
        const row = byId.get(call);
        if (status === 200)
          assert.deepEqual([row?.status, row?.credits_charged], ['ok', charged], `${call} was answered`);
        else assert.equal(row?.credits_charged ?? 0, 0, `${call} was refused`);
      }
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

/** Waits for a job's end, and asserts that each of its inputs has one line, in their order. */
export async function assertSharedJob(
  client: Client,
  id: string,
  names: readonly string[],
  ms = 120_000,
): Promise<void> {
  let job: Readonly<Record<string, unknown>> = {};
  await until(`the job ${id} is done`, ms, async () => {
    job = (await client.get(`/v1/jobs/${id}`).catch(() => null))?.body?.data ?? {};
    return job.status === 'done';
  });
  const lines = (await client.text(`/v1/jobs/${id}/results`))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { input: { username: string }; error?: { code: string } });
  assert.deepEqual(
    lines.map(({ input }) => input.username),
    names,
  );
  assert.deepEqual(
    lines.filter(({ error }) => error?.code === 'internal_error'),
    [],
    'no input ends by a fault of ours',
  );
  const failed = lines.filter(({ error }) => error !== undefined).length;
  assert.deepEqual([job.completed, job.failed], [names.length - failed, failed]);
}
