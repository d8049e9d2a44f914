// Jobs over pages of 47 KB, as a server works on them, beside the batch of the command over the same pages: on a data
// directory, and on PostgreSQL with durable commits. Fifty readers ask the server meanwhile.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeCluster, withoutPostgres } from '../support/postgres-cluster.js';
import { startUpstream } from '../support/upstream.js';
import { buildContenders, costOf } from './batch/contenders.js';
import { median } from './compare.js';
import { type Load, load } from './load.js';
import { buildServer, readCached, runJob, startServer } from './start-server.js';

const rounds = 3;
const count = 10_000;
const connections = 50;
/** A reader asks ten times a second. */
const pauseMs = 100;
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const programs = await buildContenders();
const program = await buildServer();
const upstream = await startUpstream(47);
const { origin } = upstream;

/** So many inputs that nobody has asked for. */
let made = 0;
function inputs(): string[] {
  made += 1;
  return Array.from({ length: count }, (_, at) => `{"username":"name${made}x${at}"}`);
}

const perSecond = (ms: number) => (count * 1000) / ms;

async function batchRate(): Promise<number> {
  const home = path.join(folder, 'batch');
  mkdirSync(home);
  const input = path.join(home, 'inputs');
  writeFileSync(input, `${inputs().join('\n')}\n`);
  const output = path.join(home, 'out.ndjson');
  const wanted = { origin, input, output, concurrency: 32, bare: false, count };
  const { ms } = await costOf(programs, 'ours', wanted);
  rmSync(home, { recursive: true });
  return perSecond(ms);
}

interface Round {
  readonly batch: number;
  readonly alone: number;
  readonly beside: number;
  readonly readers: Load;
}

function line(isMet: boolean, value: string, goal: string, what: string): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${value.padStart(6)}  ${goal.padEnd(14)}  ${what}`);
}

async function measure(where: string, least: number, url?: string): Promise<void> {
  const server = await startServer(program, 'extract', { origin, ...(url === undefined ? {} : { url }) });
  const { request } = await readCached(server);
  await runJob(server, inputs());
  const taken: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const batch = await batchRate();
    const alone = perSecond(await runJob(server, inputs()));
    const done = new AbortController();
    const reading = load(server.port, request, { connections, ms: done.signal, pauseMs });
    const beside = perSecond(await runJob(server, inputs()));
    done.abort();
    taken.push({ batch, alone, beside, readers: await reading });
  }
  server.process.kill();
  const of = (value: (round: Round) => number) => median(taken.map(value));
  if (of(({ readers }) => readers.refused) > 0) throw new Error('a reader was refused');
  const rate = (name: 'batch' | 'alone' | 'beside') => Math.round(of((round) => round[name]));
  for (const name of ['alone', 'beside'] as const) {
    const share = of((round) => round[name] / round.batch);
    const what = name === 'alone' ? 'a job alone' : `a job beside ${connections} readers`;
    const rates = `${rate(name)} / ${rate('batch')} inputs a second`;
    line(share >= least, share.toFixed(2), `at least ${least}`, `of the batch: ${what}, ${where} (${rates})`);
  }
  const p99 = of(({ readers }) => readers.p99);
  const asked = `${Math.round(of(({ readers }) => readers.rate))} answers a second`;
  line(p99 <= 20, p99.toFixed(1), 'at most 20', `milliseconds: the readers' p99 (${asked})`);
}

try {
  await measure('over a data directory', 0.5);
  if (withoutPostgres !== null) console.log(withoutPostgres);
  else {
    const settings = { shared_buffers: '256MB', max_wal_size: '4GB' };
    const cluster = await makeCluster({ isDurable: true, settings });
    await measure('over a database', 0.35, cluster.url);
    await cluster.remove();
  }
} finally {
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
