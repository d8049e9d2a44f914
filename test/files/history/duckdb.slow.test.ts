import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../../../lib/runtime/clock.js';
import { fileScope, openHistoryFile } from '../../../src/lines/memory/sqlite/history-file.js';
import { argv, extract } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { anAccount, aPostList, day } from './observations.js';

const folder = temporaryFolder();
const guide = readFileSync(new URL('../../../docs/history.md', import.meta.url), 'utf8');
const queries = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);

test('the queries of the guide return the content of a history', async () => {
  const file = path.join(folder, 'history.sqlite');
  const { history, close } = await openHistoryFile(file, systemClock, true);
  for (let at = 0; at < 9; at += 1) {
    const more = { at: at * day, isWhole: true };
    const ids = at < 5 ? ['b', 'a'] : ['c', 'b'];
    await history.record(fileScope, `run-${at}`, [
      anAccount(
        'mira',
        { followers_count: 100 + 10 * at, biography: at < 8 ? 'Boats' : 'Boats, bread' },
        more,
      ),
      aPostList('tom', ids, more),
    ]);
  }
  await close();
  const { out } = await extract(argv`history ${file} --format csv`);
  writeFileSync(path.join(folder, 'changes.csv'), out);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const answers = [];
    for (const query of queries) {
      const here = query.replaceAll('changes.csv', path.join(folder, 'changes.csv'));
      answers.push((await connection.runAndReadAll(here)).getRowsJson());
    }
    const [growth, days, weeks, lives, texts] = answers;
    assert.equal(answers.length, 5);
    assert.deepEqual(growth, [['mira', 'followers_count', 80]]);
    assert.deepEqual(days?.at(-1), ['mira', '2026-01-09', 180]);
    assert.deepEqual(weeks, [['tom', '2026-01-05 00:00:00', '1', '1']]);
    assert.deepEqual(lives, [['tom', 'a', '5']]);
    assert.deepEqual(
      texts?.map((row) => row.slice(3)),
      [['biography', 'Boats', 'Boats, bread']],
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});
