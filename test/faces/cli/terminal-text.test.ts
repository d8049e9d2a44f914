import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wrapText } from '../../../src/faces/cli/terminal-text.js';

const stream = (columns: number | undefined) => ({
  isTTY: columns !== undefined,
  columns,
  write: async () => undefined,
});

describe('text that stands beside a head', () => {
  test('goes on below itself, where a line ends and where the terminal does', async () => {
    assert.equal(
      await wrapText('the ledger is undamaged\nnothing to do', stream(30), 6),
      'the ledger is undamaged\n      nothing to do',
    );
    assert.equal(
      await wrapText('the ledger is undamaged, so nothing needs doing', stream(30), 6),
      'the ledger is undamaged,\n      so nothing needs doing',
    );
  });

  test('is broken at its own lines alone where there is no terminal', async () => {
    assert.equal(await wrapText('one two\nthree', stream(undefined), 4), 'one two\n    three');
  });
});
