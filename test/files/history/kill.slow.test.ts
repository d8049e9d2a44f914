import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { killOnceWritten, startProgram } from '../../support/program-apart.js';
import { outputOf } from '../../support/program-output.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const count = 200;
const input = path.join(folder, 'inputs.ndjson');
const history = path.join(folder, 'history.sqlite');
writeFileSync(input, Array.from({ length: count }, (_, at) => `{"id":"harbour-${at}"}\n`).join(''));

function start(round: number) {
  const output = path.join(folder, `round-${round}.ndjson`);
  const args = ['batch', 'maps/harbour', input, '-o', output, '--resume', '--history', history];
  const plan = { home: path.join(folder, 'home'), round, args };
  return { output, child: startProgram('files/history/history-program.ts', plan) };
}

test('a killed batch that resumes loses and repeats no change of its history', async () => {
  for (const [round, moments] of [[], [40], [15]].entries()) {
    for (const moment of moments) {
      const { output, child } = start(round);
      await killOnceWritten(child, output, moment);
    }
    const { output, child } = start(round);
    assert.equal((await outputOf(child)).status, 0);
    assert.equal(readFileSync(output, 'utf8').split('\n').length, count + 1);
  }
  const query = 'SELECT subject, event, field, before, after FROM changes ORDER BY number';
  const changes = queryFile(history, query).map((row) => Object.values(row).join(' '));
  const each = (end: string) => Array.from({ length: count }, (_, at) => `harbour-${at} ${end}`);
  const expected = [...each('first   '), ...each('changed berths 0 1'), ...each('changed berths 1 2')];
  assert.deepEqual(changes.sort(), expected.sort());
});
