// Paid reads from the cache over real sockets. Compares a server over PostgreSQL, with durable commits, with one over a
// data directory. Two servers of one database read for one hot account, and for an account each.
import { makeCluster, withoutPostgres } from '../support/postgres-cluster.js';
import { median } from './compare.js';
import { allCores, confineTo, halfOfCores } from './cores.js';
import { type Load, load } from './load.js';
import { buildServer, type CachedRead, readCached, type StartedServer, startServer } from './start-server.js';

/** Of each server. */
const connections = 50;
const rounds = 5;
const ms = 2000;

if (withoutPostgres !== null) {
  console.log(withoutPostgres);
  process.exit();
}

type Running = StartedServer & CachedRead;

const program = await buildServer();
const cluster = await makeCluster({
  isDurable: true,
  settings: { shared_buffers: '256MB', max_wal_size: '4GB' },
});

async function begin(more: { readonly url?: string; readonly secret?: string }): Promise<Running> {
  const server = await startServer(program, 'extract', more);
  return { ...server, ...(await readCached(server)) };
}

/** Puts servers under load together. */
async function loaded(servers: readonly Running[]): Promise<Pick<Load, 'rate' | 'p99'>> {
  const loads = await Promise.all(
    servers.map(({ port, request }) => load(port, request, { connections, ms })),
  );
  const refused = loads.reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) throw new Error(`${refused} answers were not 200`);
  return {
    rate: loads.reduce((sum, { rate }) => sum + rate, 0),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  };
}

const { url } = cluster;
const file = await begin({});
const hot = await begin({ url });
const alsoHot = await begin({ url, secret: hot.secret });
const apart = await begin({ url });
const all = [file, hot, alsoHot, apart];

const cases = {
  file: { cores: allCores, servers: [file] },
  one: { cores: allCores, servers: [hot] },
  two: { cores: allCores, servers: [hot, alsoHot] },
  apart: { cores: allCores, servers: [hot, apart] },
  oneOnHalf: { cores: halfOfCores, servers: [hot] },
} as const;
type Name = keyof typeof cases;
const names = Object.keys(cases) as Name[];
const loadsOf = Object.fromEntries(names.map((name) => [name, [] as Awaited<ReturnType<typeof loaded>>[]]));

const line = (isMet: boolean, value: number, goal: string, what: string) =>
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${value.toFixed(2).padStart(7)}  ${goal.padEnd(14)}  ${what}`);
const rate = (name: Name) => Math.round(median((loadsOf[name] ?? []).map((one) => one.rate)));
const p99 = (name: Name) => median((loadsOf[name] ?? []).map((one) => one.p99)).toFixed(1);
const ratio = (a: Name, b: Name) =>
  median((loadsOf[a] ?? []).map((one, round) => one.rate / (loadsOf[b]?.[round]?.rate ?? Number.NaN)));

try {
  for (const server of all) await load(server.port, server.request, { connections, ms: 1000 });
  for (let round = 0; round < rounds; round += 1) {
    // Each comes first in its turn.
    for (const at of names.keys()) {
      const name = names[(round + at) % names.length] ?? 'one';
      const { cores, servers } = cases[name];
      confineTo(
        cores,
        cluster,
        servers.map((server) => server.process.pid ?? 0),
      );
      loadsOf[name]?.push(await loaded(servers));
    }
  }
  console.log(
    `${connections} connections a server; a second, and p99: file ${rate('file')} (${p99('file')} ms), database ${rate('one')} (${p99('one')} ms), two hot ${rate('two')} (${p99('two')} ms), two apart ${rate('apart')} (${p99('apart')} ms), one on ${halfOfCores} of ${allCores} cores ${rate('oneOnHalf')} (${p99('oneOnHalf')} ms)`,
  );
  const paid = 'paid reads from the cache';
  const [toFile, hotScale, apartScale] = [
    ratio('one', 'file'),
    ratio('two', 'oneOnHalf'),
    ratio('apart', 'oneOnHalf'),
  ];
  line(
    toFile >= 0.35,
    toFile,
    'at least 0.35',
    `of the server over a data directory: ${paid} over a database`,
  );
  line(
    hotScale >= 1.6,
    hotScale,
    'at least 1.6',
    `times one on half of the cores: two on all, one hot account`,
  );
  line(
    apartScale >= 1.6,
    apartScale,
    'at least 1.6',
    `times one on half of the cores: two on all, an account each`,
  );
  const slower = ratio('two', 'one');
  line(slower >= 1, slower, 'at least 1', `times one on as many cores: two, one hot account`);
} finally {
  for (const server of all) server.process.kill();
  confineTo(allCores, cluster);
  await cluster.remove();
}
