import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { inputParams } from '../../../src/files/result-files/result-file.js';
import { paramHeading } from '../../../src/files/result-files/result-headings.js';
import { openXlsxFile } from '../../../src/files/result-files/xlsx/xlsx-file.js';
import { select, valueAt } from '../../../src/output/selection.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, endpointOf, itemsOf, writeAnswers } from './harness.js';

const folder = temporaryFolder();

/** An endpoint with fields that are hard on a spreadsheet. */
const hard = {
  ...(endpoints[0] as Endpoint),
  path: 'maps/hard',
  many: false,
  params: { id: z.string() },
  returns: z.strictObject({
    id: z.string(),
    url: z.string().nullable(),
    at: z.iso.datetime().nullable(),
    count: z.int().nullable(),
    share: z.number().nullable(),
    is_on: z.boolean().nullable(),
    names: z.array(z.string()).nullable(),
  }),
} as unknown as Endpoint;

const row = {
  ...{ id: '7301234567890123456789', url: 'https://example.com/?a=1&b="2"', at: '2026-03-01T10:20:30Z' },
  ...{ count: 12, share: 0.25, is_on: true, names: ['a', 'b'] },
};

async function sheetsOf(file: string) {
  return (await readXlsx(readFileSync(file), { readStyles: true })).sheets;
}

