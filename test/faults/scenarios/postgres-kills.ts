import { withoutPostgres } from '../../support/postgres-cluster.js';
import { assertJob } from '../books.js';
import { Client, load } from '../client.js';
import type { Serving } from '../program.js';
import { pause, type Scenario, until } from '../scenario.js';
import { sharedState } from '../shared-state.js';

/** Milliseconds within which the open calls of a killed server must be given back. */
const giveBackMs = 35_000;

/** Kills servers and workers that share a PostgreSQL, under reads and jobs; each is started again. */
export const postgresKills: Scenario = {
  name: 'postgres-kills',
  about: 'servers and workers that share a PostgreSQL are killed at random moments, under reads and jobs',
  skip: () => withoutPostgres,
  async run(surroundings) {
    const { ms, random, platform } = surroundings;
    const isShort = ms < 60_000;
    const state = await sharedState(surroundings);
    try {
      const [apis, workers] = isShort ? [2, 1] : [3, 2];
      const roles = [...Array(apis).fill('api'), ...Array(workers).fill('worker')] as ('api' | 'worker')[];
      const processes: Serving[] = [];
      for (const [at, role] of roles.entries()) processes.push(await state.serve(role, `node-${at}`));
      const urlOf = (at: number) => processes[at]?.url ?? '';
      const clients = Array.from({ length: apis }, (_, at) => new Client(urlOf(at), state.secret));
      const asking = clients.map((client) => load(client, 3, random));
      const jobs = new Map<string, readonly string[]>();
      const end = performance.now() + ms;
      let [kills, looks] = [0, 0];
      while (performance.now() < end || kills < 3) {
        const names = Array.from({ length: 20 + Math.floor(random() * 200) }, (_, at) =>
          at % 7 === 3 ? `missing${kills}.${at}` : `job${kills}.${at}`,
        );
        const maker = clients[Math.floor(random() * apis)] as Client;
        const id = await maker.job(`job-${kills}`, names);
        if (id !== null) jobs.set(id, names);
        await pause(100 + random() * 1_500);
        // In the short form each kind is killed.
        const at = isShort ? (kills * apis) % roles.length : Math.floor(random() * roles.length);
        const victim = processes[at] as Serving;
        victim.child.kill('SIGKILL');
        await victim.ended;
        kills += 1;
        await state.assertBooks();
        looks += 1;
        processes[at] = await state.serve(roles[at] ?? 'api', `node-${at}`);
        const client = clients[at];
        if (client !== undefined) client.url = urlOf(at);
      }
      await Promise.all(asking.map((one) => one.stop()));
      const [first] = clients as [Client];
      for (const [id, names] of jobs) await assertJob(first, id, names);

      // Calls that are open when their server is killed.
      platform.mood = 'slow';
      const open = Promise.all(Array.from({ length: 5 }, (_, at) => first.profile(`open${at}`)));
      await until('calls are open', 20_000, async () => (await state.pendingCalls()) > 0);
      processes[0]?.child.kill('SIGKILL');
      const began = performance.now();
      await open;
      platform.mood = 'answers';
      if (!isShort) {
        await until('calls left behind are given back', giveBackMs, async () => {
          return (await state.pendingCalls()) === 0;
        });
      }
      const seconds = (performance.now() - began) / 1000;
      await state.assertBooks();
      const answered = clients.flatMap((client) => client.answered);
      await state.assertAnswers(answered);
      for (const { child, ended } of processes) {
        child.kill('SIGTERM');
        await ended;
      }
      await Promise.all(clients.map((client) => client.close()));
      const inputs = [...jobs.values()].reduce((sum, names) => sum + names.length, 0);
      return {
        ...{ kills, looks, answers: answered.length, jobs: jobs.size, inputs, lost: 0, doubled: 0 },
        ...(isShort ? {} : { 'given back after seconds': seconds.toFixed(1) }),
      };
    } finally {
      surroundings.program.killAll();
      await state.close();
    }
  },
};
