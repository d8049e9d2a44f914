// Runs the tests: every test/**/*.test.ts(x), or those whose path contains one of the words given. Many quick ones
// share a process. `--quick` leaves out the slow ones (`*.slow.test.ts`). Files that wait for most of their time run
// beside the rest, and files that measure time (`*.alone.slow.test.ts`) by themselves at the end. Other options go to
// node's test runner. Ends with a summary: how many tests ran, how many files were left out, which tests were skipped
// and why, and the duration.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeCluster, withoutPostgres } from '../test/support/postgres-cluster.ts';
import { summaryOf } from './test-summary.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--') && word !== '--quick');
const isQuick = process.argv.includes('--quick');
/** Processes among which the quick tests are shared out. */
const quickProcesses = 4;

const isSlow = (file) => /\.slow\.test\.tsx?$/.test(file);
/** Two threads of one core share its caches: beside another file, the same work takes half as much time again. */
const isAlone = (file) => /\.alone\.slow\.test\.tsx?$/.test(file);
/** These keep the pace of a new installation: of 489 s in which they ran, they worked for 84 (2026-11). */
const isWaiting = (file) => file.startsWith('test/as-it-comes/');

const found = readdirSync(path.join(root, 'test'), { recursive: true })
  .map((name) => `test/${String(name).replaceAll(path.sep, '/')}`)
  .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('/node_modules/'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();
const leftOut = isQuick ? found.filter(isSlow) : [];
const files = found.filter((file) => !leftOut.includes(file));
if (files.length === 0) {
  console.error(leftOut.length === 0 ? 'No test file matches.' : 'Every test file that matches is slow.');
  process.exit(2);
}

/** True where a test file takes a module of the tests' own, by way of whichever others. */
function takes(wanted, file, seen = new Set()) {
  if (file === wanted) return true;
  if (seen.has(file) || !existsSync(path.join(root, file))) return false;
  seen.add(file);
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/from\s+'(\.[^']+)\.js'/g)].some(([, name]) =>
    takes(wanted, `${path.posix.join(path.posix.dirname(file), name)}.ts`, seen),
  );
}

// One PostgreSQL for all files that want one; each test has a database of its own in it.
const hasPostgres = !isQuick && withoutPostgres === null;
const wantsPostgres = (file) => hasPostgres && takes('test/support/postgres.ts', file);
const cluster = files.some(wantsPostgres) ? await makeCluster() : undefined;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-tests-'));

/**
 * Modules that import several test files each. A process of its own for each file costs the quick tests two thirds of
 * their time (2026-11). A file that waits for a database has a process that no other file holds up.
 */
function grouped(files) {
  const shared = files.filter((file) => !isSlow(file) && !wantsPostgres(file));
  const groups = Array.from({ length: Math.min(quickProcesses, shared.length) }, (_, at) => {
    const group = path.join(folder, `quick-${at}.mjs`);
    const own = shared.filter((_, index) => index % quickProcesses === at);
    const lines = own.map((file) => `await import('${pathToFileURL(path.join(root, file))}');\n`);
    writeFileSync(group, lines.join(''));
    return group;
  });
  return [...groups, ...files.filter((file) => !shared.includes(file))];
}
const hasReporter = options.some((option) => option.startsWith('--test-reporter='));
const begun = performance.now();

/** Runs test files, so many at a time, and resolves with the runner's exit code. Its report goes to `report`. */
function run(name, files, concurrency, report = 'stdout') {
  if (files.length === 0) return 0;
  const runner = spawn(
    process.execPath,
    [
      '--import',
      new URL('typescript.mjs', import.meta.url).href,
      '--import',
      new URL('test-time-limit.mjs', import.meta.url).href,
      '--test',
      `--test-concurrency=${concurrency}`,
      ...(hasReporter ? [] : ['--test-reporter=spec', `--test-reporter-destination=${report}`]),
      `--test-reporter=${new URL('test-reporter.mjs', import.meta.url).href}`,
      `--test-reporter-destination=${path.join(folder, `${name}.ndjson`)}`,
      ...options,
      ...files,
    ],
    // A test that wants a browser says so. The others must not start the one of the machine they run on.
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        EXTRACT_BROWSER: 'never',
        ...(cluster && { TEST_POSTGRES_URL: cluster.url }),
        ...(isQuick && { TEST_POSTGRES: 'never' }),
        ...process.env,
      },
    },
  );
  return new Promise((resolve) => runner.on('exit', (code) => resolve(code ?? 1)));
}

const working = grouped(files.filter((file) => !isAlone(file) && !isWaiting(file)));
const waitingReport = path.join(folder, 'waiting.txt');
const codes = await Promise.all([
  run('working', working, 2),
  run('waiting', files.filter(isWaiting), 2, waitingReport),
]);
if (existsSync(waitingReport)) process.stdout.write(readFileSync(waitingReport));
codes.push(await run('alone', files.filter(isAlone), 1));
await cluster?.remove();
const events = readdirSync(folder)
  .filter((name) => name.endsWith('.ndjson'))
  .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true, force: true });
console.log(
  summaryOf({
    events,
    files: files.length,
    leftOut: leftOut.length,
    seconds: (performance.now() - begun) / 1000,
  }),
);
process.exit(Math.max(...codes));
