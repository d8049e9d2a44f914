import assert from 'node:assert/strict';
import pg from 'pg';
import { migrateDatabase } from '../../../lib/database/postgres/migrate.js';
import type { AnySchema } from '../../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client, load } from '../client.js';
import { pause, type Scenario } from '../scenario.js';
import { stopAll, withSharedState } from '../shared-state.js';

/** Milliseconds for which somebody else's transaction keeps the tables that are to be changed. */
const heldMs = 8_000;
/** Milliseconds that no call may take longer while they are changed than before: it waits behind one try at most. */
const maxWaitMs = 2_000;

/** The tables of later versions of this program, one after the other. */
const steps: Readonly<Record<string, (round: number) => string>> = {
  ledger: (round) => `
    ALTER TABLE usage ADD COLUMN later${round} text;
    ALTER TABLE balances ADD COLUMN later${round} integer NOT NULL DEFAULT 7`,
  jobs: (round) => `
    ALTER TABLE jobs ADD COLUMN later${round} text;
    CREATE INDEX jobs_later${round} ON jobs (later${round})`,
};

function laterSchemas(rounds: number): readonly AnySchema[] {
  return allSchemas().map((schema) => {
    const step = steps[schema.name];
    if (step === undefined || !('tables' in schema)) return schema;
    return {
      ...schema,
      steps: [...(schema.steps ?? []), ...Array.from({ length: rounds }, (_, at) => step(at))],
    };
  });
}

/** Migrates the tables of running servers while another transaction blocks the way. */
export const postgresMigrate: Scenario = {
  name: 'postgres-migrate',
  about:
    'tables of two servers and a worker at work are migrated, behind a long transaction of somebody else',
  skip: () => withoutPostgres,
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const { ms, random } = surroundings;
      const somebody = new pg.Client({ connectionString: state.cluster.url });
      somebody.on('error', () => undefined);
      await somebody.connect();
      const servers = [await state.serve('api', 'server-0'), await state.serve('api', 'server-1')];
      const worker = await state.serve('worker', 'worker');
      const clients = servers.map(({ url }) => new Client(url, state.secret));
      const [client] = clients as [Client];
      let [slowest, isOn, count] = [0, true, 0];
      const asking = clients.map((one) => load(one, 2, random));
      const probing = (async () => {
        while (isOn) {
          const began = performance.now();
          await client.profile(`known${count % 5}`);
          slowest = Math.max(slowest, performance.now() - began);
          // Rows whose columns have changed are read too.
          const { status, body } = await client.get('/v1/jobs');
          assert.equal(status, 200, JSON.stringify(body));
          count += 1;
          await pause(20);
        }
      })();
      probing.catch(() => undefined);
      const jobs = new Map<string, readonly string[]>();
      const end = performance.now() + ms;
      let [rounds, before, during, longest] = [0, 0, 0, 0];
      while (performance.now() < end || rounds < 1) {
        const names = Array.from({ length: 250 }, (_, at) => `job${rounds}.${at}`);
        const id = await client.job(`job-${rounds}`, names);
        assert.ok(id !== null, 'a job is taken');
        jobs.set(id, names);
        slowest = 0;
        await pause(2_000);
        before = Math.max(before, slowest);
        // A long read, like a report or a backup.
        await somebody.query(
          'BEGIN; SELECT count(*) FROM usage; SELECT count(*) FROM balances; SELECT count(*) FROM jobs',
        );
        rounds += 1;
        slowest = 0;
        const answered = client.answered.length;
        const began = performance.now();
        const migrating = migrateDatabase(state.cluster.url, laterSchemas(rounds), systemClock);
        migrating.catch(() => undefined);
        await pause(heldMs);
        assert.ok(client.answered.length > answered, 'calls are answered while the migration waits');
        await somebody.query('COMMIT');
        await migrating;
        longest = Math.max(longest, performance.now() - began - heldMs);
        await pause(1_000);
        during = Math.max(during, slowest);
        await state.assertBooks();
      }
      await state.assertJobs(client, jobs);
      isOn = false;
      await probing;
      await Promise.all(asking.map((one) => one.stop()));
      const answered = clients.flatMap((one) => one.answered);
      const refused = answered.filter(({ status }) => status !== 200);
      assert.deepEqual(refused.slice(0, 3), [], 'no call fails');
      assert.deepEqual(
        clients.map(({ cut }) => cut),
        [0, 0],
      );
      assert.ok(during < before + maxWaitMs, `a call took ${during} ms, and ${before} ms before`);
      await state.assertEnd(clients);
      // The earlier version keeps running, and does not start on tables that it does not know.
      await assert.rejects(state.serve('api', 'server-late'), /later version of this program/);
      await stopAll([...servers, worker]);
      await somebody.end();
      return {
        ...{ migrations: rounds, answers: answered.length, jobs: jobs.size, failed: 0 },
        'slowest call before (ms)': Math.round(before),
        'and during (ms)': Math.round(during),
        'migrated ms after the transaction': Math.round(longest),
      };
    }),
};
