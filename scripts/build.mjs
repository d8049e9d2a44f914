// Builds dist/, or the given folder, inside the project: the library, the command, the package's subpaths, all types,
// the manual page, and the licences of bundled code. Usage: node scripts/build.mjs [FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { markEagerFunctions } from './eager-functions.mjs';
import { writeLicences } from './licences.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.resolve(root, process.argv[2] ?? 'dist');

/** Runs a script that imports the sources, such as the table of endpoints. */
function run(script) {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ['--import', './scripts/typescript.mjs', script, out], {
      cwd: root,
      stdio: 'inherit',
    })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${script} ended with ${code}`))));
  });
}

/** Writes the commit of this build, and whether files have changed since; outside a checkout it writes nothing. */
async function writeCommit() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const head = git('rev-parse', 'HEAD');
  if (head.status !== 0) return;
  const isChanged = git('status', '--porcelain', '--untracked-files=no').stdout !== '';
  await writeFile(path.join(out, 'COMMIT'), `${head.stdout.trim()}${isChanged ? ', changed' : ''}\n`);
}

await rm(out, { recursive: true, force: true });
try {
  const bundled = bundle(root, out).then((modules) => {
    markEagerFunctions(out);
    return writeLicences(modules, path.join(out, 'THIRD-PARTY.txt'));
  });
  await Promise.all([
    run('scripts/declarations.ts'),
    run('scripts/subpaths.ts'),
    run('scripts/man-page.ts'),
    bundled,
  ]);
  await writeCommit();
} catch (error) {
  // The launcher would take a partial build for a complete one.
  await rm(out, { recursive: true, force: true });
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
