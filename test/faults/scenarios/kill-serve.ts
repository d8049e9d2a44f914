import path from 'node:path';
import { assertBooks, assertEnd, assertJob, newHome, pendingCalls } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, until } from '../scenario.js';

/** Kills the server at random moments, under reads and jobs, and starts it again. */
export const killServe: Scenario = {
  name: 'kill-serve',
  about: 'the server is killed at random moments, under reads and jobs',
  async run({ folder, ms, program, platform, random }) {
    const home = await newHome(path.join(folder, 'home'));
    const client = new Client('', home.secret);
    const jobs = new Map<string, readonly string[]>();
    const end = performance.now() + ms;
    let kills = 0;
    while (performance.now() < end || kills < 2) {
      const serving = await program.serve(home.home, { env: platform.env });
      client.url = serving.url;
      const asking = load(client, 6, random);
      const names = Array.from({ length: 20 + Math.floor(random() * 60) }, (_, at) =>
        at % 7 === 3 ? `missing${kills}.${at}` : `job${kills}.${at}`,
      );
      const id = await client.job(`job-${kills}`, names);
      if (id !== null) jobs.set(id, names);
      await pause(100 + random() * 2500);
      serving.child.kill('SIGKILL');
      await serving.ended;
      await asking.stop();
      kills += 1;
      assertBooks(home, client.answered);
    }
    const last = await program.serve(home.home, { env: platform.env });
    client.url = last.url;
    await client.profile('known1');
    for (const [id, names] of jobs) await assertJob(client, id, names, { home: home.home });
    await until('calls left behind are given back', 5_000, () => pendingCalls(home) === 0);
    // Stopped under load, it finishes the requests in progress.
    const asking = load(client, 6, random);
    await pause(1_000);
    await assertEnd(last, home, client);
    await asking.stop();
    const inputs = [...jobs.values()].reduce((sum, names) => sum + names.length, 0);
    return { kills, answers: client.answered.length, jobs: jobs.size, inputs, lost: 0, doubled: 0 };
  },
};
