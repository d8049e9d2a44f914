import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import type * as z from 'zod';
import { endpoints } from '../../../lib/endpoints.js';
import { kindOf } from '../../../lib/params/describe.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import { type Field, fieldsOf } from '../../../src/files/result-files/fields.js';
import { inputParams } from '../../../src/files/result-files/result-file.js';
import { openParquetTable } from '../../../src/files/result-files/tables/parquet-table.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, duckdb, endpointOf, type Item, itemsOf, writeAnswers } from './harness.js';

const folder = temporaryFolder();

/** A value as DuckDB writes it into JSON: moments are without a zone there. */
function asRead(value: unknown, shape: Field['shape']): unknown {
  if (value === null || value === undefined) return null;
  if (shape.kind === 'list') return (value as unknown[]).map((one) => asRead(one, shape.of));
  if (shape.kind === 'object') return rowAsRead(value as Item, shape.fields);
  if (shape.type !== 'time') return value;
  return new Date(value as string).getTime();
}

const rowAsRead = (item: Item, fields: readonly Field[]): Item =>
  Object.fromEntries(fields.map(({ name, shape }) => [name, asRead(item[name], shape)]));

/** The same of what was read. */
function timesAsNumbers(value: unknown, shape: Field['shape']): unknown {
  if (value === null) return null;
  if (shape.kind === 'list') return (value as unknown[]).map((one) => timesAsNumbers(one, shape.of));
  if (shape.kind === 'object') {
    return Object.fromEntries(
      shape.fields.map(({ name, shape: one }) => [name, timesAsNumbers((value as Item)[name], one)]),
    );
  }
  return shape.type === 'time'
    ? new Date(`${String(value).replace(' ', 'T').replace(/\+00$/, '')}Z`).getTime()
    : value;
}

const typeNames = { integer: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN', string: 'VARCHAR' };

describe('Parquet, read by DuckDB', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: each item as it was, nested values and all`, async () => {
      const answers = await answersOf(endpoint);
      const file = path.join(folder, `${endpoint.name}.parquet`);
      await writeAnswers(endpoint, 'parquet', file, answers, { groupRows: 3 });

      const fields = fieldsOf(endpoint.returns);
      const items = itemsOf(endpoint, answers);
      assert.ok(items.length > 0);
      const rows = await duckdb(`SELECT * FROM read_parquet('${file}')`);
      const shape = { kind: 'object', fields } as const;
      const asRead = rows.slice(0, -1).map((row) => timesAsNumbers(row, shape));
      const expected = items.map((item) => rowAsRead(item, fields));
      assert.deepEqual(asRead, expected);
      assert.deepEqual(rows.at(-1)?.error, { code: 'place_not_found', message: 'None.' });
      assert.ok(rows.slice(0, -1).every(({ error }) => error === null));

      const params = inputParams(endpoint);
      const types = params.map((name) => `typeof(input."${name}") AS "${name}"`);
      assert.deepEqual(
        (await duckdb(`SELECT ${types.join(', ')} FROM read_parquet('${file}') LIMIT 1`))[0],
        Object.fromEntries(
          params.map((name) => [name, typeNames[kindOf(endpoint.params[name] as z.ZodType).type]]),
        ),
      );
    });
  }

  test('parameters passed as text get their type, and invalid ones are left to the error', async () => {
    const endpoint = endpointOf('maps/places');
    const [answer] = await answersOf(endpoint);
    assert.ok(answer);
    const message = 'Line 3: The parameter limit must be a whole number.';
    const error = { code: 'invalid_parameter', message };
    const file = path.join(folder, 'inputs.parquet');
    await writeAnswers(endpoint, 'parquet', file, [
      { ...answer, input: { query: '12', lat: '47.5', limit: '20' } },
      { ...answer, input: { query: 'cafe', lat: -9, limit: 5 } },
      ...['many', '1.5', '9'.repeat(30), [5]].map((limit) => ({ input: { query: 'cafe', limit }, error })),
    ]);
    const rows = await duckdb(
      `SELECT DISTINCT input."query" AS query, input.lat AS lat, input."limit" AS "limit" FROM read_parquet('${file}') ORDER BY 3`,
    );
    assert.deepEqual(rows, [
      { query: 'cafe', lat: -9, limit: 5 },
      { query: '12', lat: 47.5, limit: 20 },
      { query: 'cafe', lat: null, limit: null },
    ]);
  });

  test('the rows of a group are bounded', async () => {
    const endpoint = endpointOf('photosocial/profile');
    const [answer] = await answersOf(endpoint);
    assert.ok(answer);
    const file = path.join(folder, 'groups.parquet');
    await writeAnswers(endpoint, 'parquet', file, Array(25).fill(answer), { groupRows: 10 });
    const groups = await duckdb(
      `SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata('${file}') ORDER BY 1`,
    );
    const sizes = groups.map(({ row_group_num_rows: rows }) => rows);
    assert.deepEqual(sizes, [10, 10, 5]);
  });
});

describe('a damaged Parquet file', () => {
  const endpoint = endpointOf('shortvideo/videos');

  /** Writes a file of results, changed by `damage`. */
  async function damagedFile(damage: (bytes: Buffer) => void): Promise<string> {
    const file = path.join(folder, 'damaged.parquet');
    await writeAnswers(endpoint, 'parquet', file, await answersOf(endpoint), { groupRows: 3 });
    const bytes = readFileSync(file);
    damage(bytes);
    writeFileSync(file, bytes);
    return file;
  }

  /** Makes a page say that a value is repeated two thousand million times. */
  function repeatWithoutEnd(bytes: Buffer): void {
    const { row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
    const page = Number(groups[0]?.columns[0]?.meta_data?.data_page_offset);
    const endOfHeader = Buffer.from([0x15, 0, 0, 0]);
    const levels = bytes.indexOf(endOfHeader, page) + endOfHeader.length;
    Buffer.from([0xfe, 0xff, 0xff, 0xff, 0x0f]).copy(bytes, levels);
  }

  test('is refused if it names a column that its schema does not have', async () => {
    // The last mention of a name is in the description of the rows, after the schema.
    const file = await damagedFile((bytes) => {
      bytes[bytes.lastIndexOf('play_url')] = 'x'.charCodeAt(0);
    });
    const { signal } = new AbortController();
    const opening = openParquetTable(file, endpoint, { signal, clock: systemClock });
    await assert.rejects(opening, /its columns do not match its schema/);
  });

  test('is left alone on an interruption, even in the middle of a page', async () => {
    const file = await damagedFile(repeatWithoutEnd);
    const ending = new AbortController();
    const clock: Clock = {
      ...systemClock,
      alarm(ms, onAlarm) {
        setImmediate(() => ending.abort(new Error('interrupted')));
        return systemClock.alarm(ms, onAlarm);
      },
    };
    await assert.rejects(openParquetTable(file, endpoint, { signal: ending.signal, clock }), /interrupted/);
  });

  test('is refused if a part of it takes too long', async () => {
    const file = await damagedFile(repeatWithoutEnd);
    const { signal } = new AbortController();
    const clock: Clock = {
      ...systemClock,
      alarm(_, onAlarm) {
        setImmediate(onAlarm);
        return () => undefined;
      },
    };
    const opening = openParquetTable(file, endpoint, { signal, clock });
    await assert.rejects(opening, /takes longer than five minutes/);
  });
});
