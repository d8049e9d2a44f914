import { type ChildProcess, spawn } from 'node:child_process';
import { fromSource } from './from-source.js';

const program = new URL('./cli-program.ts', import.meta.url).pathname;

/** Starts the command line from its sources in a separate process. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [...fromSource, program, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
