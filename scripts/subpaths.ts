// Bundles the package's subpaths, each into one self-contained file: OUT/webhook.js and OUT/client.js. Usage: node
// --import ./scripts/typescript.mjs scripts/subpaths.ts OUT
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { paths } from '../lib/client/paths.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const root = packageRoot();

/** The client only uses paths; importing the table would include zod and every parser. */
const pathsAlone: Plugin = {
  name: 'paths-alone',
  setup(plugins) {
    plugins.onLoad({ filter: /\/lib\/client\/paths\.ts$/ }, () => ({
      contents: `export const paths = ${JSON.stringify(paths)};`,
    }));
  },
};

await build({
  absWorkingDir: root,
  entryPoints: { webhook: 'lib/webhook-entry.ts', client: 'lib/client/index.ts' },
  outdir: path.resolve(root, process.argv[2] ?? 'dist'),
  bundle: true,
  format: 'esm',
  // Only runtime modules shared by Node.js, Bun, Deno and Workers.
  platform: 'neutral',
  external: ['node:crypto'],
  target: 'es2022',
  // Names stay for readable stacks, and lines are short because Node prints the line that threw.
  minifySyntax: true,
  lineLimit: 160,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [pathsAlone],
});
