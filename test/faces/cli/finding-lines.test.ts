import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { findingLines } from '../../../src/faces/cli/finding-lines.js';
import { failed, ok } from '../../../src/faces/doctor/finding.js';

const findings = [
  ok('native module', 'SQLite 3.54.1'),
  ok('data directory', '/tmp/home is made by the first call'),
  failed('maps', 'Cannot resolve maps.example (ENOTFOUND).', 'Check your connection or DNS.'),
];

const lines = (columns: number | undefined, color = false) =>
  findingLines(findings, { isTTY: columns !== undefined, columns, write: async () => undefined }, color);

describe('the findings of the doctor', () => {
  test('stand beside the names of their checks where there is room', async () => {
    assert.equal(
      await lines(80),
      `ok       native module   SQLite 3.54.1
ok       data directory  /tmp/home is made by the first call
failed   maps            Cannot resolve maps.example (ENOTFOUND).
                         Check your connection or DNS.
2 ok, 1 failed
`,
    );
    assert.equal(await lines(undefined), await lines(80));
  });

  test('follow the names of their checks on a narrow terminal, and no line is broken within a word', async () => {
    assert.equal(
      await lines(40),
      `ok       native module: SQLite 3.54.1
ok       data directory: /tmp/home is
         made by the first call
failed   maps: Cannot resolve
         maps.example (ENOTFOUND).
         Check your connection or DNS.
2 ok, 1 failed
`,
    );
    for (const columns of [20, 30, 40, 60, 66, 80, 120])
      for (const line of stripVTControlCharacters(await lines(columns, true)).split('\n'))
        assert.ok(line.length <= Math.max(columns, 29), `${columns}: ${line}`);
  });
});
