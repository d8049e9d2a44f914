// Bundles the library and the command: what every call runs through in one file, the rest in files loaded when used.
import path from 'node:path';
import { rolldown } from 'rolldown';
import { packedSamples } from './pack-samples.mjs';

/** The module from which everything is loaded that every command needs. */
const start = path.join('src', 'cli', 'process.ts');
/** Answers `--version` before anything else is loaded, and so stays apart. */
const first = path.join('src', 'cli', 'main.ts');

/** Modules that are loaded with one, itself included. */
function loadedWith(id, graph, seen = new Set()) {
  const info = graph.getModuleInfo(id);
  if (info === null || info.isExternal || seen.has(id)) return seen;
  seen.add(id);
  for (const imported of info.importedIds) loadedWith(imported, graph, seen);
  return seen;
}

/**
 * A bundler that splits makes a file of each set of modules that some import in the same way, twenty small ones on the
 * way of one call. Joined, they take a ninth off the processor time of a demo call (Node 24, 2026-11).
 */
function chunkNames(root) {
  let joined;
  return (id, graph) => {
    if (joined === undefined) {
      joined = loadedWith(path.join(root, start), graph);
      for (const module of loadedWith(path.join(root, first), graph)) joined.delete(module);
    }
    // What reads a platform's pages is one file a platform: a call reads the pages of one.
    return joined.has(id) ? 'core' : (/\/lib\/platforms\/(\w+)\//.exec(id)?.[1] ?? null);
  };
}

/** Bundles into `outdir`. Gives the paths of the modules whose code came in. */
export async function bundle(root, outdir) {
  const build = await rolldown({
    cwd: root,
    input: { 'lib/index': 'lib/index.ts', 'src/cli/main': 'src/cli/main.ts' },
    platform: 'node',
    // The native module and what only some installations have; the last two are asked for by packages, never by us.
    external: ['better-sqlite3', 'stripe', 'react-devtools-core', 'bun:sqlite'],
    transform: {
      target: 'node22.19',
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    },
    plugins: [packedSamples(root)],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: outdir,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Identifiers stay: shorter ones start no faster, and a stack can be read.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(root), debugName: 'core and platforms' }],
    },
  });
  await build.close();
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}
