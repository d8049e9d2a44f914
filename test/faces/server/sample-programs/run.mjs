// Runs samples as Node runs a module of their text, one after the other: each line of the input is a text, and each line
// that comes out what it wrote, or its failure.
import { createInterface } from 'node:readline';

const write = process.stdout.write.bind(process.stdout);
let output = '';
process.stdout.write = (text) => {
  output += text;
  return true;
};

for await (const line of createInterface({ input: process.stdin })) {
  output = '';
  // A comment of its own, as the same text may come twice and a module is run once.
  const module = `${JSON.parse(line)}\n// ${performance.now()}`;
  const failure = await import(`data:text/javascript,${encodeURIComponent(module)}`).then(
    () => undefined,
    (error) => String(error?.stack ?? error),
  );
  write(`${JSON.stringify({ out: output, failure })}\n`);
}
