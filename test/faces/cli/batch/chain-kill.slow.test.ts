import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { fromSource } from '../../../support/from-source.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(import.meta.dirname, 'chain-program.ts');
const stages = ['1-shortvideo-search', '2-shortvideo-comments'];

/** Runs a chain, killed after so many calls; gives how it ended. */
async function run(args: readonly string[], maxCalls = Infinity) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [...fromSource, program, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env },
  );
  let calls = 0;
  let text = '';
  child.stdout.on('data', (dots: Buffer) => {
    calls += dots.toString().split('.').length - 1;
    if (calls >= maxCalls) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal, text };
}

test('a chain that is killed again and again has each line once, as one that was never killed', async () => {
  const input = path.join(folder, 'words.txt');
  writeFileSync(input, Array.from({ length: 60 }, (_, at) => `${100 + at}\n`).join(''));
  const chain = (output: string) => [
    'shortvideo/search',
    input,
    '--then',
    'shortvideo/comments',
    '-o',
    output,
  ];
  const whole = path.join(folder, 'whole.ndjson');
  const uncut = await run(chain(whole));
  assert.equal(uncut.code, 0, uncut.text);

  const cut = path.join(folder, 'cut.ndjson');
  let kills = 0;
  // In the first stage, where it passes into the second, and in the second.
  for (const calls of [20, 70, 60]) {
    const { signal } = await run([...chain(cut), '--resume'], calls);
    if (signal === 'SIGKILL') kills += 1;
  }
  assert.ok(kills >= 2, `${kills} kills`);
  const last = await run([...chain(cut), '--resume']);
  assert.equal(last.code, 0, last.text);
  const linesOf = (output: string, stage: string) =>
    readFileSync(output.replace('.ndjson', `.${stage}.ndjson`), 'utf8');
  for (const stage of stages) assert.equal(linesOf(cut, stage), linesOf(whole, stage), stage);
  assert.equal(
    linesOf(cut, stages[1] as string)
      .trim()
      .split('\n').length,
    180,
  );
});
