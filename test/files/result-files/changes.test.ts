import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { csvLines } from '../../../src/files/result-files/csv-lines.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, duckdb, endpointOf, writeAnswers } from './harness.js';

const folder = temporaryFolder();

const profile = endpointOf('photosocial/profile');
const changed = { followers_count: [7, 8], biography: ['Boats & “quays”.', null] };

/** An object that changed, one that is new, and an input that failed. */
async function answers() {
  const [first] = await answersOf(profile);
  const data = first?.data as Readonly<Record<string, unknown>>;
  return [
    { input: { username: 'a' }, data: { ...data, username: 'a' }, changed },
    { input: { username: 'b' }, data: { ...data, username: 'b' } },
    { input: { username: 'c' }, error: { code: 'profile_not_found', message: 'None.' } },
  ];
}

describe('what changed of an object', () => {
  test('has a row for each field in a workbook', async () => {
    const file = path.join(folder, 'changes.xlsx');
    await writeAnswers(profile, 'xlsx', file, await answers(), { onlyNew: true });
    const [results, errors] = (await readXlsx(readFileSync(file))).sheets;
    const head = results?.rows[0] ?? [];
    assert.deepEqual(head.slice(-3), ['changed', 'before', 'after']);
    const username = head.indexOf('username');
    const columns = [username, ...[3, 2, 1].map((fromEnd) => head.length - fromEnd)];
    const cells = results?.rows.slice(1).map((row) => columns.map((at) => row[at] ?? null));
    assert.deepEqual(cells, [
      ['a', 'followers_count', 7, 8],
      ['a', 'biography', 'Boats & “quays”.', null],
      ['b', null, null, null],
    ]);
    assert.equal(errors?.rows.length, 2);
  });

  test('has a row for each field in Parquet, the values as texts', async () => {
    const file = path.join(folder, 'changes.parquet');
    await writeAnswers(profile, 'parquet', file, await answers(), { onlyNew: true });
    const rows = await duckdb(
      `SELECT username, changed, before, after, error.code AS code FROM read_parquet('${file}')`,
    );
    assert.deepEqual(rows, [
      { username: 'a', changed: 'followers_count', before: '7', after: '8', code: null },
      { username: 'a', changed: 'biography', before: 'Boats & “quays”.', after: null, code: null },
      { username: 'b', changed: null, before: null, after: null, code: null },
      { username: null, changed: null, before: null, after: null, code: 'profile_not_found' },
    ]);
  });

  test('has a row for each field in CSV', async () => {
    const csv = csvLines(profile, { onlyNew: true });
    const data = { username: 'a' };
    const answer = { input: { username: 'a' }, index: 0, from: 0, error: null };
    const lines = csv.text(csv.rows({ ...answer, items: [data], changed })).split('\n');
    assert.match(csv.head, /,changed,before,after,error\.code,error\.message\n$/);
    assert.match(lines[0] ?? '', /,followers_count,7,8,,$/);
    assert.match(lines[1] ?? '', /,biography,Boats & “quays”\.,,,$/);
    assert.match(csv.text(csv.rows({ ...answer, items: [data] })), /,,,,,\n$/);
  });

  test('has a row for each field in a table of a database, of the last run that gave the object', async () => {
    const file = path.join(folder, 'changes.sqlite');
    const query =
      'SELECT username, changed, before, after FROM photosocial_profile_changed ORDER BY 1, position';
    const rows = () => queryFile(file, query).map((row) => Object.values(row));
    await writeAnswers(profile, 'sqlite', file, await answers(), { onlyNew: true });
    const first = [
      ['a', 'followers_count', '7', '8'],
      ['a', 'biography', 'Boats & “quays”.', null],
    ];
    assert.deepEqual(rows(), first);
    const [, second] = await answers();
    for (const [id, later] of [
      ['run_2', { followers_count: [8, 9], is_verified: [false, true] }],
      ['run_3', { followers_count: [9, 10] }],
    ] as const) {
      const more = { append: true, onlyNew: true, id };
      await writeAnswers(profile, 'sqlite', file, [{ ...second, input: {}, changed: later }], more);
    }
    assert.deepEqual(rows(), [...first, ['b', 'followers_count', '9', '10']]);
  });
});
