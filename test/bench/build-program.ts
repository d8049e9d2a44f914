import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { packageRoot } from '../../lib/runtime/package-root.js';
import * as pageAssets from '../../src/output/site/asset-texts.js';

/** Replaces the module that reads the pages' texts from the sources, as the build does. */
const packedAssets: Plugin = {
  name: 'packed-assets',
  setup(build) {
    const lines = Object.entries(pageAssets).map(
      ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
    );
    build.onLoad({ filter: /\/site\/asset-texts\.ts$/ }, () => ({ contents: lines.join('\n') }));
  },
};

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
