import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startUpstream } from '../support/upstream.js';
import { buildContenders, type Contender, costOf } from './batch/contenders.js';
import type { Cost } from './batch/run.js';
import { median } from './compare.js';

const rounds = 3;
const concurrency = 32;
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));

async function inputs(count: number): Promise<string> {
  const file = path.join(folder, `inputs-${count}`);
  const out = createWriteStream(file);
  for (let at = 0; at < count; at += 1) {
    if (!out.write(`{"username":"name${at}"}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return file;
}

const rate = ({ rows, ms }: Cost) => (rows * 1000) / ms;

function printCost(name: string, cost: Cost): void {
  const perRow = (cost.cpuMs * 1000) / cost.rows;
  console.log(
    `        ${name.padEnd(24)} ${Math.round(rate(cost)).toLocaleString('en-US').padStart(7)} rows/s` +
      `  ${Math.round(perRow).toString().padStart(5)} µs of processor a row  ${Math.round(cost.peakMb)} MB`,
  );
}

function verdict(met: boolean, text: string): void {
  console.log(`${met ? 'met   ' : 'MISSED'}  ${text}`);
}

const programs = await buildContenders();
const upstream = await startUpstream(47);
try {
  let homes = 0;
  /** Runs one contender, and with `replays` again over the same home: the last cost is that of its cached answers. */
  const runs = async (name: Contender, { input = '', bare = false, count = 0, replays = false }) => {
    homes += 1;
    const output = path.join(folder, String(homes), 'out.ndjson');
    mkdirSync(path.dirname(output));
    const wanted = { origin: upstream.origin, input, output, concurrency, bare, count };
    const first = await costOf(programs, name, wanted);
    const last = replays ? await costOf(programs, name, { ...wanted, output: `${output}.again` }) : first;
    rmSync(path.dirname(output), { recursive: true });
    return [first, last] as const;
  };
  const run = async (...asked: Parameters<typeof runs>) => (await runs(...asked))[0];

  const few = await inputs(10_000);
  const shares: number[] = [];
  const times: number[] = [];
  const timesBare: number[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ours, bare] = [await run('ours', { input: few }), await run('bare', { input: few })];
    const [crawlee, crawleeBare] = [
      await run('crawlee', { input: few }),
      await run('crawlee', { input: few, bare: true }),
    ];
    printCost('ours', ours);
    printCost('bare undici loop', bare);
    printCost('crawlee HttpCrawler', crawlee);
    printCost('crawlee, in memory', crawleeBare);
    shares.push(rate(ours) / rate(bare));
    times.push(rate(ours) / rate(crawlee));
    timesBare.push(rate(ours) / rate(crawleeBare));
    peaks.push(ours.peakMb);
  }
  const [share, faster, peak] = [median(shares), median(times), median(peaks)];
  verdict(share >= 0.9, `${share.toFixed(2)} of a bare undici loop (at least 0.9)`);
  verdict(faster >= 15, `${faster.toFixed(1)} times crawlee’s HttpCrawler (at least 15)`);
  console.log(
    `        ${median(timesBare).toFixed(1)} times crawlee’s HttpCrawler with nothing kept, no sessions and no retries`,
  );
  verdict(peak <= 150, `${Math.round(peak)} MB at most with 10,000 inputs (at most 150)`);
  // A tenth is how much the collector's moods differ from run to run.
  const asLittle = (cost: Cost, as: number) => cost.peakMb <= as * 1.1;
  const [many, replayed] = await runs('ours', { input: await inputs(100_000), replays: true });
  printCost('ours, 100,000 inputs', many);
  verdict(
    asLittle(many, peak),
    `${Math.round(many.peakMb)} MB with 100,000 inputs (no more than with 10,000)`,
  );

  printCost('ours, from its cache', replayed);
  const replayRate = Math.round(rate(replayed)).toLocaleString('en-US');
  verdict(rate(replayed) >= 20_000, `${replayRate} lines a second from the cache (at least 20,000)`);

  const long = await run('mixed', { count: 1_000_000 });
  printCost('ours, 1,000,000 inputs', long);
  verdict(
    true,
    'a million lines with errors, hangs and refusals among them: in order, one an input, ledger exact',
  );
  verdict(
    asLittle(long, long.earlyMb ?? 0),
    `${Math.round(long.peakMb)} MB over all of them (no more than the ${Math.round(long.earlyMb ?? 0)} MB of its first 10,000)`,
  );
} finally {
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
}
