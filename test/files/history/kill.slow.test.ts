import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { fromSource } from '../../support/from-source.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(packageRoot(), 'test', 'files', 'history', 'history-program.ts');
const count = 200;
const input = path.join(folder, 'inputs.ndjson');
const history = path.join(folder, 'history.sqlite');
writeFileSync(input, Array.from({ length: count }, (_, at) => `{"id":"harbour-${at}"}\n`).join(''));

function start(round: number) {
  const output = path.join(folder, `round-${round}.ndjson`);
  const args = ['batch', 'maps/harbour', input, '-o', output, '--resume', '--history', history];
  const wanted = JSON.stringify({ home: path.join(folder, 'home'), round, args });
  return {
    output,
    child: spawn(process.execPath, [...fromSource, program, wanted], { stdio: 'inherit' }),
  };
}

/** Lets a run write more than there was, and kills it a moment later. */
async function killed(round: number, moment: number): Promise<void> {
  const { output, child } = start(round);
  const ended = once(child, 'exit');
  const size = () => (existsSync(output) ? statSync(output).size : 0);
  const before = size();
  while (child.exitCode === null && size() <= before) await setTimeout(2);
  await setTimeout(moment);
  child.kill('SIGKILL');
  await ended;
}

test('a batch that is killed and goes on loses no change of its history, and doubles none', async () => {
  for (const [round, moments] of [[], [0, 40, 90], [15, 60]].entries()) {
    for (const moment of moments) await killed(round, moment);
    const { output, child } = start(round);
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    assert.equal(readFileSync(output, 'utf8').split('\n').length, count + 1);
  }
  const query = 'SELECT subject, event, field, before, after FROM changes ORDER BY number';
  const changes = queryFile(history, query).map((row) => Object.values(row).join(' '));
  const each = (end: string) => Array.from({ length: count }, (_, at) => `harbour-${at} ${end}`);
  const expected = [...each('first   '), ...each('changed berths 0 1'), ...each('changed berths 1 2')];
  assert.deepEqual(changes.sort(), expected.sort());
});
