// Bundles the library and the command. The code of every call is in two files; the rest is in files that are loaded on
// use.
import path from 'node:path';
import { rolldown } from 'rolldown';
import { acyclicNames, refuseCycles } from './chunk-graph.mjs';
import { nodeModules } from './node-modules.mjs';
import { packedSamples, sampleName } from './pack-samples.mjs';
import { plainTables } from './plain-tables.mjs';

/** Answers `--version` before anything else is loaded, and so stays separate. */
const first = 'src/faces/cli/main.ts';
/** Programs of worker threads, started by path; nothing else may load what they do. */
const threads = [
  'lib/call/reader-thread-program.ts',
  'lib/database/sqlite/log-thread-program.ts',
  'src/files/result-files/tables/parquet-thread-program.ts',
];
const entries = ['lib/index.ts', first, ...threads];
/** Files that combine all modules loaded with the named one, unless an earlier file contains them. */
const joined = { library: 'lib/index.ts', core: 'src/faces/cli/process.ts' };

function loadedWith(id, graph, visited = new Set()) {
  const info = graph.getModuleInfo(id);
  if (info === null || info.isExternal || visited.has(id)) return visited;
  visited.add(id);
  for (const imported of info.importedIds) loadedWith(imported, graph, visited);
  return visited;
}

/**
 * A bundler that splits creates a file for each set of modules with the same importers, and a call would load twenty
 * small ones. Combining them takes a ninth off the processor time of a demo call (Node 24, 2026-11). The library gets
 * its own file, so that programs that bundle it do not include the command.
 */
function chunkNames(root) {
  let names;
  return (id, graph) => {
    if (names === undefined) {
      const starts = entries.map((entry) => path.join(root, entry));
      const namesOf = wantedNames(root, graph);
      const first = acyclicNames(starts, graph, namesOf);
      // Small modules that were removed from a group, because others need them without it, go to a second group.
      names = acyclicNames(starts, graph, (id) => first.get(id) ?? secondRoom(namesOf(id), root, id, graph));
    }
    return names.get(id) ?? null;
  };
}

/** Maximum characters of a small module. */
const maxSmall = 2_000;

/** Returns the file for a module removed from its group; null for one that is not small, or in no group. */
function secondRoom(room, root, id, graph) {
  if (room === null || !ours.test(path.relative(root, id))) return null;
  return graph.getModuleInfo(id).code.length <= 2 * maxSmall ? `${room}-shared` : null;
}

/** Returns, by module, the preferred file; null without a preference. */
function wantedNames(root, graph) {
  const names = new Map();
  for (const module of loadedWith(path.join(root, first), graph)) names.set(module, null);
  for (const thread of threads) names.set(path.join(root, thread), null);
  for (const [name, start] of Object.entries(joined)) {
    for (const module of loadedWith(path.join(root, start), graph)) {
      if (!names.has(module)) names.set(module, name);
    }
  }
  const small = new Map();
  const isOutside = (id) => id.startsWith('\0builtin:') || (graph.getModuleInfo(id)?.code ?? null) === null;
  const isSmall = (id) => {
    if (!small.has(id)) {
      small.set(id, false);
      const { code, importedIds } = graph.getModuleInfo(id);
      const isOne = ours.test(path.relative(root, id)) && !heavy.test(id) && roomOf(id) === null;
      const isLow = (one) => names.get(one) !== 'core' && (names.has(one) || isOutside(one) || isSmall(one));
      small.set(id, isOne && code.length <= maxSmall && importedIds.every(isLow));
    }
    return small.get(id);
  };
  return (id) => {
    if (names.has(id)) return names.get(id);
    // Each platform's readers are one file, because a call reads the pages of one platform.
    const platform = subjects.test(id) ? undefined : /\/lib\/platforms\/(\w+)\//.exec(id)?.[1];
    const name = sampleName(id) ?? platform ?? roomOf(id);
    // Small modules that only load each other and the files above share a file. Modules that load the command's file
    // are excluded, because the library also loads the small ones.
    return name ?? (isSmall(id) ? 'small' : null);
  };
}

/** Our modules that load a heavy package, and are therefore only loaded together with it. */
const heavy =
  /\/(?:smtp-mailer|stripe-[\w-]+|timetable|media-folder|xlsx(?:-file|-input)?|parquet-(?:file|schema)|progress-view|bundle|markdown|condition)\.tsx?$/;

const ours = /^(?:lib|src)\/.*\.tsx?$/;

/** Readers of all platforms' names and addresses, which a suppression loads together. */
const subjects =
  /\/lib\/(?:platforms\/(?:\w+\/subjects|subject-readers)|subject-reader|suppressions\/subject)\.ts$/;

