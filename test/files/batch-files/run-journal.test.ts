import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openJournal } from '../../../src/files/batch-files/run-journal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('a journal returns every entry before the current input, whatever its texts contain', async () => {
  const file = path.join(temporaryFolder(), 'journal');
  const entries = [
    { index: 0, texts: ['one\u2028line', 'a\r\nb\u0085'] },
    { index: 2, texts: ['two'] },
  ];
  const journal = await openJournal(file, 0, () => assert.fail());
  for (const entry of entries) await journal.add(entry);
  await journal.close();
  const content = readFileSync(file);
  appendFileSync(file, '{"index":3,"te');
  const stored: unknown[] = [];
  const resumed = await openJournal(file, 3, (entry) => stored.push(entry));
  await resumed.close();
  assert.deepEqual(stored, entries);
  assert.deepEqual(readFileSync(file), content);
});
