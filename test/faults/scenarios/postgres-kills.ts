import assert from 'node:assert/strict';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client, load } from '../client.js';
import type { Serving } from '../program.js';
import { pause, type Scenario, until } from '../scenario.js';
import { type SharedState, stopAll, withSharedState } from '../shared-state.js';

/** Milliseconds within which the open calls of a killed server must be refunded. */
const giveBackMs = 35_000;
/** Milliseconds from one kill to the next, whichever process it meets: 200 in 15 minutes. */
const killEveryMs = 4_400;
/** Concurrent jobs: as many as the processes can finish between kills. */
const openJobs = 4;

/** A server or worker that is killed at random moments, and started again each time. */
class Victim {
  kills = 0;
  serving!: Serving;
  readonly #state: SharedState;
  readonly #role: 'api' | 'worker';
  readonly #name: string;

  constructor(state: SharedState, role: 'api' | 'worker', name: string) {
    this.#state = state;
    this.#role = role;
    this.#name = name;
  }

  async start(): Promise<void> {
    this.serving = await this.#state.serve(this.#role, this.#name);
  }

  async kill(): Promise<void> {
    this.serving.child.kill('SIGKILL');
    await this.serving.ended;
    this.kills += 1;
  }
}

/** Waits in short steps, to stop in time. */
async function pauseUntil(moment: number, isOver: () => boolean): Promise<void> {
  while (performance.now() < moment && !isOver()) await pause(Math.min(200, moment - performance.now()));
}

/** Kills servers and workers that share a PostgreSQL, under reads and jobs; each is started again. */
export const postgresKills: Scenario = {
  name: 'postgres-kills',
  about: 'servers and workers that share a PostgreSQL are killed at random moments, under reads and jobs',
  skip: () => withoutPostgres,
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const { ms, random, platform } = surroundings;
      const isShort = ms < 60_000;
      const [apis, workers] = isShort ? [2, 1] : [3, 2];
      const roles = [...Array(apis).fill('api'), ...Array(workers).fill('worker')] as ('api' | 'worker')[];
      const victims = roles.map((role, at) => new Victim(state, role, `node-${at}`));
      for (const victim of victims) await victim.start();
      const clients = victims.slice(0, apis).map(({ serving }) => new Client(serving.url, state.secret));
      const asking = clients.map((client) => load(client, 2, random));
      const end = performance.now() + ms;
      const jobs = new Map<string, readonly string[]>();
      // In the short form, each is killed once, while it has something to lose.
      const isOver = () =>
        performance.now() >= end && (!isShort || (jobs.size > 0 && victims.every(({ kills }) => kills > 0)));
      let looks = 0;
      let looking: Promise<void> = Promise.resolve();
      const poll = () => {
        looking = looking.then(async () => {
          await state.assertBooks();
          looks += 1;
        });
        return looking;
      };
      const torment = async (victim: Victim, at: number) => {
        const mean = isShort ? 3_000 : killEveryMs * victims.length;
        // Measured from kill to kill, so that slow starts do not reduce their number.
        for (let next = performance.now() + mean * random(); ; next += mean * (0.2 + 1.6 * random())) {
          await pauseUntil(next, isOver);
          if (isOver()) return;
          await victim.kill();
          await Promise.all([poll(), victim.start()]);
          const client = clients[at];
          if (client !== undefined) client.url = victim.serving.url;
          // On a busy machine, starting takes longer than the time between two kills, and no work would ever finish.
          if (isShort) return;
        }
      };
      let count = 0;
      const makeJobs = async () => {
        while (!isOver()) {
          count += 1;
          const key = `job-${count}`;
          const names = Array.from({ length: 20 + Math.floor(random() * 200) }, (_, at) =>
            at % 7 === 3 ? `missing${count}.${at}` : `job${count}.${at}`,
          );
          let id: string | null = null;
          while (id === null && !isOver()) {
            const maker = clients[Math.floor(random() * apis)] as Client;
            id = await maker.job(key, names);
            if (id === null) await pause(100);
          }
          if (id === null) return;
          jobs.set(id, names);
          const [first] = clients as [Client];
          while (!isOver()) {
            const done = (await first.get(`/v1/jobs/${id}`).catch(() => null))?.body?.data?.status === 'done';
            if (done) break;
            await pause(500);
          }
        }
      };
      await Promise.all([
        ...victims.map(torment),
        ...Array.from({ length: isShort ? 1 : openJobs }, makeJobs),
      ]);
      await looking;
      const kills = victims.reduce((sum, victim) => sum + victim.kills, 0);
      if (!isShort) {
        const expectedKills = Math.floor(ms / killEveryMs);
        assert.ok(
          kills >= expectedKills * 0.9,
          `${kills} kills, and not about ${expectedKills}: it takes another machine`,
        );
      }
      await Promise.all(asking.map((one) => one.stop()));
      const [first] = clients as [Client];
      await state.assertJobs(first, jobs);

      // Calls that are open when their server is killed.
      platform.mood = 'proxy is silent';
      platform.cut();
      const open = Promise.all(Array.from({ length: 5 }, (_, at) => first.profile(`open${at}`)));
      await until('calls are open', 20_000, async () => (await state.pendingCalls()) > 0);
      await victims[0]?.kill();
      const began = performance.now();
      await open;
      platform.mood = 'answers';
      if (!isShort) {
        await until('calls left behind are given back', giveBackMs, async () => {
          return (await state.pendingCalls()) === 0;
        });
      }
      const seconds = (performance.now() - began) / 1000;
      const answered = clients.flatMap((client) => client.answered);
      await state.assertEnd(clients);
      await stopAll(victims.map(({ serving }) => serving));
      const inputs = [...jobs.values()].reduce((sum, names) => sum + names.length, 0);
      return {
        ...{ kills, looks, answers: answered.length, jobs: jobs.size, inputs, lost: 0, doubled: 0 },
        ...(isShort ? {} : { 'given back after seconds': seconds.toFixed(1) }),
      };
    }),
};
