import { execFile } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { packageRoot } from '../../../lib/runtime/package-root.js';

/** What a program of this bench is told, as its one argument. */
export interface Wanted {
  readonly origin: string;
  readonly input: string;
  readonly output: string;
  readonly concurrency: number;
  /** Without what can be left out. */
  readonly bare: boolean;
  /** Inputs of a program that makes them itself. */
  readonly count: number;
}

export function wantedRun(): Wanted {
  return JSON.parse(process.argv[2] ?? '') as Wanted;
}

/** What a run took: from the first request on, without the start of the process. */
export interface Cost {
  readonly rows: number;
  readonly ms: number;
  /** Processor time of the process, all its threads. */
  readonly cpuMs: number;
  readonly peakMb: number;
  /** The peak of a long run when its first 10,000 lines were written. */
  readonly earlyMb?: number;
}

/** The most memory that this process has had until now. */
export function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Begins to measure; the function that it returns tells the cost on stdout. */
export function reportCost(): (rows: number, more?: Pick<Cost, 'earlyMb'>) => void {
  const began = performance.now();
  const before = process.cpuUsage();
  return (rows, more = {}) => {
    const { user, system } = process.cpuUsage(before);
    const cost: Cost = {
      rows,
      ms: performance.now() - began,
      cpuMs: (user + system) / 1000,
      peakMb: peakMb(),
      ...more,
    };
    console.log(JSON.stringify(cost));
  };
}

const run = promisify(execFile);
const names = ['bare', 'crawlee', 'ours', 'mixed'] as const;
export type Contender = (typeof names)[number];

/** Builds the programs as they are published, without the names and maps that running the sources adds. */
export async function buildContenders(): Promise<string> {
  const folder = path.join(packageRoot(), 'dist', 'bench');
  await build({
    entryPoints: names.map((name) => path.join(packageRoot(), 'test', 'bench', 'batch', `${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return folder;
}

/** Runs one of them in a process of its own. */
export async function costOf(folder: string, name: Contender, wanted: Wanted): Promise<Cost> {
  const program = path.join(folder, `${name}.js`);
  const { stdout } = await run(process.execPath, [program, JSON.stringify(wanted)], { maxBuffer: 1e8 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Cost;
}
