import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openJournal } from '../../../src/files/batch-files/run-journal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('a journal gives back every entry before the line reached, whatever its texts hold', async () => {
  const file = path.join(temporaryFolder(), 'journal');
  const journal = await openJournal(file, 0);
  await journal.add({ index: 0, texts: ['one\u2028line', 'a\r\nb\u0085'] });
  await journal.add({ index: 2, texts: ['two'] });
  await journal.close();
  const before = readFileSync(file);
  const resumed = await openJournal(file, 3);
  assert.deepEqual(
    resumed.known.flatMap(({ texts }) => texts),
    ['one\u2028line', 'a\r\nb\u0085', 'two'],
  );
  await resumed.close();
  assert.deepEqual(readFileSync(file), before);
});
