// A reporter for Node's test runner that writes what progress and summary need, one JSON object per line: files whose
// tests begin and when, skipped tests and suites with the reason, failed ones with the message, and the counts of a
// process.
import path from 'node:path';

/** The tests and suites of this process in progress. */
const running = new Set();

/** Returns what a test has thrown, unwrapped, with its causes: the first lines, and the line that threw. */
function messageOf(error) {
  const texts = [];
  let cause = error.cause instanceof Error ? error.cause : error;
  const threw = /^ +at .*(?:file:\/\/|\()(?!node:).*$/m.exec(cause.stack ?? '')?.[0].trim();
  for (; cause instanceof Error && texts.length < 5; cause = cause.cause) texts.push(cause.message);
  return [...texts.join('\n').split('\n').slice(0, 24), ...(threw === undefined ? [] : [threw])];
}

const whereOf = ({ file, line, name }) => `${path.relative('.', file ?? '')}:${line} ${name}`;

function* eventsOf({ type, data }) {
  if (type === 'test:pass' && data.skip !== undefined) {
    const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
    yield { skipped: data.details?.type === 'suite' ? 'suite' : 'test', reason };
  }
  // A suite fails with its tests, which are reported separately.
  if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
    yield { failed: whereOf(data), message: messageOf(data.details.error) };
  }
  if (type === 'test:summary') yield { counts: data.counts, at: performance.now() };
}

async function* events(source) {
  let last;
  for await (const event of source) {
    const { type, data } = event;
    if (type === 'test:dequeue') running.add(whereOf(data));
    if (type === 'test:complete') running.delete(whereOf(data));
    if (type === 'test:dequeue' && data.nesting === 0 && data.file !== last) {
      last = data.file;
      yield `${JSON.stringify({ file: last, at: performance.now() })}\n`;
    }
    for (const line of eventsOf(event)) yield `${JSON.stringify(line)}\n`;
  }
}

// A program that a test waits for in vain must not delay all other test processes.
const minutes = 20;
setTimeout(() => {
  console.error(`${process.argv[1]} is not over after ${minutes} minutes. Under way:`);
  console.error([...running].map((where) => `  ${where}`).join('\n'));
  console.error(`It waits for: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}, minutes * 60_000).unref();

// biome-ignore lint/style/noDefaultExport: the runner takes a reporter as a default export
export { events as default };
