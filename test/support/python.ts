import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { outputOf, type ProgramOutput } from './program-output.js';

/** Folder of the Python client. */
export const pythonFolder = path.join(packageRoot(), 'clients', 'python');

/** True if an interpreter is new enough and runs some statements. */
function can(program: string, statements: string): boolean {
  try {
    const code = `import sys; assert sys.version_info >= (3, 11); ${statements}`;
    execFileSync(program, ['-c', code], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The system's own interpreter first, which finds its packages for building and checking. */
const python = ['/usr/bin/python3', 'python3'].find((program) => can(program, 'pass')) ?? null;

/** Why tests in Python are skipped; false if they can run. */
export const noPython: string | false = python === null ? 'there is no Python 3.11 or newer' : false;

/** Why tests that need some modules are skipped; false if the modules are installed. */
export function noModules(names: readonly string[]): string | false {
  if (python === null) return noPython;
  const missing = names.filter((name) => !can(python, `import ${name}`));
  return missing.length > 0 && `Python has no ${missing.join(', no ')}`;
}

/** Starts Python with the client on its path. */
export function startPython(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
) {
  const variables = { PYTHONPATH: path.join(pythonFolder, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...env };
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return spawn(python ?? 'python3', args, {
    cwd: cwd ?? pythonFolder,
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), no_proxy: '127.0.0.1', ...variables },
  });
}

/** Runs Python to its end. */
export const runPython = (
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<ProgramOutput> => outputOf(startPython(args, env, cwd), '');
