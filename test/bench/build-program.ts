import path from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { packedAssets } from '../support/packed-assets.js';

/** Builds a program of the benches as it is published: without the names and maps that running the sources adds. */
export async function buildProgram(name: string): Promise<string> {
  const root = packageRoot();
  const outdir = path.join(root, 'dist', 'bench');
  await build({
    ...{ entryPoints: [path.join(root, 'test', 'bench', `${name}.ts`)], outdir, bundle: true },
    ...{ splitting: true, format: 'esm', platform: 'node', target: 'node22', packages: 'external' },
    ...{ plugins: [packedAssets], logLevel: 'error' },
  });
  return path.join(outdir, `${name}.js`);
}
