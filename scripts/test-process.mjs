// One process of test files.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

const fileOf = (name) => new URL(name, import.meta.url).href;
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/**
 * What the reporter wrote. One failed where the process did, and no test of it: a file that could not be loaded, say. Its
 * last words are the message.
 */
function eventsIn(file, code, { failed, text }) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const events = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const isTold = events.some(({ counts }) => counts !== undefined && counts.failed + counts.cancelled > 0);
  if (code === 0 || isTold) return events;
  const message = text.trimEnd().split('\n').slice(-12);
  return [...events, { failed, message }, { counts: { passed: 0, failed: 1, cancelled: 0 } }];
}

/**
 * Runs a module of tests, without a runner above it, which would cost a process more and each event twice. Prints all
 * that it wrote when it has ended; resolves with its exit code and the events for the summary. `options` go to Node.
 */
export function runTests(module, { env, options }) {
  const reporter = options.find((option) => option.startsWith('--test-reporter=')) ?? '--test-reporter=spec';
  const [text, events] = [`${module}.txt`, `${module}.ndjson`];
  const output = openSync(text, 'w');
  const child = spawn(
    process.execPath,
    [
      ...['--import', fileOf('typescript.mjs'), '--import', fileOf('test-time-limit.mjs')],
      // Room for what is new: a seventh of the processor time went into its collection, again and again.
      '--max-semi-space-size=64',
      // A test that waits in vain is named, and those behind it run.
      '--test-timeout=600000',
      ...[reporter, '--test-reporter-destination=stdout'],
      ...[`--test-reporter=${fileOf('test-reporter.mjs')}`, `--test-reporter-destination=${events}`],
      ...options.filter((option) => option !== reporter),
      module,
    ],
    { cwd: path.dirname(import.meta.dirname), env, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  running.add(child);
  return new Promise((resolve) =>
    child.once('exit', (status) => {
      running.delete(child);
      const code = status ?? 1;
      const printed = readFileSync(text, 'utf8');
      const failed = `${path.basename(module)} ended with ${child.signalCode ?? code}`;
      process.stdout.write(printed);
      if (code !== 0) console.log(`✖ ${failed}`);
      resolve({ code, events: eventsIn(events, code, { failed, text: printed }) });
    }),
  );
}
