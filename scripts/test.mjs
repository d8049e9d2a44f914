// Runs the tests: every test/**/*.test.ts(x), or those whose path contains one of the words given.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const files = readdirSync(path.join(root, 'test'), { recursive: true })
  .map((name) => path.join('test', String(name)))
  .filter((name) => /\.test\.tsx?$/.test(name))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();
if (files.length === 0) {
  console.error('No test file matches.');
  process.exit(2);
}
const runner = spawn(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-concurrency=2', ...options, ...files],
  { cwd: root, stdio: 'inherit' },
);
runner.on('exit', (code) => process.exit(code ?? 1));