/** Groups whose small modules share a file: a package of many small files installs more slowly. */
const rooms = {
  subjects,
  // Modules that several groups need, and that need none of them.
  columns:
    /\/src\/files\/result-files\/(?:result-file|result-headings|item-key|answer-lines|(?:change|input|source)-columns)\.ts$/,
  values:
    /\/(?:src\/(?:service\/(?:accounts\/(?:accounts|account-objects|sign-in\/sign-in)|jobs\/(?:job|job-limits)|notify\/(?:notice-collector|target))|output\/item-text)|lib\/runtime\/account-turns)\.ts$|\/package\.json$/,
  integrity: /\/lib\/ledger\/(?:imbalance|sqlite\/integrity)\.ts$/,
  locks: /\/lib\/(?:runtime\/file-lock|suppressions\/traces)\.ts$/,
  tiers: /\/lib\/cache\/(?:cache-entry|careful-store|tier)\.ts$/,
  chromium: /\/lib\/web\/browser\/(?:find|ready)\.ts$/,
  results: /\/src\/service\/jobs\/results\/(?!postgres\/)/,
  redis: /\/lib\/cache\/redis\//,
  access: /\/src\/faces\/mcp\/(?:tool|key)-access\.ts$/,
  // The help and the commands that only print; they load nothing of the others.
  reference:
    /\/src\/(?:config\/|output\/(?:error-guide|route-rows|markdown-table)\.ts|faces\/cli\/(?:(?:program-help|reply|local-option|endpoint-lines|route-lines|spendable-credits)\.ts|completion\/|commands\/(?:endpoints|errors|completion|config)\.ts))/,
  // Code shared by several commands.
  arguments:
    /\/src\/(?:compose\/listen|faces\/doctor\/(?:finding|latest-version|version-details)|faces\/cli\/(?:\w+\/)?(?:command-operator|number-arguments|utc-time|with-accounts|tell-change))\.ts$/,
  // Modules shared by the commands over many inputs.
  inputs:
    /\/src\/faces\/cli\/(?:batch\/(?:failed-text|field-shares|open-sink|pace-time|progress|run-lines|show-progress|track-batch|write-summary)|media|seen-names)\.ts$/,
  commands: /\/src\/faces\/cli\/(?!view\/)/,
  batch:
    /\/src\/(?:compose\/open-history\.ts$|(?:service\/schedule|lines|files\/(?!backup\/|watch\/)[\w-]+)\/)/,
  operations: /\/src\/(?:compose\/forget-in-redis-cache\.ts$|(?:faces\/doctor|files\/backup)\/)/,
  // Health counts, which the health stores need without the rest.
  counts: /\/src\/service\/health\/(?:call-outcome|endpoint-state|health-day|watched-fields)\.ts$/,
  health: /\/src\/service\/health\/(?!postgres\/|sqlite\/)/,
  // Cheap Node modules, each of which would be a file of a hundred bytes.
  node: /^\0builtin:node:(?:url|tty|buffer|v8|perf_hooks|diagnostics_channel|readline|stream|timers\/promises|stream\/(?:promises|consumers))$/,
  builtins: /^\0builtin:node:(?:zlib|worker_threads)$/,
  // The network modules load each other.
  network: /^\0builtin:node:(?:tls|net|https?|dns\/promises)$/,
  // The frame of every page of the site.
  site: /\/src\/(?:output\/site\/document|faces\/server\/docs\/docs-layout)\.tsx$/,
  // Streams of lines: the package, its dependencies, and our wrapper.
  ndjson:
    /\/src\/output\/ndjson-values\.ts$|\/node_modules\/(?:ndjson|split2|through2|readable-stream|json-stringify-safe|minimist|inherits|string_decoder|safe-buffer|util-deprecate)\//,
  // Both entries of a package that is one file behind them.
  csv: /\/node_modules\/csv-parse\//,
  // Drivers of a package, of which only one is used, and the stub of one that the runtime includes.
  drivers: /\/@keyv\/sqlite\/dist\/[\w-]*driver|^\0stub-bun-sqlite$/,
  react: /\/node_modules\/react\//,
  // Code for a browser and for media, which the library's file excludes.
  web: /^(?!.*\/node_modules\/).*\/lib\/web\/(?!browser\/)|\/node_modules\/lru-cache\//,
};

function roomOf(id) {
  if (heavy.test(id)) return null;
  return Object.entries(rooms).find(([, room]) => room.test(id))?.[0] ?? null;
}

/** A file that only re-exports another: `export{a as b}from"./x.js";` */
const reExport = /^\s*export\s*\{([^}]*)\}\s*from\s*"(\.\/[^"]+)";\s*$/;

