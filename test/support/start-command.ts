import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { fromSource } from './from-source.js';
import { outputOf } from './program-output.js';

type Env = Readonly<Record<string, string>>;

const fromSources = new URL('./cli-program.ts', import.meta.url).pathname;

/** The program of this checkout, as a user starts it. */
export const program = path.join(packageRoot(), 'bin', 'extract.js');

/** Starts the command line from its sources in a separate process. */
export function startCommand(args: readonly string[], env: Env): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [...fromSource, fromSources, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts the program in this environment with other settings. */
export const startExtract = (args: readonly string[], env: Env = {}): ChildProcess =>
  spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** Runs the program to its end, with this standard input. */
export const runExtract = (args: readonly string[], env?: Env, input = '') =>
  outputOf(startExtract(args, env), input);
