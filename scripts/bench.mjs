// Runs the benchmarks: every test/bench/*.bench.ts, or those whose name contains one of the given words. Numbers among
// the words are passed on (`npm run bench pages 10000000`: so many calls). Each prints ratios from one run next to
// their goals. Nothing fails here: times vary too much for a test.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const isNumber = (word) => /^\d+$/.test(word);
const words = process.argv.slice(2).filter((word) => !isNumber(word));
const numbers = process.argv.slice(2).filter(isNumber);
const folder = path.join(root, 'test', 'bench');
const names = readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
for (const name of names.sort()) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  console.log(`\n${name.replace('.bench.ts', '')}`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', './scripts/typescript.mjs', path.join(folder, name), ...numbers],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
}
