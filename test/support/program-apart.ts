import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { fromSource } from './from-source.js';

/** Starts a test program in a separate process, which gets its options as JSON. */
export function startProgram(file: string, plan: object): ChildProcess {
  const program = path.join(packageRoot(), 'test', file);
  return spawn(process.execPath, [...fromSource, program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Kills a program soon after it has written this many additional bytes to a file. */
export async function killOnceWritten(
  child: ChildProcess,
  file: string,
  moment: number,
  bytes = 0,
): Promise<void> {
  const ended = once(child, 'exit');
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  while (child.exitCode === null && size() <= before + bytes) await setTimeout(2);
  await setTimeout(moment);
  child.kill('SIGKILL');
  await ended;
}
