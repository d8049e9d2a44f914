import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { freshDist } from '../support/fresh-build.js';

/** A server in a separate process. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
  readonly child: ChildProcess;
  /** Its output on both streams. */
  readonly output: () => string;
  /** Its exit status; null if it was killed. */
  readonly ended: Promise<number | null>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command to run before the program, such as `ulimit -n 64`. */
  readonly shell?: string;
  /** Command that becomes the program, such as `nsenter --net=…`. */
  readonly through?: readonly string[];
  /** Options of Node.js itself. */
  readonly node?: readonly string[];
}

/** The program as users install it, built for one run. */
export interface Program {
  /** Starts a command. */
  start(home: string, args: readonly string[], options?: StartOptions): ChildProcess;
  /** Runs a command to its end. */
  run(
    home: string,
    args: readonly string[],
    options?: StartOptions,
  ): Promise<{ readonly status: number | null; readonly out: string; readonly err: string }>;
  /** Starts a server, and resolves when it listens; otherwise rejects with its output. */
  serve(home: string, options?: StartOptions): Promise<Serving>;
  /** Kills all running processes. */
  killAll(): void;
  /** Kills all running processes, and removes the build. */
  close(): void;
}

/** Milliseconds within which a server must listen, or say why it does not. */
const startMs = 60_000;

/** Bundles the program as the package does, outside `dist`, which other tests may be packing. */
async function bundleInto(folder: string): Promise<string> {
  const root = packageRoot();
  const { bundle } = (await import(path.join(root, 'scripts', 'bundle.mjs'))) as {
    bundle(root: string, out: string): Promise<unknown>;
  };
  await bundle(root, folder);
  return folder;
}

/** The program of `dist` if that is current; otherwise a bundle in a folder from which its native module is found. */
export async function buildProgram(): Promise<Program> {
  const folder = path.join(packageRoot(), 'node_modules', '.cache', `faults-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const main = path.join(freshDist() ?? (await bundleInto(folder)), 'src', 'faces', 'cli', 'main.js');
  const entry = path.join(folder, 'start.mjs');
  writeFileSync(entry, `import { main } from '${pathToFileURL(main)}';\nawait main();\n`);
  const children = new Set<ChildProcess>();

  const start: Program['start'] = (home, args, { env = {}, shell, node = [], through = [] } = {}) => {
    const command = [...through, process.execPath, ...node, entry, ...args];
    const [file = '', ...rest] =
      shell === undefined ? command : ['sh', '-c', `${shell}; exec "$0" "$@"`, ...command];
    const child = spawn(file, rest, {
      env: {
        ...{ PATH: process.env.PATH, HOME: home, EXTRACT_HOME: home, EXTRACT_PORT: '0' },
        // The first process to exit normally writes the compile cache that later ones use.
        NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
        ...{ EXTRACT_RATE_LIMIT: '999999999', ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const heard = (child: ChildProcess) => {
    const output = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      // The end is the most informative part of a long log.
      output.out = (output.out + text).slice(-200_000);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.err = (output.err + text).slice(-200_000);
    });
    return output;
  };
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  return {
    start,
    async run(home, args, options) {
      const child = start(home, args, options);
      const output = heard(child);
      const [status] = (await once(child, 'close')) as [number | null];
      return { status, ...output };
    },
    async serve(home, options) {
      const child = start(home, ['serve'], options);
      const output = heard(child);
      const ended = once(child, 'close').then(([status]) => status as number | null);
      const url = await new Promise<string>((resolve, reject) => {
        const late = setTimeout(() => {
          child.kill('SIGKILL');
          reject(new Error(`It does not listen after ${startMs} ms: ${output.err}${output.out}`));
        }, startMs);
        child.once('exit', () => clearTimeout(late));
        child.stderr?.on('data', () => {
          const address = /Listening on (\S+)\n/.exec(output.err)?.[1];
          if (address === undefined) return;
          clearTimeout(late);
          resolve(address);
        });
        void ended.then((status) => reject(new Error(`It ended with ${status}: ${output.err}${output.out}`)));
      });
      return { pid: child.pid ?? 0, url, child, output: () => output.err + output.out, ended };
    },
    killAll,
    close() {
      killAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
