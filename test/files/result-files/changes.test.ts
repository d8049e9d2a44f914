import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { endpoints } from '../../../lib/endpoints.js';
import { fieldsOf } from '../../../src/files/result-files/fields.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, duckdb, writeAnswers } from './harness.js';

const folder = temporaryFolder();

function endpointOf(name: string) {
  const found = endpoints.find(({ path: one }) => one === name);
  assert.ok(found);
  return found;
}
const profile = endpointOf('photosocial/profile');
const changed = { followers_count: [7, 8], biography: ['Boats & “quays”.', null] };

/** An object that changed, one that is given for the first time, and an input that failed. */
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
  test('is a column of JSON in a workbook', async () => {
    const file = path.join(folder, 'changes.xlsx');
    await writeAnswers(profile, 'xlsx', file, await answers(), { news: true });
    const [results, errors] = (await readXlsx(readFileSync(file))).sheets;
    assert.equal(results?.rows[0]?.at(-1), 'changed');
    const width = results?.rows[0]?.length ?? 0;
    const cells = results?.rows.slice(1).map((row) => row[width - 1] ?? null);
    assert.deepEqual([JSON.parse(String(cells?.[0])), cells?.[1]], [changed, null]);
    assert.equal(errors?.rows.length, 2);
  });

  test('is a column of JSON in Parquet', async () => {
    const file = path.join(folder, 'changes.parquet');
    await writeAnswers(profile, 'parquet', file, await answers(), { news: true });
    const rows = await duckdb(
      `SELECT username, changed, changed->>'$.biography[0]' AS before, error.code AS code FROM read_parquet('${file}')`,
    );
    assert.deepEqual(rows, [
      { username: 'a', changed, before: 'Boats & “quays”.', code: null },
      { username: 'b', changed: null, before: null, code: null },
      { username: null, changed: null, before: null, code: 'profile_not_found' },
    ]);
  });

  test('is a column of JSON in a database, of the last run that gave the object', async () => {
    const file = path.join(folder, 'changes.sqlite');
    const rows = () => {
      const db = new DatabaseSync(file, { readOnly: true });
      try {
        const found = db.prepare('SELECT username, changed FROM photosocial_profile ORDER BY 1').all();
        return found.map(({ username, changed: text }) => [username, JSON.parse(String(text))]);
      } finally {
        db.close();
      }
    };
    await writeAnswers(profile, 'sqlite', file, await answers(), { news: true });
    assert.deepEqual(rows(), [
      ['a', changed],
      ['b', null],
    ]);
    const later = { followers_count: [8, 9] };
    const [, second] = await answers();
    await writeAnswers(profile, 'sqlite', file, [{ ...second, input: {}, changed: later }], {
      append: true,
      news: true,
      id: 'run_2',
    });
    assert.deepEqual(rows(), [
      ['a', changed],
      ['b', later],
    ]);
  });

  test('has no column where none is told: other runs, and lists', async () => {
    const plain = path.join(folder, 'plain.parquet');
    await writeAnswers(profile, 'parquet', plain, await answers());
    const lists = endpointOf('photosocial/posts');
    const list = path.join(folder, 'list.parquet');
    await writeAnswers(lists, 'parquet', list, await answersOf(lists), { news: true });
    for (const file of [plain, list]) {
      const columns = await duckdb(`SELECT name FROM parquet_schema('${file}')`);
      assert.ok(!columns.some(({ name }) => name === 'changed'), file);
    }
  });

  test('is the name of no field', () => {
    for (const { path: name, returns } of endpoints) {
      assert.ok(!fieldsOf(returns).some((field) => field.name === 'changed'), name);
    }
  });
});
