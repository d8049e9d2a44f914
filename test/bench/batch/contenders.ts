import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildPrograms } from '../build-programs.js';
import type { Cost, Wanted } from './run.js';

const run = promisify(execFile);
export type Contender = 'bare' | 'crawlee' | 'ours' | 'mixed';

/** The programs of the contenders: their files, by name. */
export function buildContenders() {
  return buildPrograms(['batch/bare', 'batch/crawlee', 'batch/ours', 'batch/mixed']);
}

type Programs = Awaited<ReturnType<typeof buildContenders>>;

/** Runs one contender in a separate process. */
export async function costOf(programs: Programs, name: Contender, wanted: Wanted): Promise<Cost> {
  const args = [programs[`batch/${name}`], JSON.stringify(wanted)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Cost;
}
