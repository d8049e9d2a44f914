import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { freePort } from '../../support/free-port.js';
import { type Cluster, makeCluster, withoutPostgres } from '../../support/postgres-cluster.js';
import { assertJob } from '../books.js';
import { Client, load } from '../client.js';
import { pause, type Scenario, until } from '../scenario.js';
import { sharedState } from '../shared-state.js';

/** Milliseconds within which calls must be answered, once the standby may be written. */
const backMs = 10_000;

/** An address that points to one server after the other, like that of a host's failover. */
async function movingAddress(port: number) {
  let target = port;
  const server = net.createServer((client) => {
    const onward = net.connect(target, '127.0.0.1');
    for (const socket of [client, onward]) socket.on('error', () => undefined);
    client.on('close', () => onward.destroy());
    onward.on('close', () => client.destroy());
    client.pipe(onward).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${own}/postgres`,
    lead(next: number) {
      target = next;
    },
    close: () => server.close(),
  };
}

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A standby that holds every commit before it is acknowledged. */
async function makeStandby(primary: Cluster, port: number): Promise<Cluster> {
  const standby = await makeCluster({ isDurable: true, port, standbyOf: primary });
  await run(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
  return standby;
}

/** Crashes the database under reads and jobs, and lets the address lead to its standby, which takes over. */
export const postgresFailover: Scenario = {
  name: 'postgres-failover',
  about:
    'the database of two servers and a worker crashes, and its standby takes over behind the same address',
  skip: () => withoutPostgres,
  async run(surroundings) {
    const { ms, random } = surroundings;
    const clusters: Cluster[] = [];
    let address: Awaited<ReturnType<typeof movingAddress>> | undefined;
    const port = await freePort();
    const state = await sharedState(surroundings, { port }, async () => {
      address = await movingAddress(port);
      return address.url;
    });
    try {
      const servers = [await state.serve('api', 'server-0'), await state.serve('api', 'server-1')];
      await state.serve('worker', 'worker');
      const clients = servers.map(({ url }) => new Client(url, state.secret));
      const [client] = clients as [Client];
      const jobs = new Map<string, readonly string[]>();
      const end = performance.now() + ms;
      let [failovers, slowest] = [0, 0];
      let primary: Cluster = state.cluster;
      while (performance.now() < end || failovers < 1) {
        const next = await freePort();
        const standby = await makeStandby(primary, next);
        clusters.push(standby);
        const asking = clients.map((one) => load(one, 3, random));
        const names = Array.from({ length: 100 }, (_, at) => `job${failovers}.${at}`);
        const id = await client.job(`job-${failovers}`, names);
        if (id !== null) jobs.set(id, names);
        await pause(500 + random() * 2_000);
        await primary.crash();
        await pause(random() * 1_000);
        // The address leads to the standby before it may be written.
        address?.lead(next);
        await pause(random() * 1_000);
        await run(
          standby.url,
          'ALTER SYSTEM RESET synchronous_standby_names',
          'SELECT pg_reload_conf()',
        ).catch(() => undefined);
        await run(standby.url, 'SELECT pg_promote()');
        const began = performance.now();
        await until('calls are answered again', backMs, async () => {
          return (await client.profile(`back${failovers}`))?.status === 200;
        });
        slowest = Math.max(slowest, performance.now() - began);
        await Promise.all(asking.map((one) => one.stop()));
        primary = standby;
        failovers += 1;
        await state.assertBooks();
      }
      for (const [id, names] of jobs) await assertJob(client, id, names);
      await until('no call is open', 45_000, async () => (await state.pendingCalls()) === 0);
      await pause(2_000);
      const answered = clients.flatMap((one) => one.answered);
      await state.assertBooks();
      await state.assertAnswers(answered);
      assert.ok(answered.some(({ status }) => status === 200));
      await Promise.all(clients.map((one) => one.close()));
      return {
        ...{ failovers, answers: answered.length, jobs: jobs.size, lost: 0 },
        'answered after ms at most': Math.round(slowest),
      };
    } finally {
      surroundings.program.killAll();
      await state.close();
      for (const cluster of clusters) await cluster.remove();
      address?.close();
    }
  },
};
