// Files read by readers that share nothing with what wrote them: Arrow's Parquet (Rust), data frames, another XLSX reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';
import readWorkbook from 'read-excel-file/node';
import { endpoints } from '../../../lib/endpoints.js';
import { select, valueAt } from '../../../src/output/selection.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, type Item, itemsOf, writeAnswers } from './harness.js';

const folder = temporaryFolder();

/** A value of Arrow as JSON has it. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if (Symbol.iterator in value && !('toJSON' in value && !('length' in value))) {
    return [...(value as Iterable<unknown>)].map(plain);
  }
  const fields = 'toJSON' in value ? (value as { toJSON(): object }).toJSON() : value;
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, plain(inner)]));
}

/** Returns an expected value as Arrow represents it: times as milliseconds, and every field of an object present. */
function asExpected(value: unknown, expected: unknown): unknown {
  if (typeof expected === 'string' && typeof value === 'number') return Date.parse(expected);
  if (Array.isArray(expected))
    return expected.map((one, at) => asExpected((value as unknown[] | null)?.[at], one));
  if (expected === null || expected === undefined || typeof expected !== 'object') return expected ?? null;
  const names = new Set([...Object.keys(expected), ...Object.keys(value ?? {})]);
  const field = (one: unknown, name: string) => (one as Item | null)?.[name];
  return Object.fromEntries(
    [...names].map((name) => [name, asExpected(field(value, name), field(expected, name))]),
  );
}

/** The rows of a Parquet file, as Arrow reads them. */
function arrowRows(file: string): Item[] {
  const table = tableFromIPC(readParquet(readFileSync(file)).intoIPCStream());
  return table.toArray().map((row) => plain(row) as Item);
}

const profile = endpoints.find(({ path: name }) => name === 'photosocial/profile');
assert.ok(profile);

describe('Parquet, read by Arrow', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: each item with its nested values`, async () => {
      const answers = await answersOf(endpoint);
      const file = path.join(folder, `${endpoint.name}.parquet`);
      await writeAnswers(endpoint, 'parquet', file, answers, { groupRows: 3 });
      const items = itemsOf(endpoint, answers);
      const rows = arrowRows(file);
      assert.equal(rows.length, items.length + 1);
      for (const [at, item] of items.entries()) {
        const { input: _, error, ...row } = rows[at] as Item;
        assert.equal(error, null);
        assert.deepEqual(row, asExpected(row, item));
      }
      assert.deepEqual(rows.at(-1)?.error, { code: 'place_not_found', message: 'None.' });
    });
  }
});

describe('XLSX, read by another reader', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: titles, typed cells, and the errors on their sheet`, async () => {
      const answers = await answersOf(endpoint);
      const file = path.join(folder, `${endpoint.name}.xlsx`);
      await writeAnswers(endpoint, 'xlsx', file, answers);
      const sheets = await readWorkbook(readFileSync(file));
      const [results, errors] = sheets;
      const items = itemsOf(endpoint, answers);
      assert.equal(results?.data.length, items.length + 1);
      const titles = results?.data[0] ?? [];
      const { columns } = select(endpoint.returns, endpoint.many, null);
      for (const [at, item] of items.entries()) {
        for (const { name, path: way, isTime } of columns) {
          const value = valueAt(item, way) ?? null;
          const cell: unknown = results?.data[at + 1]?.[titles.indexOf(name)] ?? null;
          if (isTime && value !== null) {
            assert.ok(cell instanceof Date, name);
            assert.ok(Math.abs(cell.getTime() - Date.parse(String(value))) < 1000, name);
          } else if (value !== null && typeof value === 'object') {
            assert.deepEqual(JSON.parse(String(cell)), value, name);
          } else if (value === '') assert.ok(cell === '' || cell === null, name);
          else assert.equal(cell, value, name);
        }
      }
      assert.equal(errors?.sheet, 'Errors');
      assert.deepEqual(errors?.data[1]?.slice(-2), ['place_not_found', 'None.']);
    });
  }
});
