import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Load, load } from './load.js';

/** A list whose sample is about as large as real answers are. */
const endpoint = 'shortvideo/videos';
const connections = 50;
/** One and the same program differs by a twentieth from process to process: each is started anew so often. */
const starts = 3;
const rounds = 5;
const ms = 1500;

interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  readonly secret: string;
  readonly query: string;
}

// Built as it is published, without the names and maps that running the sources adds.
const program = path.join(packageRoot(), 'dist', 'bench', 'server-program.js');
await build({
  entryPoints: [path.join(packageRoot(), 'test', 'bench', 'server-program.ts')],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'error',
});

async function start(kind: string, body?: string): Promise<Started> {
  const child = fork(program, [kind, endpoint], { execArgv: [] });
  if (body !== undefined) child.send(body);
  const [started] = (await once(child, 'message')) as [Omit<Started, 'process'>];
  return { process: child, ...started };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

type Name = 'ours' | 'fastify' | 'http';
const seen: Record<Name, Load[]> = { ours: [], fastify: [], http: [] };

/** Puts all three under load in turn, in processes of their own. */
async function compare(): Promise<void> {
  const ours = await start('extract');
  const url = `/v1/${endpoint}?${ours.query}`;
  const authorization = `Bearer ${ours.secret}`;
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${ours.port}${url}`, { headers: { authorization } })).text();
  await ask();
  const body = await ask();
  if (!body.includes('"cached":true')) throw new Error(`not a hit: ${body.slice(0, 300)}`);
  if (seen.ours.length === 0) {
    const size = (Buffer.byteLength(body) / 1000).toFixed(1);
    console.log(`${connections} connections, an answer of ${size} KB`);
  }
  const servers = { ours, fastify: await start('fastify', body), http: await start('http', body) };
  const request = Buffer.from(
    `GET ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  for (const { port } of Object.values(servers)) await load(port, request, { connections, ms: 1000 });
  const names = Object.keys(servers) as Name[];
  for (let round = 0; round < rounds; round += 1) {
    // Each comes first in its turn: what ran before leaves its mark on a machine of two cores.
    for (const at of names.keys()) {
      const name = names[(round + at) % names.length] ?? 'ours';
      seen[name].push(await load(servers[name].port, request, { connections, ms }));
    }
  }
  for (const { process: child } of Object.values(servers)) child.kill();
}

for (let time = 0; time < starts; time += 1) await compare();

const refused = seen.ours.reduce((sum, one) => sum + one.refused, 0);
if (refused > 0) throw new Error(`${refused} answers were not 200`);
const rate = (name: Name) => median(seen[name].map((one) => one.rate));
const against = (name: Name) =>
  median(seen.ours.map((one, round) => one.rate / (seen[name][round]?.rate ?? 1)));
const line = (met: boolean, value: string, goal: string, what: string) =>
  console.log(`${met ? 'met   ' : 'MISSED'}  ${value.padStart(6)}  ${goal.padEnd(14)}  ${what}`);
const figures = (name: Name) => `${Math.round(rate('ours'))} / ${Math.round(rate(name))} a second`;
const [bare, fixed] = [against('fastify'), against('http')];
const p99 = median(seen.ours.map((one) => one.p99));
const what = 'cached read with key, balance and durable ledger against';
line(
  bare >= 2,
  bare.toFixed(2),
  'at least 2',
  `${what} bare fastify with JSON.stringify (${figures('fastify')})`,
);
line(
  fixed >= 0.5,
  fixed.toFixed(2),
  'at least 0.5',
  `${what} node:http with a fixed buffer (${figures('http')})`,
);
line(p99 <= 8, p99.toFixed(1), 'at most 8', 'its p99 in milliseconds');
