import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { sampleDataOf } from '../../../lib/samples.js';
import { duckdb } from '../../files/result-files/harness.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { aHarbour, harbourMeta, inventedRows } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const reviews = (await sampleDataOf({ path: 'maps/reviews' })) as unknown[];
const ask = (...more: string[]) => extract(argv`maps reviews ChIJtjc9rEc1bkcRzq9EdYiTlqE --demo ${more}`);

describe('a list command with -o FILE', () => {
  test('writes the kind that the name says, and nothing to stdout', async () => {
    const file = (ending: string) => path.join(folder, `reviews.${ending}`);
    for (const ending of ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet']) {
      const { out } = assertExit(await ask('-o', file(ending)), 0);
      assert.equal(out, '');
    }
    assert.equal(readFileSync(file('ndjson'), 'utf8').trim().split('\n').length, reviews.length);
    assert.match(readFileSync(file('csv'), 'utf8'), /^rating,text,language,/);
    const { sheets } = await readXlsx(readFileSync(file('xlsx')));
    const names = sheets.map(({ name }) => name);
    assert.deepEqual(names, ['Results', 'Runs'], 'a single call has no other inputs that fail');
    assert.equal(sheets[0]?.rows.length, reviews.length + 1);
    assert.deepEqual(sheets[1]?.rows.at(-1)?.[1], reviews.length);
    const [run] = queryFile(file('sqlite'), 'SELECT given, ended, routes FROM extract_coverage');
    assert.equal(run?.given, reviews.length);
    assert.match(String(run?.routes), /^review-list: answered/);
    assert.equal(queryFile(file('sqlite'), 'SELECT * FROM maps_reviews').length, reviews.length);
    const rows = await duckdb(`SELECT rating FROM read_parquet('${file('parquet')}')`);
    assert.equal(rows.length, reviews.length);
  });

  test('writes JSON as one array, and TSV with tabs', async () => {
    const file = (ending: string) => path.join(folder, `kinds.${ending}`);
    for (const ending of ['json', 'tsv', 'jsonl']) assert.equal((await ask('-o', file(ending))).status, 0);
    const items = JSON.parse(readFileSync(file('json'), 'utf8')) as unknown[];
    assert.equal(items.length, reviews.length);
    assert.match(readFileSync(file('tsv'), 'utf8'), /^rating\ttext\tlanguage\t/);
    assert.deepEqual(ndjsonValues(readFileSync(file('jsonl'), 'utf8')), items);
  });

  test('refuses an existing file before any request', async () => {
    const file = path.join(folder, 'there.csv');
    assert.equal((await ask('-o', file)).status, 0);
    const refused = assertExit(await ask('-o', file), 2, /exists: --overwrite replaces it/);
    assert.equal(refused.opened, undefined, 'no extractor was opened');
    assert.equal((await ask('-o', file, '--overwrite')).status, 0);
  });

  test('never takes the place of a device, a pipe or a folder', {
    skip: process.platform === 'win32' ? 'there are no pipes in folders here' : false,
  }, async () => {
    const pipe = path.join(folder, 'pipe.csv');
    execFileSync('mkfifo', [pipe]);
    const refused = await ask('-o', pipe, '--overwrite');
    assert.deepEqual([refused.status, refused.opened], [2, undefined]);
    assert.match(refused.err, /pipe\.csv is a device or a pipe/);
    assert.ok(lstatSync(pipe).isFIFO());
    const within = path.join(folder, 'within');
    mkdirSync(within);
    assert.match((await ask('-o', within, '--overwrite')).err, /within is a folder: choose a file in it/);
  });

  test('adds to a database', async () => {
    const file = path.join(folder, 'added.sqlite');
    assert.equal((await ask('-o', file, '--append')).status, 0);
    assert.equal((await ask('-o', file, '--append')).status, 0);
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
    assertExit(await ask('-o', path.join(folder, 'no', 'where.csv')), 2, /its folder does not exist/);
  });

  test('keeps the pages before a failed one, and says where to continue', async () => {
    const file = path.join(folder, 'pages.sqlite');
    let calls = 0;
    const { status, err } = await extract(argv`maps harbours x --all -o ${file}`, {
      endpoints: inventedRows,
      extractor: {
        async answer() {
          calls += 1;
          if (calls === 3) throw new ExtractError('platform_timeout');
          const rows = [aHarbour({ name: `a${calls}` }), aHarbour({ name: `b${calls}` })];
          const meta = { ...harbourMeta, next_cursor: `cursor${calls}` };
          return { source: 'platform', json: JSON.stringify(rows), meta };
        },
      },
    });
    assert.notEqual(status, 0);
    assert.match(err, /4 items were returned before; continue with --cursor cursor2/);
    const names = queryFile(file, 'SELECT name FROM maps_harbours ORDER BY position').map(({ name }) => name);
    assert.deepEqual(names, ['a1', 'b1', 'a2', 'b2']);
  });

  test('a call that fails leaves no file behind', async () => {
    const file = path.join(folder, 'none.xlsx');
    const { status } = await extract(argv`maps harbour x -o ${file}`, {
      endpoints: inventedRows,
      extractor: {
        async answer() {
          throw new ExtractError('place_not_found');
        },
      },
    });
    assert.notEqual(status, 0);
    assert.equal(existsSync(file), false);
    const others = readdirSync(folder).filter((name) => name.endsWith('.new'));
    assert.deepEqual(others, []);
  });
});
