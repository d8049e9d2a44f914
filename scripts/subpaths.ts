// Bundles what the package has beside the library, each into one file that stands alone: OUT/webhook.js and
// OUT/client.js. Usage: node --import ./scripts/typescript.mjs scripts/subpaths.ts OUT
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { paths } from '../lib/client/paths.js';
import { packageRoot } from '../lib/runtime/package-root.js';

const root = packageRoot();

/** The client asks by path; the table those come from brings zod and every parser with it. */
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
  // No runtime's own modules but the one that Node.js, Bun, Deno and Workers share.
  platform: 'neutral',
  external: ['node:crypto'],
  target: 'es2022',
  // Names stay, so that a stack can be read; lines are short, as Node prints the one that threw.
  minifySyntax: true,
  lineLimit: 160,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [pathsAlone],
});
