import { type ChildProcess, type SpawnOptionsWithStdioTuple, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { packedAssets } from './packed-assets.js';

const { resolve } = createRequire(import.meta.url);

/**
 * Bundles a program of the tests, so that each of many processes starts in the time of a bare one. `native`
 * packages stay outside the bundle. Gives the path of the bundle.
 */
export async function bundle(folder: string, entry: string, native: readonly string[]): Promise<string> {
  const name = path.basename(entry, '.ts');
  // What drives a browser takes half the time to bundle, and no program opens one.
  const paths = [...native, 'playwright-core'].map((name) => [name, resolve(name)] as const);
  await build({
    entryPoints: [path.join(packageRoot(), entry)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Rarely loaded code has its own files.
    splitting: true,
    platform: 'node',
    format: 'esm',
    // Bundled CommonJS asks for Node's own modules through a `require` that ESM has not.
    banner: {
      js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
    },
    inject: [path.join(packageRoot(), 'test/support/keep-compiled.ts')],
    alias: Object.fromEntries(paths),
    // A module of another runtime, which a package names and never loads here.
    external: [...paths.map(([, file]) => file), 'bun:sqlite'],
    plugins: [packedAssets],
  });
  return path.join(folder, `${name}.mjs`);
}

export interface Child {
  readonly process: ChildProcess;
  /** Everything it said, once it has ended. */
  readonly output: Promise<readonly string[]>;
  /** The rest of the first line that begins so. Rejects if the program ends without one. */
  saying(beginning: string): Promise<string>;
}

/** Starts a bundled program; `heard` receives each line of its output. */
export function start(
  program: string,
  args: readonly string[],
  heard: (line: string) => void = () => {},
  shell?: string,
): Child {
  const command = [process.execPath, program, ...args];
  const options: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'inherit'> = {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The first leaves what it compiled to those after it (`keep-compiled.ts`).
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(path.dirname(program), 'compiled') },
  };
  const child =
    shell === undefined
      ? spawn(process.execPath, command.slice(1), options)
      : spawn('sh', ['-c', `${shell}; exec "$0" "$@"`, ...command], options);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    heard(line);
  });
  const output = new Promise<readonly string[]>((ended) => {
    let open = 2;
    const end = () => {
      if (--open === 0) ended(lines);
    };
    reader.once('close', end);
    child.once('exit', end);
  });
  const saying = (beginning: string) =>
    new Promise<string>((resolve, reject) => {
      const check = (line: string) => {
        if (line.startsWith(beginning)) resolve(line.slice(beginning.length));
      };
      for (const line of lines) check(line);
      reader.on('line', check);
      void output.then(() => reject(new Error(`The program ended without saying "${beginning}".`)));
    });
  return { process: child, output, saying };
}
