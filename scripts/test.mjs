// Runs the tests: every test/**/*.test.ts(x), or those whose path contains one of the words given. Many quick ones
// share a process. `--quick` leaves out the slow ones (`*.slow.test.ts`). Files that wait for most of their time run
// beside the rest, and files that measure time (`*.alone.slow.test.ts`) by themselves at the end. Temporary files lie in
// memory where there is enough of it. Other options go to node's test runner. Ends with a summary: how many tests ran,
// how many files were left out, which tests were skipped and why, and the duration.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeCluster, withoutPostgres } from '../test/support/postgres-cluster.ts';
import { temporaryPlace } from './temporary-place.mjs';
import { summaryOf } from './test-summary.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--') && word !== '--quick');
const isQuick = process.argv.includes('--quick');
/** Processes among which the quick tests are shared out, which run at once, and the slow ones. */
const quickProcesses = 3;
const slowProcesses = 18;

const isSlow = (file) => /\.slow\.test\.tsx?$/.test(file);
/** Two threads of one core share its caches: beside another file, the same work takes half as much time again. */
const isAlone = (file) => /\.alone\.slow\.test\.tsx?$/.test(file);
/** These wait more than they work, for the pace of a new installation: of 489 s they worked for 84 (2026-11). */
const isWaiting = (file) => file.startsWith('test/as-it-comes/');
/** The scenarios of faults, one after the other, wait for what is given up after so many seconds: 110 s of six minutes. */
const isFaults = (file) => file.startsWith('test/faults/');

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

/** A test file, and the tests' own modules that it takes, by way of whichever others: their texts by name. */
function textsOf(file, texts = new Map()) {
  if (texts.has(file) || !file.startsWith('test/') || !existsSync(path.join(root, file))) return texts;
  const text = readFileSync(path.join(root, file), 'utf8');
  texts.set(file, text);
  for (const [, name] of text.matchAll(/'(\.[^']+)\.js'/g)) {
    const stem = path.posix.join(path.posix.dirname(file), name);
    for (const one of [`${stem}.ts`, `${stem}.tsx`]) textsOf(one, texts);
  }
  return texts;
}

const folder = mkdtempSync(path.join(temporaryPlace(), 'extract-tests-'));
// PostgreSQL runs as another user, and what it has lies in there, too.
chmodSync(folder, 0o1777);
process.env.TMPDIR = folder;

// One PostgreSQL for all files that want one; each test has a database of its own in it.
const hasPostgres = !isQuick && withoutPostgres === null;
const wantsPostgres = (file) => hasPostgres && textsOf(file).has('test/support/postgres.ts');
const cluster = files.some(wantsPostgres) ? await makeCluster() : undefined;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A slow file that measures its process: what other files leave there would count. */
const isMeasuring = (file) =>
  isSlow(file) && [...textsOf(file).values()].some((text) => /memoryUsage|cpuUsage/i.test(text));

/** These look at the declarations, which take as long as the looks: one process writes them for all. */
const isOfTypes = (file) => file.startsWith('test/types/');

const dealt = (files, processes) =>
  Array.from({ length: Math.min(processes, files.length) }, (_, at) =>
    files.filter((_, index) => index % processes === at),
  );

/**
 * The files of each process. One of its own for each file costs a second each, as it loads what another has loaded, and
 * the quick tests two thirds of their time (2026-11).
 */
function grouped(files) {
  const measuring = files.filter(isMeasuring);
  const sharing = files.filter((file) => !measuring.includes(file) && !isOfTypes(file));
  return [
    ...dealt(files.filter(isOfTypes), 1),
    ...dealt(sharing.filter(isSlow), slowProcesses),
    ...dealt(
      sharing.filter((file) => !isSlow(file)),
      quickProcesses,
    ),
    ...measuring.map((file) => [file]),
  ];
}

/**
 * Writes a module that imports the files of a process. Tests begin when all are loaded, which holds the loop for
 * seconds. The runner sorts by name: so the place comes first in it.
 */
function moduleOf(files, place) {
  const name = files.length > 1 ? `${files.length}-files` : files[0].replaceAll('/', '-');
  const module = path.join(folder, `${String(place).padStart(3, '0')}-${name}.mjs`);
  const importOf = (file) => `await import('${pathToFileURL(path.join(root, file))}');`;
  const lines = [
    importOf('scripts/test-hooks.mjs'),
    "const { before } = await import('node:test');",
    'const loaded = Promise.withResolvers();',
    'before(() => loaded.promise);',
    `try { ${files.map(importOf).join('\n')} } finally { loaded.resolve(); }`,
  ];
  writeFileSync(module, lines.join('\n'));
  return module;
}

const hasReporter = options.some((option) => option.startsWith('--test-reporter='));
const begun = performance.now();

/** Runs the processes of test files, so many at a time. Gives the runner's exit code; its report goes to `report`. */
function run(name, processes, concurrency, report = 'stdout') {
  if (processes.length === 0) return 0;
  const runner = spawn(
    process.execPath,
    [
      '--import',
      new URL('typescript.mjs', import.meta.url).href,
      '--import',
      new URL('test-time-limit.mjs', import.meta.url).href,
      // Room for what is new: a seventh of the processor time went into its collection, again and again.
      '--max-semi-space-size=64',
      '--test',
      `--test-concurrency=${concurrency}`,
      ...(hasReporter ? [] : ['--test-reporter=spec', `--test-reporter-destination=${report}`]),
      `--test-reporter=${new URL('test-reporter.mjs', import.meta.url).href}`,
      `--test-reporter-destination=${path.join(folder, `${name}.ndjson`)}`,
      ...options,
      ...processes.map(moduleOf),
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

const apart = (file) => isAlone(file) || isWaiting(file) || isFaults(file);
const working = grouped(files.filter((file) => !apart(file)));
const reportOf = (name) => path.join(folder, `${name}.txt`);
const alone = (files) => files.map((file) => [file]);
const codes = await Promise.all([
  // Slow ones run beside those that wait: a third process at work made a browser and a pace too late (2026-11).
  run('working', working, isQuick ? quickProcesses : 2),
  run('waiting', alone(files.filter(isWaiting)), 2, reportOf('waiting')),
  run('faults', alone(files.filter(isFaults)), 1, reportOf('faults')),
]);
for (const report of ['waiting', 'faults'].map(reportOf)) {
  if (existsSync(report)) process.stdout.write(readFileSync(report));
}
codes.push(await run('alone', alone(files.filter(isAlone)), 1));
await cluster?.remove();
const events = readdirSync(folder)
  .filter((name) => name.endsWith('.ndjson'))
  .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
console.log(
  summaryOf({
    events,
    files: files.length,
    leftOut: leftOut.length,
    seconds: (performance.now() - begun) / 1000,
  }),
);
process.exit(Math.max(...codes));
