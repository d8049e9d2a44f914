// A reporter of node's test runner that writes what the summary needs, as one line of JSON each. The lines have skipped
// tests and suites, with the reason, the tests that meet the program as it comes, and the counts of a process.

/** Files whose programs are given no settings. */
const asItComes = /[\\/]test[\\/]as-it-comes[\\/]/;

async function* events(source) {
  for await (const { type, data } of source) {
    const isSuite = data.details?.type === 'suite';
    if (type === 'test:pass' && data.skip !== undefined) {
      const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
      yield `${JSON.stringify({ skipped: isSuite ? 'suite' : 'test', reason })}\n`;
    }
    if (type === 'test:pass' && !isSuite && data.skip === undefined && asItComes.test(data.file ?? '')) {
      yield `${JSON.stringify({ asItComes: data.name })}\n`;
    }
    if (type === 'test:summary') {
      yield `${JSON.stringify({ counts: data.counts })}\n`;
    }
  }
}

// biome-ignore lint/style/noDefaultExport: the runner takes a reporter as a default export
export { events as default };
