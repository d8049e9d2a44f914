import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { addedLines, addLines, withdrawLines } from '../../../../src/files/batch-files/appended-output.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const demo = argv`batch shortvideo/profile - --demo --append`;
const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

describe('a batch that adds to a file of text', () => {
  for (const kind of ['ndjson', 'csv', 'tsv']) {
    test(`keeps the content of ${kind}, with a single header`, async () => {
      const file = path.join(temporaryFolder(), `profiles.${kind}`);
      assertExit(await extract([...demo, '-o', file], { stdin: 'nasa\n' }), 0);
      const before = readFileSync(file, 'utf8');
      assertExit(await extract([...demo, '-o', file], { stdin: 'esa\nnasa\n' }), 0);
      const after = readFileSync(file, 'utf8');
      assert.ok(after.startsWith(before));
      const parts = after.split(kind === 'ndjson' ? '{"input"' : `${linesOf(file)[0]}\n`);
      assert.equal(parts.length, kind === 'ndjson' ? 4 : 2);
      assertExit(await extract(argv`${demo} -o ${file} --resume`, { stdin: 'esa\nnasa\n' }), 0);
      assert.equal(readFileSync(file, 'utf8'), after);
    });
  }

  test('continues the tables of earlier releases, which named every column with a prefix', async () => {
    const file = path.join(temporaryFolder(), 'weekly.csv');
    const input = { stdin: 'username,Brand\nnasa,Space\n' };
    assert.equal((await extract([...demo, '-o', file], input)).status, 0);
    const before = readFileSync(file, 'utf8');
    const [head = ''] = linesOf(file);
    assert.match(head, /^input\.username,url,Brand,/);
    const earlier = head.replace('url,Brand,', 'input.url,own.Brand,');
    writeFileSync(file, before.replace(head, earlier));
    assertExit(await extract([...demo, '-o', file], input), 0);
    const after = readFileSync(file, 'utf8');
    assert.ok(after.startsWith(before.replace(head, earlier)));
    assert.deepEqual([after.split('nasa,,Space,').length, after.split('error.message').length], [3, 2]);
  });

  test('is refused before any request if the columns differ or the format cannot be appended to', async () => {
    const folder = temporaryFolder();
    const other = path.join(folder, 'other.csv');
    writeFileSync(other, 'name,town\nMira,Graz\n');
    const columns = await extract([...demo, '-o', other], { stdin: 'nasa\n' });
    assertExit(columns, 2, /other\.csv has other columns than these results/);
    const cut = path.join(folder, 'cut.ndjson');
    writeFileSync(cut, '{"input"');
    assert.match((await extract([...demo, '-o', cut], { stdin: 'nasa\n' })).err, /middle of a line/);
    for (const kind of ['xlsx', 'parquet', 'json']) {
      const { status, err } = await extract([...demo, '-o', path.join(folder, `a.${kind}`)], { stdin: '' });
      assert.equal(status, 2);
      assert.match(err, new RegExp(`Cannot append to ${kind}`));
    }
  });

  test('resumes after a kill in the middle of a line', async () => {
    const file = path.join(temporaryFolder(), 'killed.csv');
    await extract([...demo, '-o', file], { stdin: 'nasa\n' });
    const before = readFileSync(file, 'utf8');
    await extract([...demo, '-o', file], { stdin: 'esa\n' });
    const after = readFileSync(file, 'utf8');
    const mark = `${addedLines(file)}.added`;
    writeFileSync(mark, JSON.stringify({ ...JSON.parse(readFileSync(mark, 'utf8')), done: false }));
    truncateSync(file, Buffer.byteLength(before) + 5);
    assertExit(await extract(argv`${demo} -o ${file} --resume`, { stdin: 'esa\n' }), 0);
    assert.equal(readFileSync(file, 'utf8'), after);
  });

  test('of a single call appends its rows after the others', async () => {
    const file = path.join(temporaryFolder(), 'one.csv');
    const call = argv`shortvideo profile nasa --demo --append -o ${file}`;
    assert.equal((await extract(call)).status, 0);
    assert.equal((await extract(call)).status, 0);
    const text = readFileSync(file, 'utf8');
    const [head] = linesOf(file);
    assert.deepEqual([text.split(`${head}\n`).length, text.match(/^nasa,/gm)?.length], [2, 2]);
  });
});

test('lines are added once, wherever the process was killed', async () => {
  const file = path.join(temporaryFolder(), 'a.csv');
  writeFileSync(file, 'h\n1\n');
  writeFileSync(addedLines(file), 'h\n2\n3\n');
  await addLines(file, 'batch_a', 'h\n');
  await addLines(file, 'batch_a', 'h\n');
  assert.equal(readFileSync(file, 'utf8'), 'h\n1\n2\n3\n');
  // Killed while appending: the mark records where the new lines start.
  await withdrawLines(file, 'batch_a');
  for (const size of [7, 5, 4]) {
    truncateSync(file, size);
    await addLines(file, 'batch_a', 'h\n');
    assert.equal(readFileSync(file, 'utf8'), 'h\n1\n2\n3\n');
    await withdrawLines(file, 'batch_a');
  }
  await addLines(file, 'batch_a', 'h\n');
  writeFileSync(file, 'h\n1\n2\n3\n4\n');
  await assert.rejects(withdrawLines(file, 'batch_a'), /lines after this run’s/);
});
