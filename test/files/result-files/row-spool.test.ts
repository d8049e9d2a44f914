import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { RowSpool } from '../../../src/files/result-files/xlsx/row-spool.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('rows come back as they were from the file of many, whatever their texts hold', async () => {
  const spool = new RowSpool(path.join(temporaryFolder(), 'rows'));
  const texts = [
    '\u2028',
    '\u2029',
    '\u0085',
    '\r\n',
    '\r',
    '\v\f',
    '\ufeff',
    '\0',
    '🙂é'.repeat(400_000),
    '',
  ];
  const rows = texts.map((text, at) => [at, `a${text}b`, null]);
  for (const row of rows) await spool.add(row);
  const spooled: unknown[] = [];
  for await (const row of spool.rows()) spooled.push(row);
  await spool.close();
  assert.deepEqual(spooled, rows);
});
