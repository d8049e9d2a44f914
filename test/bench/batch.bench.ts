import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startUpstream } from '../support/upstream.js';
import { buildProgram } from './build-program.js';
import { median } from './compare.js';

/** What the program of a batch is to do, as its one argument. */
export interface BatchOrder {
  readonly kind: 'ours' | 'by hand';
  readonly origin: string;
  readonly output: string;
  readonly count: number;
}

/** What a run cost, from its first request to its last line. */
export interface BatchCost {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const rounds = 5;
const count = 10_000;
const run = promisify(execFile);
const program = await buildProgram('batch-program');
const upstream = await startUpstream(47);

async function costOf(kind: BatchOrder['kind']): Promise<BatchCost> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
  const output = path.join(folder, 'out.ndjson');
  const order: BatchOrder = { kind, origin: upstream.origin, output, count };
  const { stdout } = await run(process.execPath, [program, JSON.stringify(order)]);
  rmSync(folder, { recursive: true });
  return JSON.parse(stdout) as BatchCost;
}

const pairs: { readonly ours: BatchCost; readonly byHand: BatchCost }[] = [];
for (let round = 0; round < rounds; round += 1)
  pairs.push({ ours: await costOf('ours'), byHand: await costOf('by hand') });
upstream.close();
const rate = median(pairs.map(({ ours, byHand }) => byHand.ms / ours.ms));
const work = median(pairs.map(({ ours, byHand }) => ours.cpuMs / byHand.cpuMs));
const peak = Math.round(median(pairs.map(({ ours }) => ours.peakMb)));
const verdict = (isMet: boolean) => (isMet ? 'met   ' : 'MISSED');
const what = `a batch of ${count} pages of 47 KB against a loop by hand`;
console.log(`${verdict(rate >= 0.75)}  ${rate.toFixed(2)}  at least 0.75  of the rate: ${what}`);
console.log(`${verdict(work <= 1.3)}  ${work.toFixed(2)}  at most 1.3   of the processor time; ${peak} MB`);
