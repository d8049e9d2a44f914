// One process of test files.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

const fileOf = (name) => new URL(name, import.meta.url).href;
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** Returns what the reporter has written so far. The last line may be incomplete. */
function linesIn(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/**
 * Runs a module of tests, without a parent runner, which would cost another process and duplicate each event. `ended`
 * resolves with what to print: every test if `isVerbose`, else the output of a failed process. `options` go to Node.
 */
export function runTests(module, { files, env, options, isVerbose }) {
  const [text, events] = [`${module}.txt`, `${module}.ndjson`];
  const output = openSync(text, 'w');
  const child = spawn(
    process.execPath,
    [
      ...['--import', fileOf('typescript.mjs'), '--import', fileOf('test-hooks.mjs')],
      // More space for new objects: a seventh of the processor time was spent collecting them.
      '--max-semi-space-size=64',
      // A hanging test is reported, and those after it run.
      '--test-timeout=600000',
      ...(isVerbose ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : []),
      ...[`--test-reporter=${fileOf('test-reporter.mjs')}`, `--test-reporter-destination=${events}`],
      ...options,
      module,
    ],
    { cwd: path.dirname(import.meta.dirname), env, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  running.add(child);
  const run = {
    code: undefined,
    events: () => linesIn(events),
    /** Number of files whose tests are finished. */
    filesDone() {
      const startedFiles = new Set(linesIn(events).flatMap(({ file }) => file ?? [])).size;
      // Tests of both databases are defined in separate files, which are not counted.
      return run.code === undefined ? Math.min(Math.max(0, startedFiles - 1), files - 1) : files;
    },
    ended: new Promise((resolve) =>
      child.once('exit', (status) => {
        running.delete(child);
        run.code = status ?? 1;
        const printed = readFileSync(text, 'utf8');
        const counted = linesIn(events).some(({ counts }) => counts?.failed + counts?.cancelled > 0);
        // The process failed without a failed test: a file could not be loaded, for example. Its last output is the
        // message.
        if (run.code !== 0 && !counted) {
          const failed = `${path.basename(module)} ended with ${child.signalCode ?? run.code}`;
          const message = printed.trimEnd().split('\n').slice(-12);
          const lost = [{ failed, message }, { counts: { passed: 0, failed: 1, cancelled: 0 } }];
          run.events = () => [...linesIn(events), ...lost];
        }
        resolve({ printed: isVerbose || run.code !== 0 ? printed.trimEnd() : '' });
      }),
    ),
  };
  return run;
}