/** `a as b, c` → [[a, b], [c, c]] */
const pairs = (list) =>
  list
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .map(([from, to = from]) => [from, to]);

/**
 * The bundler creates a file for each dynamically imported module, even if its code is in a larger file; that made
 * sixty files of fifty bytes. Importers use the larger file directly instead. No call is faster for it (2026-11), but
 * installing the package unpacks 79 fewer files.
 */
const inlineReExports = {
  name: 'inline-re-exports',
  generateBundle(_, files) {
    const targets = new Map();
    for (const file of Object.values(files)) {
      const [, names, from] = (file.type === 'chunk' && reExport.exec(file.code)) || [];
      if (names === undefined || !file.fileName.startsWith('chunks/')) continue;
      const members = pairs(names).map(([member, name]) => `get ${name}(){return m.${member}}`);
      targets.set(path.basename(file.fileName), { from, members: members.join(',') });
      delete files[file.fileName];
    }
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /\bimport\(("|`)(\.{1,2}\/[^"`]*?)([^"`/]+)\1\)/g,
        (match, _quote, folder, name) => {
          const target = targets.get(name);
          if (target === undefined) return match;
          return `import("${folder}${target.from.slice(2)}").then(m=>({${target.members}}))`;
        },
      );
    }
  },
};

/** Imported by a package on a runtime other than Node.js; unavailable to programs that bundle the library. */
const stubBunSqlite = {
  name: 'stub-bun-sqlite',
  resolveId: (id) => (id === 'bun:sqlite' ? '\0stub-bun-sqlite' : null),
  load: (id) =>
    id === '\0stub-bun-sqlite' ? { code: 'export const Database = undefined;', moduleType: 'js' } : null,
};

/**
 * The driver of Redis, which only some installations have. A static import would fail in a program that bundles the
 * library, and a dynamic one with await is not possible in CommonJS. This one is resolved when the file is loaded, from
 * the file's location.
 */
const optionalDriver = {
  name: 'optional-driver',
  resolveId: (id) => (id === '@redis/client' ? '\0redis-driver' : null),
  load: (id) =>
    id === '\0redis-driver'
      ? {
          code: `const { createRequire } = process.getBuiltinModule('node:module');
export const { createClient, createCluster, createSentinel } = createRequire(import.meta.url)('@redis/client');`,
          moduleType: 'js',
        }
      : null,
};

/**
 * Inlines texts into the modules that read them: the style sheet and the script of pages, which are not part of the
 * package as files, and the version. As a constant in the file that prints it, the version needs no second file: 1.11
 * instead of 1.15 times `node -e 0` (Node 24, 2026-11).
 */
const packedTexts = {
  name: 'packed-texts',
  async load(id) {
    if (!/\/(?:src\/output\/site\/asset-texts|lib\/runtime\/version)\.ts$/.test(id)) return null;
    const texts = Object.entries(await import(id));
    const lines = texts.map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`);
    return { code: lines.join('\n'), moduleType: 'js' };
  },
};

/**
 * The location of a file, even in a program whose bundler converts it to CommonJS, where `import.meta` is empty but
 * `__filename` exists. In an ES module the second half is never evaluated.
 */
const moduleUrlAfterConversion = {
  name: 'module-url',
  generateBundle(_, files) {
    const moduleUrl =
      "(import.meta.url||process.getBuiltinModule('node:url').pathToFileURL(__filename).href)";
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll('import.meta.url', moduleUrl);
    }
  },
};

/**
 * Escapes non-ASCII characters, because V8 stores a string that contains one in twice the memory. Takes a twentieth off
 * the processor time of a demo call (Node 24, 2026-11).
 */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** Bundles into `outdir`. Returns the paths of the modules whose code was included. */
export async function bundle(root, outdir) {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), entry])),
    platform: 'node',
    // The native module, optional packages, and what a package imports only in development.
    external: ['better-sqlite3', 'pg', 'pg-boss', 'playwright-core', 'stripe', 'react-devtools-core'],
    transform: {
      target: 'node22.19',
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    },
    plugins: [
      packedSamples(root),
      packedTexts,
      plainTables(),
      stubBunSqlite,
      optionalDriver,
      nodeModules(),
      inlineReExports,
      moduleUrlAfterConversion,
      asciiOnly,
    ],
    optimization: { inlineConst: { mode: 'all' } },
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: outdir,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Identifiers are not shortened: that would not speed up the start, and stack traces stay readable.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(root), debugName: 'library, core, platforms' }],
    },
  });
  await build.close();
  refuseCycles(output);
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}
