import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bundle, withCompiled } from './child-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const programs = new Map<string, Promise<string>>();

/** The bundle of a program of the tests: made once a process, as most are started again and again. */
function bundleOf(file: string): Promise<string> {
  const made =
    programs.get(file) ?? bundle(path.join(folder, file), path.join('test', file), ['better-sqlite3']);
  programs.set(file, made);
  return made;
}

/** Starts a program of the tests in a process of its own, which finds what is wanted of it as JSON. */
export async function startProgram(file: string, wanted: object): Promise<ChildProcess> {
  const program = await bundleOf(file);
  return spawn(process.execPath, [program, JSON.stringify(wanted)], {
    env: withCompiled(program),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Lets a program write more than so many bytes to a file, beyond those that are there, and kills it a moment later. */
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
