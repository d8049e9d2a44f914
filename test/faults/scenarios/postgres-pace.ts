import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { migrateDatabase } from '../../../lib/database/postgres/migrate.js';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { paceSchema } from '../../../lib/web/pace-schema.js';
import { bundle, start } from '../../support/child-process.js';
import { makeCluster, withoutPostgres } from '../../support/postgres-cluster.js';
import { pause, type Scenario } from '../scenario.js';

/** Milliseconds between two requests, as a platform has them, and of a rest after a refusal. */
const paceMs = 1_000;
const restMs = 4_000;
const processes = 4;
/** Requests from one refusal to the next. A process is killed halfway: what only it had learned is lost. */
const refusedEvery = 9;
const killedAfter = 4;
/** However short it is to be: with fewer there is nothing to see. */
const minArrivals = 2 * refusedEvery;

const gapsOf = (moments: readonly number[]) =>
  moments.slice(1).map((at, index) => at - (moments[index] ?? 0));

/** What arrives at a platform, each request with its answer. */
async function startPlatform() {
  const arrivals: { readonly at: number; readonly refused: boolean }[] = [];
  const server = http.createServer((_request, response) => {
    const refused = arrivals.length % refusedEvery === refusedEvery - 1;
    arrivals.push({ at: performance.now(), refused });
    response.writeHead(refused ? 429 : 200).end('x');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { arrivals, server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Processes that share a database share one pace and one rest, while they are killed and restarted. */
export const postgresPace: Scenario = {
  name: 'postgres-pace',
  about: 'four processes of one database against one platform: one pace, and nobody asks during a rest',
  skip: () => withoutPostgres,
  async run({ folder, ms, random }) {
    // The driver is looked up next to the program.
    symlinkSync(path.join(packageRoot(), 'node_modules'), path.join(folder, 'node_modules'));
    const program = await bundle(folder, 'test/web/pace-program.ts', ['pg', 'better-sqlite3']);
    const cluster = await makeCluster();
    const { arrivals, server, origin } = await startPlatform();
    const wanted = { home: folder, url: cluster.url, origin, ms: paceMs, cooldownMs: restMs, count: 1e9 };
    const sent: number[] = [];
    const hear = (line: string) => {
      const report = JSON.parse(line) as { readonly sent?: number };
      if (report.sent !== undefined) sent.push(report.sent);
    };
    const startOne = () => start(program, [JSON.stringify(wanted)], hear).process;
    const running: ChildProcess[] = [];
    let kills = 0;
    try {
      await migrateDatabase(cluster.url, [postgresSchema(paceSchema)], systemClock);
      for (let one = 0; one < processes; one += 1) running.push(startOne());
      const end = performance.now() + ms;
      while (arrivals.length < minArrivals || performance.now() < end) {
        await pause(50);
        if (arrivals.length < kills * refusedEvery + killedAfter) continue;
        kills += 1;
        const victim = Math.floor(random() * processes);
        running[victim]?.kill('SIGKILL');
        running[victim] = startOne();
      }
    } finally {
      for (const child of running) child.kill('SIGKILL');
      server.closeAllConnections();
      server.close();
      await cluster.remove();
    }
    // What is paced is the sending. A machine under load delays a request on its way, or this process when it takes it.
    // The first requests of four processes that start together are slow: count from the first rest on.
    const begun = performance.timeOrigin + (arrivals[refusedEvery]?.at ?? 0) - restMs / 2;
    const sending = gapsOf(sent.filter((at) => at >= begun).sort((a, b) => a - b));
    const close = sending.filter((gap) => gap < 0.9 * paceMs);
    const closeArrivals = gapsOf(arrivals.map(({ at }) => at)).filter((gap) => gap < 0.9 * paceMs);
    const rests = arrivals.flatMap(({ at, refused }) => (refused ? [at] : []));
    const during = arrivals.filter(({ at }) => rests.some((begun) => at > begun && at < begun + restMs - 50));
    assert.deepEqual(during, [], 'requests during a rest');
    assert.ok(close.length <= sending.length * 0.01, `gaps: ${sending.map(Math.round)}`);
    // One that a kill cut off may have left unsaid.
    assert.ok(sent.length >= arrivals.length - kills);
    return {
      ...{ requests: arrivals.length, kills, rests: rests.length },
      'gaps below 0.9': close.length,
      'shortest (ms)': Math.round(Math.min(...sending)),
      'of arrivals below 0.9': closeArrivals.length,
    };
  },
};
