// Runs the benchmarks: every test/bench/*.bench.ts, or those whose name contains one of the words given.
// Each prints ratios taken in one run beside their goals; nothing fails here, since time is not a test.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const folder = path.join(root, 'test', 'bench');
const names = readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
for (const name of names.sort()) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  console.log(`\n${name.replace('.bench.ts', '')}`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', path.join(folder, name)],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
}
