// A reporter of node's test runner that writes what the summary needs, as one line of JSON each. The lines have skipped
// tests and suites, with the reason, and the runner's own counts.

async function* events(source) {
  for await (const { type, data } of source) {
    const isSuite = data.details?.type === 'suite';
    if (type === 'test:pass' && data.skip !== undefined) {
      const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : 'no reason given';
      yield `${JSON.stringify({ skipped: isSuite ? 'suite' : 'test', reason })}\n`;
    }
    if (type === 'test:summary' && data.file === undefined) {
      yield `${JSON.stringify({ counts: data.counts })}\n`;
    }
  }
}

// biome-ignore lint/style/noDefaultExport: the runner takes a reporter as a default export
export { events as default };
