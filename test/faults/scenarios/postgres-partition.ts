import assert from 'node:assert/strict';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { assertJob } from '../books.js';
import { Client, load } from '../client.js';
import { type CutKind, type Host, makeHosts, testNetwork, withoutNamespaces } from '../namespaces.js';
import { startPlatform } from '../platform.js';
import { pause, type Scenario, until } from '../scenario.js';
import { type SharedState, stopAll, withSharedState } from '../shared-state.js';

/** Milliseconds for which a host is disconnected: longer than others wait before they take over its work. */
const cutMs = 40_000;
/** Milliseconds within which every call must end, even if its packets are lost. */
const endedMs = 45_000;
/** Milliseconds within which everything must work again once packets arrive. */
const healMs = 15_000;
/** The faults of the route to the database, in order. */
const cuts: readonly CutKind[] = ['cut off', 'answers lost', 'lossy'];

/** Slices that a worker has claimed, at most three per account. */
async function slicesAtWork(state: SharedState): Promise<number> {
  const [row] = await state.rows<{ readonly count: number }>(
    `SELECT count(*) FROM extract_engine.job WHERE state = 'active' AND name LIKE '%-shortvideo'`,
  );
  return row?.count ?? 0;
}

/** Calls that started before a moment and have not ended. */
async function openBefore(state: SharedState, moment: number): Promise<number> {
  const [row] = await state.rows<{ readonly count: number }>(
    `SELECT count(*) FROM usage WHERE status = 'pending' AND job_id IS NULL AND charged_at < ${moment}`,
  );
  return row?.count ?? 0;
}

