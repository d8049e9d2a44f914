import { buildProgram } from './build-program.js';
import { median } from './compare.js';
import { type Load, load } from './load.js';
import { readCached, startServer } from './start-server.js';

const connections = 50;
/** The same program differs by a twentieth between processes, so each is restarted this often. */
const starts = 3;
const rounds = 5;
const ms = 1500;

type Name = 'ours' | 'fastify' | 'http';
const loadsByName: Record<Name, Load[]> = { ours: [], fastify: [], http: [] };

const program = await buildProgram('server-program');

/** Loads all three alternately, in separate processes. */
async function compare(): Promise<void> {
  const ours = await startServer(program, 'extract');
  const { request, body } = await readCached(ours);
  if (loadsByName.ours.length === 0) {
    const size = (Buffer.byteLength(body) / 1000).toFixed(1);
    console.log(`${connections} connections, an answer of ${size} KB`);
  }
  const servers = {
    ours,
    fastify: await startServer(program, 'fastify', { body }),
    http: await startServer(program, 'http', { body }),
  };
  for (const { port } of Object.values(servers)) await load(port, request, { connections, ms: 1000 });
  const names = Object.keys(servers) as Name[];
  for (let round = 0; round < rounds; round += 1) {
    // Each comes first in its turn: what ran before leaves its mark on a machine of two cores.
    for (const at of names.keys()) {
      const name = names[(round + at) % names.length] ?? 'ours';
      loadsByName[name].push(await load(servers[name].port, request, { connections, ms }));
    }
  }
  for (const { process: child } of Object.values(servers)) child.kill();
}

for (let time = 0; time < starts; time += 1) await compare();

const refused = loadsByName.ours.reduce((sum, one) => sum + one.refused, 0);
if (refused > 0) throw new Error(`${refused} answers were not 200`);
const rate = (name: Name) => median(loadsByName[name].map((one) => one.rate));
const against = (name: Name) =>
  median(loadsByName.ours.map((one, round) => one.rate / (loadsByName[name][round]?.rate ?? 1)));
const line = (isMet: boolean, value: string, goal: string, what: string) =>
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${value.padStart(6)}  ${goal.padEnd(14)}  ${what}`);
const figures = (name: Name) => `${Math.round(rate('ours'))} / ${Math.round(rate(name))} a second`;
const [bare, fixed] = [against('fastify'), against('http')];
const p99 = median(loadsByName.ours.map((one) => one.p99));
const what = 'cached read with key, balance and durable ledger against';
line(
  bare >= 2.2,
  bare.toFixed(2),
  'at least 2.2',
  `${what} bare fastify with JSON.stringify (${figures('fastify')})`,
);
line(
  fixed >= 0.55,
  fixed.toFixed(2),
  'at least 0.55',
  `${what} node:http with a fixed buffer (${figures('http')})`,
);
line(p99 <= 6, p99.toFixed(1), 'at most 6', 'its p99 in milliseconds');

/**
 * The same with fewer and more connections, and with smaller and larger answers: our server compared with bare fastify.
 */
const others = [{ connections: 1 }, { connections: 500 }, { bytes: 2_000 }, { bytes: 100_000 }];
for (const { connections: clients = connections, bytes } of others) {
  const ours = await startServer(program, 'extract', bytes === undefined ? {} : { bytes });
  const { request, body } = await readCached(ours);
  const bare = await startServer(program, 'fastify', { body });
  const loads: (readonly [Load, Load])[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const take = ({ port }: { readonly port: number }) =>
      load(port, request, { connections: clients, ms: 1000 });
    loads.push([await take(ours), await take(bare)]);
  }
  ours.process.kill();
  bare.process.kill();
  // The first round warms up.
  const measured = loads.slice(1);
  const refusals = measured.reduce((sum, [mine]) => sum + mine.refused, 0);
  if (refusals > 0) throw new Error(`${refusals} answers were not 200`);
  const of = (value: (pair: readonly [Load, Load]) => number) => median(measured.map(value));
  const rates = `${Math.round(of(([mine]) => mine.rate))} / ${Math.round(of(([, other]) => other.rate))} a second`;
  const p99s = `p99 ${of(([mine]) => mine.p99).toFixed(1)} / ${of(([, other]) => other.p99).toFixed(1)} ms`;
  const size = (Buffer.byteLength(body) / 1000).toFixed(1);
  const times = of(([mine, other]) => mine.rate / other.rate).toFixed(2);
  console.log(
    `        ${times.padStart(6)}  of bare fastify: ${clients} connections, an answer of ${size} KB (${rates}, ${p99s})`,
  );
}
process.exit();
