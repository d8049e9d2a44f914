import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, until } from '../scenario.js';
import { stopAll, withSharedState } from '../shared-state.js';

/** Milliseconds within which calls must be answered, once the database is back. */
const backMs = 5_000;

/** Stops the database immediately, like `pg_ctl -m immediate`, under reads and a job, and starts it again. */
export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  about: 'the PostgreSQL of two servers ends at once, under reads and jobs, and comes back',
  skip: () => withoutPostgres,
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const { ms, random } = surroundings;
      const servers = [await state.serve('api', 'api'), await state.serve('worker', 'worker')] as const;
      const client = new Client(servers[0].url, state.secret);
      const jobs = new Map<string, readonly string[]>();
      const end = performance.now() + ms;
      let [restarts, slowest] = [0, 0];
      while (performance.now() < end || restarts < 2) {
        const asking = load(client, 6, random);
        const names = Array.from({ length: 120 }, (_, at) => `job${restarts}.${at}`);
        const id = await client.job(`job-${restarts}`, names);
        if (id !== null) jobs.set(id, names);
        await pause(200 + random() * 1_500);
        await state.cluster.crash();
        await pause(random() * 2_000);
        await state.cluster.start();
        const began = performance.now();
        await until('calls are answered again', backMs, async () => {
          return (await client.profile(`back${restarts}`))?.status === 200;
        });
        slowest = Math.max(slowest, performance.now() - began);
        await asking.stop();
        restarts += 1;
        await state.assertBooks();
      }
      await state.assertJobs(client, jobs);
      // A charge whose connection was lost is refunded if it was committed after all.
      await pause(2_000);
      await state.assertEnd([client]);
      await stopAll(servers);
      return {
        ...{ restarts, answers: client.answered.length, jobs: jobs.size, lost: 0 },
        'answered after ms at most': Math.round(slowest),
      };
    }),
};