describe('XLSX, read by hucre', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: a row an item, the errors on the second sheet`, async () => {
      const answers = await answersOf(endpoint);
      const file = path.join(folder, `${endpoint.name}.xlsx`);
      await writeAnswers(endpoint, 'xlsx', file, answers);

      const [results, errors, ...others] = await sheetsOf(file);
      const { columns } = select(endpoint.returns, endpoint.many, null);
      // People scroll: a parameter that no input gives has no column.
      const params = inputParams(endpoint).filter((name) =>
        answers.some(({ input }) => name in (input as object)),
      );
      const titles = [
        ...params.map((name) => paramHeading(endpoint, name)),
        ...columns.map(({ name }) => name),
      ];
      assert.deepEqual(results?.rows[0], titles);
      assert.equal(results?.freezePane?.rows, 1);
      const items = itemsOf(endpoint, answers);
      assert.equal(results?.rows.length, items.length + 1);
      for (const [at, item] of items.entries()) {
        const cells: readonly unknown[] = results?.rows[at + 1] ?? [];
        for (const [index, column] of columns.entries()) {
          const value = valueAt(item, column.path);
          const cell = cells[params.length + index] ?? null;
          if (column.isTime && value !== null) {
            assert.ok(cell instanceof Date, column.name);
            assert.ok(Math.abs(cell.getTime() - Date.parse(String(value))) < 1000, column.name);
          } else if (value !== null && typeof value === 'object') assert.equal(cell, JSON.stringify(value));
          else assert.equal(cell, value, column.name);
        }
      }
      assert.equal(errors?.name, 'Errors');
      assert.deepEqual(errors?.rows[1]?.slice(-2), ['place_not_found', 'None.']);
      assert.equal(others.length, 0);
      assert.deepEqual(
        readdirSync(folder).filter((name) => /\.(new|errors)$/.test(name)),
        [],
      );
    });
  }

  test('numeric parameters passed as text are numbers, and the columns are those of all inputs', async () => {
    const endpoint = endpointOf('maps/places');
    const [answer] = await answersOf(endpoint);
    assert.ok(answer);
    const file = path.join(folder, 'inputs.xlsx');
    const error = { code: 'invalid_parameter', message: 'No.' };
    await writeAnswers(endpoint, 'xlsx', file, [
      { ...answer, input: { query: '12', limit: '20' } },
      { input: 'no {"input"} at all', error },
      { input: { query: { language: 'no parameter' }, limit: 'many' }, error },
      { ...answer, input: { query: '}"\\', radius_m: 500 } },
    ]);
    const [results, errors] = await sheetsOf(file);
    const inputs = ['query', 'radius_m', 'limit'];
    assert.deepEqual(results?.rows[0]?.slice(0, 4), [...inputs, 'place_id']);
    const items = answer.data as unknown[];
    assert.deepEqual(results?.rows[1]?.slice(0, 3), ['12', null, 20]);
    assert.deepEqual(results?.rows[1 + items.length]?.slice(0, 3), ['}"\\', 500, null]);
    const cells = errors?.rows.map((one) => one.slice(0, 3));
    const strange = ['{"language":"no parameter"}', null, 'many'];
    assert.deepEqual(cells, [inputs, [null, null, null], strange]);
  });

  test('texts stay texts, whatever they look like, and links are links', async () => {
    const formulas = ['=1+1', '00123', '+49 30 1', '@a', '1e5', 'TRUE'];
    const texts = [...formulas, ' x ', 'a\u0001b\r\n_x0041_', '\ud800', '<&>"\''];
    const file = path.join(folder, 'hard.xlsx');
    await writeAnswers(hard, 'xlsx', file, [
      { input: { id: '=x' }, data: row },
      ...texts.map((id) => ({ input: { id }, data: { ...row, id, url: 'javascript:alert(1)', at: null } })),
    ]);
    const [results] = await sheetsOf(file);
    const [, first, ...rest] = results?.rows ?? [];
    const cells = [...(first ?? [])].map((cell) => (cell instanceof Date ? cell.toISOString() : cell));
    assert.deepEqual(cells, ['=x', row.id, row.url, '2026-03-01T10:20:30.000Z', 12, 0.25, true, '["a","b"]']);
    assert.equal(results?.cells?.get('1,2')?.hyperlink?.target, new URL(row.url).href);
    assert.equal(results?.cells?.get('2,2')?.hyperlink, undefined);
    const ids = rest.map((one) => one[1]);
    assert.deepEqual(
      ids,
      texts.map((one) => one.toWellFormed()),
    );
  });

  test('a text that no cell can hold is cut, and a sheet says so', async () => {
    const file = path.join(folder, 'long.xlsx');
    await writeAnswers(hard, 'xlsx', file, [
      { input: { id: 'a' }, data: { ...row, id: 'x'.repeat(40_000) } },
    ]);
    const sheets = await sheetsOf(file);
    assert.equal(String(sheets[0]?.rows[1]?.[1]).length, 32_767);
    assert.equal(sheets.at(-1)?.name, 'Notes');
    const note = String(sheets.at(-1)?.rows[1]?.[0]);
    assert.match(note, /texts cut at 32,767 characters, the limit of a cell: 1/);
  });

  test('a full sheet is followed by another, and links beyond its own limit are text', async () => {
    const file = path.join(folder, 'full.xlsx');
    const shape = { endpoint: hard, inputs: true };
    const writer = await openXlsxFile(file, shape, select(hard.returns, false, null), { rows: 4, links: 2 });
    const answer = { input: { id: 'a' }, index: 0, from: 0 };
    for (let at = 0; at < 8; at += 1) {
      await writer.add({ ...answer, items: [{ ...row, count: at }], error: null });
      await writer.add({ ...answer, items: [], error: { code: 'x', message: String(at) } });
    }
    await writer.end(true);
    const sheets = await sheetsOf(file);
    const sizes = sheets.map(({ name, rows }) => `${name}: ${rows.length}`);
    assert.deepEqual(sizes, ['Results: 4', 'Results 2: 4', 'Results 3: 3', 'Errors: 4', 'Notes: 4']);
    const counts = sheets.slice(0, 3).flatMap(({ rows }) => rows.slice(1).map((cells) => cells[4]));
    assert.deepEqual(counts, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(sheets.at(-1)?.rows.slice(1).flat(), [
      'Results: URLs without a link, because a sheet has at most 2: 1.',
      'Results 2: URLs without a link, because a sheet has at most 2: 1.',
      'Errors: results without a row, because the sheet is full; the NDJSON has all of them: 5.',
    ]);
  });
});
