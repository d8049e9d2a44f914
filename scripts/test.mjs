// Runs the tests. `npm test`: those that run in process (`*.test.ts`). `--full`: the slow ones (`*.slow.test.ts`).
// `--nightly`: those that wait for the real pace, or kill processes repeatedly (`*.nightly.test.ts`). With words: every
// file whose path contains one of them. Many files share a process. Files that measure time (`*.alone.slow.test.ts`,
// `*.alone.nightly.test.ts`) run alone at the end. Temporary files are in memory if there is enough. Other options are
// passed to node's test runner.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { makeCluster, withoutPostgres } from '../test/support/postgres-cluster.ts';
import { temporaryFolder } from './temporary-folder.mjs';
import { runTests } from './test-process.mjs';
import { progressOf, summaryOf } from './test-summary.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const kindOfOption = { '--full': 'slow', '--nightly': 'nightly' };
const options = flags.filter((word) => !(word in kindOfOption));
const chosenKinds = flags.filter((word) => word in kindOfOption).map((word) => kindOfOption[word]);
const kinds =
  chosenKinds.length > 0 ? chosenKinds : words.length > 0 ? ['quick', 'slow', 'nightly'] : ['quick'];
/** Tests wait for programs, browsers and databases, so one process more than processors. */
const atATime = os.availableParallelism() + 1;
/** Processes that share the files of a kind. Loading the sources costs each a second. */
const processes = { quick: atATime, slow: 18 };

const kindOf = (file) => /\.(slow|nightly)\.test\.tsx?$/.exec(file)?.[1] ?? 'quick';
/** Two threads of a core share its caches: next to another file, the same work takes half as much time again. */
const isAlone = (file) => /\.alone\.(slow|nightly)\.test\.tsx?$/.test(file);
/**
 * A slow file that measures its process, where other files' leftovers would count, or that chooses where its process's
 * servers store data, which would apply to other files, too.
 */
const wantsProcess = (file) =>
  /memoryUsage|cpuUsage|held-memory|loop-watch|keepElsewhere|alsoInPostgres/.test(
    readFileSync(path.join(root, file), 'utf8'),
  );
/** Tests of the declarations, which take as long to write as to test: one process writes them for all. */
const isOfTypes = (file) => file.startsWith('test/types/');

const testFiles = readdirSync(path.join(root, 'test'), { recursive: true })
  .map((name) => `test/${String(name).replaceAll(path.sep, '/')}`)
  .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('/node_modules/'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();
const files = testFiles.filter((file) => kinds.includes(kindOf(file)));
if (files.length === 0) {
  console.error('No test file matches.');
  process.exit(2);
}

const folder = mkdtempSync(path.join(temporaryFolder(), 'extract-tests-'));
// PostgreSQL runs as another user, and has its files in there, too.
chmodSync(folder, 0o1777);
process.env.TMPDIR = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

// One PostgreSQL for a whole run, with a database per test; a process of a few chosen files starts its own. Files that
// share a process close what they opened at its end: two processes alone came to 111 connections (2026-11).
const cluster =
  words.length === 0 && withoutPostgres === null
    ? await makeCluster({ settings: { max_connections: '1000' } })
    : undefined;

const dealOut = (some, count) =>
  Array.from({ length: Math.min(count, some.length) }, (_, at) =>
    some.filter((_, index) => index % count === at),
  );

function grouped(some) {
  const quick = some.filter((file) => kindOf(file) === 'quick');
  const slow = some.filter((file) => kindOf(file) === 'slow');
  const [apart, others] = [slow.filter(wantsProcess), slow.filter((file) => !wantsProcess(file))];
  return [
    ...dealOut(others.filter(isOfTypes), 1),
    ...dealOut(
      others.filter((file) => !isOfTypes(file)),
      processes.slow,
    ),
    ...dealOut(quick, processes.quick),
    ...[...apart, ...some.filter((file) => kindOf(file) === 'nightly')].map((file) => [file]),
  ];
}

/** Writes a module that imports the files of a process. Tests begin once all are loaded, which takes seconds. */
function moduleOf(some) {
  const module = path.join(
    folder,
    `${some.length > 1 ? `${some.length}-from-` : ''}${some[0].replaceAll('/', '-')}.mjs`,
  );
  const lines = [
    "const { before } = await import('node:test');",
    'const loaded = Promise.withResolvers();',
    'before(() => loaded.promise);',
    `try { ${some.map((file) => `await import('${pathToFileURL(path.join(root, file))}');`).join('\n')} }`,
    'finally { loaded.resolve(); }',
  ];
  writeFileSync(module, lines.join('\n'));
  return module;
}

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
const ran = [];
/** At a terminal one line is refreshed; in a pipe there are few lines. */
const isTerminal = process.stdout.isTTY;
const say = (text) => process.stdout.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
const progress = setInterval(
  () => {
    const done = ran.reduce((sum, run) => sum + run.filesDone(), 0);
    say(progressOf({ done, files: files.length, seconds: seconds() }));
  },
  isTerminal ? 1000 : 30_000,
);

// Tests that need a browser start one themselves; others must not start the machine's.
const env = { EXTRACT_BROWSER: 'never', ...(cluster && { TEST_POSTGRES_URL: cluster.url }), ...process.env };
/** Prints every test if files were chosen. */
const isVerbose = words.length > 0;
const runAll = (groups, count) =>
  pLimit(count).map(groups, async (some) => {
    const run = runTests(moduleOf(some), { files: some.length, env, options, isVerbose });
    ran.push(run);
    const { printed } = await run.ended;
    if (printed !== '') say(printed);
  });

await runAll(grouped(files.filter((file) => !isAlone(file))), atATime);
await runAll(
  files.filter(isAlone).map((file) => [file]),
  1,
);
await cluster?.remove();
clearInterval(progress);
const summary = summaryOf({
  processes: ran.map((run) => run.events()),
  files: files.length,
  leftOut: testFiles.length - files.length,
  seconds: seconds(),
});
say(`${summary.text}\n`);
// A pipe accepts long output in pieces: exiting immediately would truncate the summary.
process.stdout.write('', () => process.exit(summary.isGood && ran.every((run) => run.code === 0) ? 0 : 1));