/** Connections that the database considers open. */
async function connections(state: SharedState): Promise<number> {
  const [row] = await state.rows<{ readonly count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  return row?.count ?? 0;
}

/** Sends one request after the other until stopped. */
function keepAsking(ask: () => Promise<unknown>): { stop(): Promise<void> } {
  let isOn = true;
  const running = (async () => {
    while (isOn) {
      await ask();
      await pause(200);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await running;
    },
  };
}

/** Cuts a server and a worker on separate hosts off from their database, and reconnects them. */
export const postgresPartition: Scenario = {
  name: 'postgres-partition',
  about: 'a server and a worker on hosts of their own lose the way to their database, and find it again',
  skip: () => withoutPostgres ?? withoutNamespaces(),
  async run(surroundings) {
    const { ms, random, folder } = surroundings;
    const isShort = ms < 60_000;
    const hosts = makeHosts();
    const platform = await startPlatform(folder, '0.0.0.0');
    const run = async (state: SharedState) => {
      const { port } = new URL(state.cluster.url.replace(/@[^:]*/, '@host'));
      const begin = async (role: 'api' | 'worker', name: string) => {
        const host = hosts.add();
        const serving = await state.serve(
          role,
          name,
          {
            ...platform.env,
            EXTRACT_DATABASE_URL: `postgres://postgres@${host.database}:${port}/postgres`,
            EXTRACT_HOST: host.address,
            HTTPS_PROXY: (platform.env.HTTPS_PROXY ?? '').replace('0.0.0.0', host.ours),
          },
          host.through,
        );
        return { host, serving };
      };
      const server = await begin('api', 'server');
      const worker = await begin('worker', 'worker');
      const other = await begin('api', 'other-server');
      const others = await begin('worker', 'other-worker');
      const [client, elsewhere] = [server, other].map(
        ({ serving }) => new Client(serving.url, state.secret),
      ) as [Client, Client];
      const healthOf = async (one: { readonly serving: { readonly url: string } }) =>
        (await fetch(`${one.serving.url}/healthz`, { signal: AbortSignal.timeout(endedMs) })).status;

      let [slowest, unhealthy, healed, rounds] = [0, 0, 0, 0];
      const timed = async (name: string) => {
        const began = performance.now();
        const answered = await client.profile(name);
        slowest = Math.max(slowest, performance.now() - began);
        return answered;
      };
      const end = performance.now() + ms;
      const jobs = new Map<string, readonly string[]>();
      while (performance.now() < end || rounds < (isShort ? 1 : cuts.length)) {
        const cut = cuts[rounds % cuts.length] as CutKind;
        const before = client.answered.length;
        const asking = [load(elsewhere, 2, random)];
        platform.mood = 'slow';
        const names = Array.from({ length: 600 }, (_, at) => `job${rounds}.${at}`);
        const id = await elsewhere.job(`job-${rounds}`, names);
        assert.ok(id !== null);
        jobs.set(id, names);
        // Both workers are busy, and calls are open on the server.
        await until('both workers have slices', 20_000, async () => (await slicesAtWork(state)) >= 4);
        const open = Array.from({ length: 6 }, (_, at) => timed(`open${rounds}.${at}`));
        await until('calls are open', 10_000, async () => (await state.pendingCalls()) > 0);

        const set = (to: CutKind) => {
          for (const one of [server.host, worker.host] as Host[]) one.set(to);
        };
        set(cut);
        platform.mood = 'answers';
        const [began, cutAt] = [performance.now(), Date.now()];
        const probing = keepAsking(() => timed(`cut${rounds}.${Math.floor(random() * 1e9)}`));
        if (cut === 'lossy') {
          await pause(isShort ? 5_000 : cutMs);
        } else {
          await until(
            'the server says that it is not well',
            endedMs,
            async () => (await healthOf(server)) === 500,
          );
          unhealthy = Math.max(unhealthy, performance.now() - began);
          assert.equal(await healthOf(other), 200, 'the other server is well');
          if (!isShort) {
            // While they are still disconnected, others have taken over their work.
            await assertJob(elsewhere, id, names, { ms: cutMs });
            await until(
              'open calls are given back',
              cutMs,
              async () => (await openBefore(state, cutAt)) === 0,
            );
            await pause(Math.max(0, began + cutMs - performance.now()));
          }
        }
        set('whole');
        const healedAt = performance.now();
        await until(
          'calls are answered again',
          healMs,
          async () => (await timed(`back${rounds}`))?.status === 200,
        );
        await until('the server is well again', healMs, async () => (await healthOf(server)) === 200);
        healed = Math.max(healed, performance.now() - healedAt);
        await probing.stop();
        await Promise.all(open);
        await Promise.all(asking.map((one) => one.stop()));
        const ends = client.answered.slice(before).filter(({ status }) => status !== 200);
        for (const { status, code } of ends) assert.deepEqual([status, code], [500, 'internal_error']);
        await state.assertBooks();
        rounds += 1;
      }
      await state.assertJobs(elsewhere, jobs);
      // Ten connections for each of four processes, plus this process's own.
      if (!isShort) {
        await until('connections of before are gone', 90_000, async () => (await connections(state)) <= 45);
      }
      assert.deepEqual([client.cut, elsewhere.cut], [0, 0], 'each call ended by an answer');
      assert.ok(slowest < endedMs, `a call took ${slowest} ms`);
      await state.assertEnd([client, elsewhere]);
      await stopAll([server, worker, other, others].map(({ serving }) => serving));
      return {
        ...{ rounds, answers: client.answered.length + elsewhere.answered.length, jobs: jobs.size },
        'slowest call (s)': (slowest / 1000).toFixed(1),
        'unhealthy after s': (unhealthy / 1000).toFixed(1),
        'well again after s': (healed / 1000).toFixed(1),
        ...{ lost: 0, doubled: 0 },
      };
    };
    try {
      return await withSharedState(surroundings, run, {
        ...{ through: hosts.through, admits: testNetwork },
        // As documented: connections of a lost host end soon.
        settings: { listen_addresses: '0.0.0.0', tcp_keepalives_idle: '20', tcp_keepalives_interval: '5' },
      });
    } finally {
      platform.close();
      hosts.close();
    }
  },
};
