import path from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { packedAssets } from '../support/packed-assets.js';

const sources = path.join(packageRoot(), 'test', 'bench');
const folder = path.join(packageRoot(), 'dist', 'bench');

/**
 * Builds programs of the benches, such as `batch/ours`, as they are published: without the names and maps that running the
 * sources adds. Gives their files.
 */
export async function buildPrograms<Name extends string>(
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  await build({
    entryPoints: names.map((name) => path.join(sources, `${name}.ts`)),
    outbase: sources,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    plugins: [packedAssets],
    logLevel: 'error',
  });
  const files = names.map((name) => [name, path.join(folder, `${name}.js`)]);
  return Object.fromEntries(files) as Record<Name, string>;
}
