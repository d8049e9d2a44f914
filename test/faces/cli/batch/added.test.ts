import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { addedLines, addLines, withdrawLines } from '../../../../src/files/batch-files/appended-output.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const textOf = (file: string) => readFileSync(file, 'utf8');
const headOf = (file: string) => textOf(file).split('\n', 1)[0] ?? '';
const newFile = (name: string) => path.join(temporaryFolder(), name);
/** Adds the samples of these names to a file. */
const add = async (file: string, stdin: string, status = 0, ...more: string[]) => {
  const args = argv`batch shortvideo/profile - --demo --append -o ${file} ${more}`;
  return assertExit(await extract(args, { stdin }), status).err;
};

describe('a batch that adds to a file of text', () => {
  for (const kind of ['ndjson', 'csv', 'tsv']) {
    test(`keeps the content of ${kind}, with a single header`, async () => {
      const file = newFile(`profiles.${kind}`);
      await add(file, 'nasa\n');
      const before = textOf(file);
      await add(file, 'esa\nnasa\n');
      const after = textOf(file);
      assert.ok(after.startsWith(before));
      const parts = after.split(kind === 'ndjson' ? '{"input"' : `${headOf(file)}\n`);
      assert.equal(parts.length, kind === 'ndjson' ? 4 : 2);
      await add(file, 'esa\nnasa\n', 0, '--resume');
      assert.equal(textOf(file), after);
    });
  }

  test('continues the tables of earlier releases, which named every column with a prefix', async () => {
    const file = newFile('weekly.csv');
    const input = 'username,Brand\nnasa,Space\n';
    await add(file, input);
    assert.match(headOf(file), /^input\.username,url,Brand,/);
    const earlier = textOf(file).replace('url,Brand,', 'input.url,own.Brand,');
    writeFileSync(file, earlier);
    await add(file, input);
    const after = textOf(file);
    assert.ok(after.startsWith(earlier));
    assert.deepEqual([after.split('nasa,,Space,').length, after.split('error.message').length], [3, 2]);
  });

  test('is refused before any request if the columns differ or the format cannot be appended to', async () => {
    const [other, cut] = [newFile('other.csv'), newFile('cut.ndjson')];
    writeFileSync(other, 'name,town\nMira,Graz\n');
    writeFileSync(cut, '{"input"');
    assert.match(await add(other, 'nasa\n', 2), /other\.csv does not have the columns of these results/);
    assert.match(await add(cut, 'nasa\n', 2), /middle of a line/);
    for (const kind of ['xlsx', 'parquet', 'json'])
      assert.match(await add(newFile(`a.${kind}`), '', 2), new RegExp(`Cannot append to ${kind}`));
  });

  test('resumes after a kill in the middle of a line', async () => {
    const file = newFile('killed.csv');
    await add(file, 'nasa\n');
    const before = textOf(file);
    await add(file, 'esa\n');
    const after = textOf(file);
    const mark = `${addedLines(file)}.added`;
    writeFileSync(mark, JSON.stringify({ ...JSON.parse(textOf(mark)), done: false }));
    truncateSync(file, Buffer.byteLength(before) + 5);
    await add(file, 'esa\n', 0, '--resume');
    assert.equal(textOf(file), after);
  });

  test('of a single call appends its rows after the others', async () => {
    const file = newFile('one.csv');
    for (const _ of ['first', 'second'])
      assertExit(await extract(argv`shortvideo profile nasa --demo --append -o ${file}`), 0);
    const headers = textOf(file).split(`${headOf(file)}\n`).length;
    assert.deepEqual([headers, textOf(file).match(/^nasa,/gm)?.length], [2, 2]);
  });
});

test('lines are added once, wherever the process was killed', async () => {
  const file = newFile('a.csv');
  writeFileSync(file, 'h\n1\n');
  writeFileSync(addedLines(file), 'h\n2\n3\n');
  for (const _ of ['first', 'second']) await addLines(file, 'batch_a', 'h\n');
  assert.equal(textOf(file), 'h\n1\n2\n3\n');
  // Killed while appending: the mark records where the new lines start.
  await withdrawLines(file, 'batch_a');
  for (const size of [7, 5, 4]) {
    truncateSync(file, size);
    await addLines(file, 'batch_a', 'h\n');
    assert.equal(textOf(file), 'h\n1\n2\n3\n');
    await withdrawLines(file, 'batch_a');
  }
  await addLines(file, 'batch_a', 'h\n');
  writeFileSync(file, 'h\n1\n2\n3\n4\n');
  await assert.rejects(withdrawLines(file, 'batch_a'), /lines after this run’s/);
});
