import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { argv } from '../../../support/argv.js';
import { assertExit } from '../../../support/assert-exit.js';
import { fromSource } from '../../../support/from-source.js';
import { outputOf } from '../../../support/program-output.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(import.meta.dirname, 'chain-program.ts');
const stages = ['1-shortvideo-search', '2-shortvideo-comments'];

/** Runs a chain, killed after so many calls. */
async function run(args: readonly string[], maxCalls = Infinity) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...fromSource, program, path.join(folder, 'home'), ...args], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], env },
  });
  let calls = 0;
  child.stdout?.on('data', (dots: string) => {
    calls += dots.split('.').length - 1;
    if (calls >= maxCalls) child.kill('SIGKILL');
  });
  return { ...(await outputOf(child)), signal: child.signalCode };
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
  const [calm, cut] = ['whole', 'cut'].map((name) => path.join(folder, `${name}${more.join('')}.ndjson`)) as [
    string,
    string,
  ];
  assertExit(await run(chain(calm)), 0);
  const resumed = [...chain(cut), '--resume'];
  for (const calls of kills) {
    const { signal, err } = await run(resumed, calls);
    assert.equal(signal, 'SIGKILL', `killed after ${calls} calls: ${err}`);
  }
  assertExit(await run(resumed), 0);
  const textOf = (output: string, stage: string) =>
    readFileSync(output.replace('.ndjson', `.${stage}.ndjson`), 'utf8');
  for (const stage of stages) assert.equal(textOf(cut, stage), textOf(calm, stage), stage);
  assert.equal(textOf(cut, '2-shortvideo-comments').trim().split('\n').length, 180);
}
