// Creates the files of a release and, without --dry-run, publishes them: `npm run release -- VERSION [--dry-run] [--out
// DIR]`. Each step creates its files completely or not at all, and is skipped if they exist for the same commit, so an
// interrupted run can be resumed. --only STEP,STEP runs some of them.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checksumLines, checksumsFile, digestsOf } from './checksums.ts';
import { notesOf } from './notes.ts';
import { packageManagerFiles } from './package-managers.ts';
import { publishSteps } from './publish.mjs';
import { billOfMaterials } from './sbom.ts';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64'];

const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' }).trim();
const read = (name) => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string', default: 'release' },
    only: { type: 'string' },
  },
});
const [version] = positionals;

/** Throws if the checkout cannot be the release of `version`. */
function checkSource() {
  if (version === undefined) throw new Error('Which version? npm run release -- 0.1.0 --dry-run');
  if (manifest.version !== version) {
    throw new Error(
      `package.json has the version ${manifest.version}: run “npm version ${version} --no-git-tag-version” and commit it.`,
    );
  }
  const changed = run('git', ['status', '--porcelain', '--untracked-files=no']);
  if (changed !== '' && !values['dry-run']) throw new Error(`These files are not committed:\n${changed}`);
}

const out = path.resolve(root, values.out, version ?? '');
const at = (name) => path.join(out, name);
const packageFile = `${manifest.name}-${version}.tgz`;
/** Base URL of this version's files once it is published. */
const base = `${manifest.homepage}/releases/v${version}`;

/** The files of a release: the steps, in order, with the files that each creates. */
const steps = [
  {
    name: 'notes',
    makes: ['NOTES.md'],
    make: () => writeFileSync(at('NOTES.md'), notesOf(read('CHANGELOG.md'), version)),
  },
  {
    name: 'package',
    makes: [packageFile, 'THIRD-PARTY.txt'],
    make() {
      run('npm', ['run', '--silent', 'build']);
      copyFileSync(path.join(root, 'dist/THIRD-PARTY.txt'), at('THIRD-PARTY.txt'));
      run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out]);
    },
  },
  {
    name: 'bill',
    makes: ['sbom.cdx.json'],
    make: () =>
      writeFileSync(at('sbom.cdx.json'), billOfMaterials(root, readFileSync(at('THIRD-PARTY.txt'), 'utf8'))),
  },
  {
    name: 'python',
    makes: [`public_extract-${version}-py3-none-any.whl`, `public_extract-${version}.tar.gz`],
    // The distribution's own Python has the build tools; --no-isolation needs no registry.
    make() {
      run('/usr/bin/python3', ['-m', 'build', '--no-isolation', '--outdir', out, 'clients/python']);
      // Setuptools before version 69 names the archive like the project; indexes require the normalised name.
      const built = at(`${manifest.name}-${version}.tar.gz`);
      if (existsSync(built)) renameSync(built, at(`public_extract-${version}.tar.gz`));
    },
  },
  {
    name: 'n8n',
    makes: [`n8n-nodes-${manifest.name}-${version}.tgz`],
    // In a separate folder, because the types of n8n are larger than this project.
    make() {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-n8n-'));
      try {
        cpSync(path.join(root, 'clients/n8n'), folder, { recursive: true });
        const node = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
        writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...node, version }, null, 2));
        run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
        run('npm', ['run', '--silent', 'build'], folder);
        run('npm', ['pack', '--silent', '--pack-destination', out], folder);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    name: 'chart',
    makes: [`${manifest.name}-chart-${version}.tgz`],
    // As Helm packs it: a folder with the chart's name. Order, times and owners are fixed, so that equal charts are
    // equal files.
    make() {
      const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
      const file = at(`${manifest.name}-chart-${version}.tgz`);
      run('tar', [...fixed, `--transform=s/^helm/${manifest.name}/`, '-czf', file, '-C', 'deploy', 'helm']);
    },
  },
  {
    name: 'executables',
    makes: targets.map((target) => `extract-${target}${target.startsWith('win-') ? '.exe' : ''}`),
    make: () =>
      run('node', ['scripts/executable/build.mjs', '--out', out, '--tarball', at(packageFile), ...targets]),
  },
  {
    name: 'package-managers',
    makes: ['package-managers'],
    async make() {
      const digests = await digestsOf(out);
      const release = {
        version,
        summary: manifest.description.replace(/\.$/, ''),
        homepage: manifest.homepage,
        license: manifest.license,
        base,
        digests,
      };
      for (const [name, text] of Object.entries(packageManagerFiles(release))) {
        const file = path.join(at('package-managers'), name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    },
  },
];

/** Steps done for a commit, by their state file. */
const stateFile = at('.release.json');
const commit = () => run('git', ['rev-parse', 'HEAD']);

function doneSteps() {
  if (!existsSync(stateFile)) return [];
  const state = JSON.parse(readFileSync(stateFile, 'utf8'));
  return state.commit === commit() ? state.done : [];
}

async function makeFiles() {
  mkdirSync(out, { recursive: true });
  const chosenSteps = values.only?.split(',') ?? steps.map(({ name }) => name);
  const done = new Set(doneSteps());
  for (const { name, makes, make } of steps.filter((step) => chosenSteps.includes(step.name))) {
    if (done.has(name) && makes.every((file) => existsSync(at(file)))) {
      console.log(`${name}: there already`);
      continue;
    }
    for (const file of makes) rmSync(at(file), { recursive: true, force: true });
    await make();
    const missing = makes.filter((file) => !existsSync(at(file)));
    if (missing.length > 0) throw new Error(`${name} made no ${missing.join(', ')}`);
    done.add(name);
    writeFileSync(stateFile, JSON.stringify({ commit: commit(), done: [...done] }));
    console.log(`${name}: ${makes.join(', ')}`);
  }
  writeFileSync(at(checksumsFile), checksumLines(await digestsOf(out)));
  console.log(`${checksumsFile}: ${readdirSync(out).length} files in ${path.relative(process.cwd(), out)}`);
}

try {
  checkSource();
  await makeFiles();
  for (const { name, isDone, command } of publishSteps({ version, out, packageFile, name: manifest.name })) {
    if (values['dry-run']) console.log(`${name}: would run ${command.join(' ')}`);
    else if (isDone()) console.log(`${name}: there already`);
    else {
      console.log(`${name}: ${command.join(' ')}`);
      run(command[0], command.slice(1));
    }
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
