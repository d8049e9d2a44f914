// Runs the tests: every test/**/*.test.ts(x), or those whose path contains one of the words given. Many quick ones
// share a process. `--quick` leaves out the slow ones (`*.slow.test.ts`). Files that wait for most of their time run
// beside the rest, and files that measure time (`*.alone.slow.test.ts`) by themselves at the end. Temporary files lie in
// memory where there is enough of it. Other options go to node's test runner. Ends with a summary: how many tests ran,
// how many files were left out, which tests were skipped and why, and the duration.
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
import { runTests } from './test-process.mjs';
import { workThrough } from './test-row.mjs';
import { summaryOf } from './test-summary.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const given = process.argv.slice(2).filter((word) => word.startsWith('--'));
const isQuick = given.includes('--quick');
/** Processes among which the quick tests are shared out, which run at once, and the slow ones. */
const quickProcesses = 3;
const slowProcesses = 18;
/** Processes that may work at a time while some of them wait. */
const maxProcesses = 4;

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
// Files that share a process close what they opened at its end: two processes alone came to 111 connections (2026-11).
const cluster = files.some(wantsPostgres)
  ? await makeCluster({ settings: { max_connections: '1000' } })
  : undefined;
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
 * seconds.
 */
function moduleOf(files, place) {
  const name = files.length > 1 ? `${place}-${files.length}-files` : files[0].replaceAll('/', '-');
  const module = path.join(folder, `${name}.mjs`);
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

const begun = performance.now();
const options = given.filter((word) => word !== '--quick');
// A test that wants a browser says so. The others must not start the one of the machine they run on.
const env = {
  EXTRACT_BROWSER: 'never',
  ...(cluster && { TEST_POSTGRES_URL: cluster.url }),
  ...(isQuick && { TEST_POSTGRES: 'never' }),
  ...process.env,
};
const events = [];
let code = 0;

/** What runs processes of test files, one after the other or beside each other. */
const worksOf = (processes) =>
  processes.map(moduleOf).map((module) => async () => {
    const ended = await runTests(module, { env, options });
    events.push(...ended.events);
    code = Math.max(code, ended.code);
  });

const apart = (file) => isAlone(file) || isWaiting(file) || isFaults(file);
const alone = (files) => worksOf(files.map((file) => [file]));
await Promise.all([
  workThrough(
    worksOf(grouped(files.filter((file) => !apart(file)))),
    isQuick ? quickProcesses : 2,
    maxProcesses,
  ),
  workThrough(alone(files.filter(isWaiting)), 2),
  workThrough(alone(files.filter(isFaults)), 1),
]);
await workThrough(alone(files.filter(isAlone)), 1);
await cluster?.remove();
console.log(
  summaryOf({
    events,
    files: files.length,
    leftOut: leftOut.length,
    seconds: (performance.now() - begun) / 1000,
  }),
);
// A pipe takes long output piece by piece: an end at once would cut the summary off.
process.stdout.write('', () => process.exit(code));
