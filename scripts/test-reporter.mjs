// A reporter of node's test runner that writes what the summary needs, as one line of JSON each: skipped tests and
// suites, with the reason, those that failed, with the message, tests that meet the program as it comes, and the counts
// of a process.
import path from 'node:path';

/** Files whose programs are given no settings. */
const asItComes = /[\\/]test[\\/]as-it-comes[\\/]/;

/** The tests and suites of this process that have begun and are not over, by where they stand. */
export const underWay = new Map();

/** The first lines of what a test has thrown, which the runner wraps, and of its causes. */
function messageOf(error) {
  const texts = [];
  let cause = error.cause instanceof Error ? error.cause : error;
  for (; cause instanceof Error && texts.length < 5; cause = cause.cause) texts.push(cause.message);
  return texts.join('\n').split('\n').slice(0, 12);
}

const whereOf = ({ file, line, name }) => `${path.relative('.', file ?? '')}:${line} ${name}`;

function* eventsOf({ type, data }) {
  const isSuite = data.details?.type === 'suite';
  if (type === 'test:pass' && data.skip !== undefined) {
    const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
    yield { skipped: isSuite ? 'suite' : 'test', reason };
  }
  if (type === 'test:pass' && !isSuite && data.skip === undefined && asItComes.test(data.file ?? '')) {
    yield { asItComes: data.name };
  }
  // A suite fails with its tests, which are told of.
  if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
    yield { failed: whereOf(data), message: messageOf(data.details.error) };
  }
  if (type === 'test:summary') yield { counts: data.counts };
}

async function* events(source) {
  for await (const event of source) {
    if (event.type === 'test:dequeue') underWay.set(whereOf(event.data), event.data.name);
    if (event.type === 'test:complete') underWay.delete(whereOf(event.data));
    for (const line of eventsOf(event)) yield `${JSON.stringify(line)}\n`;
  }
}

// biome-ignore lint/style/noDefaultExport: the runner takes a reporter as a default export
export { events as default };
