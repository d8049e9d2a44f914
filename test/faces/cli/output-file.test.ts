import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleDataOf } from '../../../lib/samples.js';
import { duckdb } from '../../files/result-files/harness.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { aHarbour, inventedRows, scripted } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(folder, name);
const textOf = (name: string) => readFileSync(fileOf(name), 'utf8');
const reviews = (await sampleDataOf({ path: 'maps/reviews' })) as unknown[];
const ask = (...more: string[]) => extract(argv`maps reviews ChIJtjc9rEc1bkcRzq9EdYiTlqE --demo ${more}`);

describe('a list command with -o FILE', () => {
  test('writes the kind that the name says, and nothing to stdout', async () => {
    for (const ending of ['ndjson', 'jsonl', 'json', 'csv', 'tsv', 'xlsx', 'sqlite', 'parquet'])
      assert.equal(assertExit(await ask('-o', fileOf(`a.${ending}`)), 0).out, '');
    const items = JSON.parse(textOf('a.json')) as unknown[];
    assert.equal(items.length, reviews.length);
    for (const name of ['a.ndjson', 'a.jsonl']) assert.deepEqual(ndjsonValues(textOf(name)), items);
    assert.match(textOf('a.csv'), /^rating,text,language,/);
    assert.match(textOf('a.tsv'), /^rating\ttext\tlanguage\t/);
    const { sheets } = await readXlsx(readFileSync(fileOf('a.xlsx')));
    const names = sheets.map(({ name }) => name);
    assert.deepEqual(names, ['Results', 'Runs'], 'a single call has no other inputs that fail');
    assert.equal(sheets[0]?.rows.length, reviews.length + 1);
    assert.deepEqual(sheets[1]?.rows.at(-1)?.[1], reviews.length);
    const [run] = queryFile(fileOf('a.sqlite'), 'SELECT given, ended, routes FROM extract_coverage');
    assert.equal(run?.given, reviews.length);
    assert.match(String(run?.routes), /^review-list: answered/);
    assert.equal(queryFile(fileOf('a.sqlite'), 'SELECT * FROM maps_reviews').length, reviews.length);
    const rows = await duckdb(`SELECT rating FROM read_parquet('${fileOf('a.parquet')}')`);
    assert.equal(rows.length, reviews.length);
  });

  test('refuses an existing file before any request', async () => {
    const file = fileOf('there.csv');
    assertExit(await ask('-o', file), 0);
    const refused = assertExit(await ask('-o', file), 2, /exists: --overwrite replaces it/);
    assert.equal(refused.opened, undefined, 'no extractor was opened');
    assertExit(await ask('-o', file, '--overwrite'), 0);
  });

  test('never takes the place of a device, a pipe or a folder', {
    skip: process.platform === 'win32' ? 'there are no pipes in folders here' : false,
  }, async () => {
    execFileSync('mkfifo', [fileOf('pipe.csv')]);
    mkdirSync(fileOf('within'));
    for (const [name, said] of [
      ['pipe.csv', /pipe\.csv is a device or a pipe/],
      ['within', /within is a folder: choose a file in it/],
    ] as const)
      assert.equal(assertExit(await ask('-o', fileOf(name), '--overwrite'), 2, said).opened, undefined);
    assert.ok(lstatSync(fileOf('pipe.csv')).isFIFO());
  });

  test('adds to a database', async () => {
    const file = fileOf('added.sqlite');
    for (const _ of [1, 2]) assertExit(await ask('-o', file, '--append'), 0);
    assert.equal(queryFile(file, 'SELECT * FROM maps_reviews').length, reviews.length);
  });

  test('options that do not fit are refused', async () => {
    for (const more of [
      ['--overwrite'],
      ['--append'],
      argv`-o a.csv --json`,
      argv`-o a.csv --format table`,
      argv`-o a.xlsx --append`,
    ])
      assert.equal((await ask(...more)).status, 2, more.join(' '));
    assertExit(await ask('-o', fileOf('no/where.csv')), 2, /its folder does not exist/);
  });

  test('keeps the pages before a failed one, and says where to continue', async () => {
    const file = fileOf('pages.sqlite');
    const pageOf = (...names: string[]) => names.map((name) => aHarbour({ name }));
    const pages = [pageOf('a1', 'b1'), pageOf('a2', 'b2'), new ExtractError('platform_timeout')];
    const failing = { endpoints: inventedRows, extractor: scripted(pages) };
    const ran = await extract(argv`maps harbours x --all -o ${file}`, failing);
    assertExit(ran, 5, /4 items were returned before; continue with --cursor cursor-2/);
    const names = queryFile(file, 'SELECT name FROM maps_harbours ORDER BY position').map(({ name }) => name);
    assert.deepEqual(names, ['a1', 'b1', 'a2', 'b2']);
  });

  test('a call that fails leaves no file behind', async () => {
    const missing = scripted([new ExtractError('place_not_found')]);
    const before = readdirSync(folder);
    const args = argv`maps harbour x -o ${fileOf('none.xlsx')}`;
    assertExit(await extract(args, { endpoints: inventedRows, extractor: missing }), 4);
    assert.deepEqual(readdirSync(folder), before);
  });
});
