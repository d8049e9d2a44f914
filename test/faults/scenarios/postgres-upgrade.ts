import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { freePort } from '../../support/free-port.js';
import { withoutPostgres } from '../../support/postgres-cluster.js';
import { Client, load } from '../client.js';
import type { Serving } from '../program.js';
import { pause, type Scenario, until } from '../scenario.js';
import { withSharedState } from '../shared-state.js';

/** Starts the sample's proxy in front of local ports. Resolves when it accepts connections. */
async function startProxy(folder: string, upstreams: readonly number[]) {
  const port = await freePort();
  const file = path.join(folder, 'Caddyfile');
  const sample = readFileSync(path.join(packageRoot(), 'deploy', 'Caddyfile'), 'utf8');
  writeFileSync(file, `{\n\tadmin off\n}\n${sample}`);
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      EXTRACT_HOSTNAME: `http://127.0.0.1:${port}`,
      EXTRACT_UPSTREAM: upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' '),
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until('the proxy takes connections', 20_000, () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Restarts the servers and workers of `deploy/compose-postgres.yaml` one after the other, behind its proxy. */
export const postgresUpgrade: Scenario = {
  name: 'postgres-upgrade',
  about: 'two servers and two workers are restarted one after the other behind a proxy, under reads and jobs',
  skip: () =>
    withoutPostgres ??
    (spawnSync('caddy', ['version']).error === undefined
      ? null
      : 'there is no Caddy (apt-get install caddy)'),
  run: (surroundings) =>
    withSharedState(surroundings, async (state) => {
      const { folder, ms, random } = surroundings;
      const ports = [await freePort(), await freePort()];
      const started: Serving[] = [];
      const begin = async (at: number): Promise<Serving> => {
        const node = await (at < 2
          ? state.serve('api', `server-${at + 1}`, { EXTRACT_PORT: String(ports[at]) })
          : state.serve('worker', `worker-${at - 1}`));
        started.push(node);
        return node;
      };
      const nodes = await Promise.all([0, 1, 2, 3].map(begin));
      const proxy = await startProxy(folder, ports);
      const client = new Client(proxy.url, state.secret);
      try {
        const asking = load(client, 4, random);
        const jobs = new Map<string, readonly string[]>();
        const end = performance.now() + ms;
        let restarts = 0;
        while (performance.now() < end || restarts < nodes.length) {
          const names = Array.from({ length: 150 }, (_, at) => `job${restarts}.${at}`);
          const id = await client.job(`job-${restarts}`, names);
          assert.ok(id !== null, `a job was refused: ${client.jobRefusal}`);
          jobs.set(id, names);
          await pause(200 + random() * 800);
          const at = restarts % nodes.length;
          nodes[at]?.child.kill('SIGTERM');
          assert.equal(await nodes[at]?.ended, 0, `SIGTERM: ${nodes[at]?.output()}`);
          nodes[at] = await begin(at);
          restarts += 1;
        }
        await state.assertJobs(client, jobs);
        await asking.stop();
        const refused = client.answered.filter(({ status }) => status >= 500);
        const log = started.flatMap((node) => node.output().split('\n'));
        const why = log.filter((line) => refused.some(({ id }) => line.includes(id)));
        assert.deepEqual([client.cut, refused.slice(0, 3)], [0, []], why.join('\n'));
        await state.assertEnd([client]);
        return { restarts, answers: client.answered.length, jobs: jobs.size, cut: 0 };
      } finally {
        await proxy.stop();
      }
    }),
};
