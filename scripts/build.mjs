// Builds dist/, or the folder given, inside the project: the library, the command, the package's subpaths, the types of
// all, and the licences of what was bundled. Usage: node scripts/build.mjs [FOLDER]
import { spawn } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, small } from './bundle.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = process.argv[2] ?? 'dist';

// Packages of many files that a call or a screen runs through: bundled, they load several times as fast. All others
// are left to the user's own installation, where their fixes arrive without a new build of ours.
const bundled = new Set([
  'commander',
  'css-select',
  'csv-stringify/sync',
  'domhandler',
  'entities',
  'env-paths',
  'htmlparser2',
  'ink',
  'p-limit',
  'react',
  'react/jsx-runtime',
  // Bundled with the react above, so that there is one of it, and as it is in production.
  'react-dom/server',
  'string-width',
  'tough-cookie',
  'ulid',
  'wrap-ansi',
  'zod',
]);

const packages = {
  name: 'packages',
  setup(plugins) {
    plugins.onResolve({ filter: /^[^.]/ }, ({ path: name, importer, kind }) => {
      const within = kind === 'entry-point' || importer.includes('/node_modules/');
      return within || bundled.has(name) ? undefined : { path: name, external: true };
    });
  },
};

// `import { z }` keeps all of zod, its forty languages included; `import * as z` keeps what is used.
const wholeZod = /import \{ (type )?z \} from 'zod';/;
const zodInPart = {
  name: 'zod-in-part',
  setup(plugins) {
    plugins.onLoad({ filter: /\/(lib|src)\/.*\.tsx?$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      if (!wholeZod.test(text)) return undefined;
      const contents = text.replace(wholeZod, "import $1* as z from 'zod';");
      return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

// Importing `node:process` has Node read every property of it, and so open stdin, sockets and more; the global is the
// same object.
const globalProcess = {
  name: 'global-process',
  setup(plugins) {
    plugins.onResolve({ filter: /^(node:)?process$/ }, () => ({ path: 'process', namespace: 'global' }));
    plugins.onLoad({ filter: /.*/, namespace: 'global' }, () => ({
      contents: 'module.exports = globalThis.process;',
    }));
  },
};

// The tables of character references are unpacked as they are loaded, character by character; Node does it at once.
const unpackedAtOnce = {
  name: 'unpacked-at-once',
  setup(plugins) {
    plugins.onLoad({ filter: /entities\/dist\/.*decode-shared\.js$/ }, () => ({
      contents: `export function decodeBase64(text) {
        const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
        return new Uint16Array(bytes.buffer, 0, bytes.length >> 1);
      }`,
    }));
  },
};

// To import a CommonJS package has Node read it twice, first for the names in it; a short call is 3 % shorter without.
const requiredAtOnce = {
  name: 'required-at-once',
  setup(plugins) {
    plugins.onLoad({ filter: /\/lib\/ledger\/database\.ts$/ }, async ({ path: file }) => {
      const [before, after, ...more] = (await readFile(file, 'utf8')).split("await import('better-sqlite3')");
      if (after === undefined || more.length > 0) throw new Error(`${file} does not load SQLite once.`);
      return { contents: `${before}{ default: require('better-sqlite3') }${after}`, loader: 'ts' };
    });
  },
};

// What these packages ask for and our use of them never reaches: ink's debugging tools, which are not installed and
// want a web socket, and commander's commands in programs of their own.
const leftOut = {
  name: 'left-out',
  setup(plugins) {
    plugins.onResolve({ filter: /^(\.\/devtools\.js|node:child_process)$/ }, ({ path: name, importer }) =>
      /\/node_modules\/(ink|commander)\//.test(importer) ? { path: name, namespace: 'left-out' } : undefined,
    );
    plugins.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const common = {
  root,
  plugins: [globalProcess, packages, zodInPart, unpackedAtOnce, requiredAtOnce, leftOut],
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    // zod asks it whether this is Cloudflare; from Node 21 on it is there, and loads worker threads and more.
    navigator: 'undefined',
  },
};

function bundles() {
  return Promise.all([
    bundle({ ...common, entry: 'lib/index.ts', outdir: `${out}/lib` }),
    bundle({ ...common, entry: 'src/cli/process.ts', outdir: `${out}/src/cli` }),
    // The start of the command, apart from the rest of it, so that it can answer alone.
    small({ root, entry: 'src/cli/main.ts', outdir: `${out}/src/cli`, external: ['./process.js'] }),
  ]);
}

/** The files that pages load lie beside the code that serves them, as they do in the sources. */
function assets() {
  const from = path.join(root, 'src', 'dashboard', 'assets');
  return cp(from, path.join(root, out, 'src', 'cli', 'chunks', 'assets'), { recursive: true });
}

async function licenceOf(folder) {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const text = name === undefined ? '' : (await readFile(path.join(folder, name), 'utf8')).trim();
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
}

/** The licences of the packages whose code stands in the bundles ask to go with it. */
async function writeLicences(inputs) {
  const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  const folders = new Set(inputs.flat().flatMap((input) => packageFolder.exec(input)?.[1] ?? []));
  const notices = await Promise.all(
    [...folders].sort().map((folder) => licenceOf(path.resolve(root, folder))),
  );
  const rule = `\n${'-'.repeat(80)}\n\n`;
  const head = 'The files in this folder contain code of these packages.\n';
  await writeFile(path.join(root, out, 'THIRD-PARTY.txt'), [head, ...notices].join(rule));
}

/** Runs a script that needs the sources themselves, such as the table of endpoints. */
function run(script) {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['--import', 'tsx', script, out], { cwd: root, stdio: 'inherit' })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}`))));
  });
}

await rm(path.join(root, out), { recursive: true, force: true });
try {
  await Promise.all([
    run('scripts/declarations.ts'),
    run('scripts/subpaths.ts'),
    assets(),
    bundles().then(writeLicences),
  ]);
} catch (error) {
  // Half a build would be taken for a whole one by the launcher.
  await rm(path.join(root, out), { recursive: true, force: true });
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
