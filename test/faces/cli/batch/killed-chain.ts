import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { argv } from '../../../support/argv.js';
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
    [...fromSource, program, path.join(folder, 'home'), ...args],
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

/** Kills a chain after so many calls of each run; it has each line once then, as one that was never killed. */
export async function assertKilledChainIsWhole(
  kills: readonly number[],
  more: readonly string[] = [],
): Promise<void> {
  const input = path.join(folder, 'words.txt');
  writeFileSync(input, Array.from({ length: 60 }, (_, at) => `${100 + at}\n`).join(''));
  const chain = (output: string) =>
    argv`shortvideo/search ${input} --then shortvideo/comments -o ${output} ${more}`;
  const calmFile = path.join(folder, `whole${more.join('')}.ndjson`);
  const uncut = await run(chain(calmFile));
  assert.equal(uncut.code, 0, uncut.text);

  const cut = path.join(folder, `cut${more.join('')}.ndjson`);
  for (const calls of kills) {
    const { signal, text } = await run([...chain(cut), '--resume'], calls);
    assert.equal(signal, 'SIGKILL', `killed after ${calls} calls: ${text}`);
  }
  const last = await run([...chain(cut), '--resume']);
  assert.equal(last.code, 0, last.text);
  const linesOf = (output: string, stage: string) =>
    readFileSync(output.replace('.ndjson', `.${stage}.ndjson`), 'utf8');
  for (const stage of stages) assert.equal(linesOf(cut, stage), linesOf(calmFile, stage), stage);
  assert.equal(
    linesOf(cut, stages[1] as string)
      .trim()
      .split('\n').length,
    180,
  );
}
