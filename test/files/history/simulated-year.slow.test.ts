import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { DatabaseMemory } from '../../../src/lines/memory/database-memory.js';
import { memorySchema } from '../../../src/lines/memory/memory-schema.js';
import { openHistoryFile } from '../../../src/lines/memory/sqlite/history-file.js';
import { openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type ChangeCounts, countMoves, findBreaks, movesOf, simulate } from './simulated-year.js';

const folder = temporaryFolder();
const weeks = { days: 40, accounts: 25, lists: 10 };
/** Each observation takes several ways to the database. */
const fewerWeeks = { days: 21, accounts: 10, lists: 8 };

function assertTold(
  { observations, ...expected }: ChangeCounts & { observations: number },
  counts: Readonly<Record<string, number>>,
  breaks: readonly unknown[],
): void {
  assert.ok(observations > 0);
  assert.deepEqual(counts, expected);
  assert.ok(expected.removed > 5 && expected.new > 20);
  assert.deepEqual(breaks, []);
}

test('weeks of readings, kills and clock changes: each change is reported once, and no existing item as removed', async () => {
  const file = path.join(folder, 'weeks.sqlite');
  const expected = await simulate({ ...weeks, open: () => openHistoryFile(file, systemClock, true) });
  assertTold(expected, movesOf(queryFile(file, countMoves)), queryFile(file, findBreaks));
});

test('the same in PostgreSQL', { skip: skipWithoutPostgres }, async (t) => {
  const { config, postgres, close } = await openTestDatabase([postgresSchema(memorySchema)]);
  t.after(close);
  const expected = await simulate({
    ...fewerWeeks,
    async open() {
      const opened = await Postgres.open(config, systemClock);
      return { history: new DatabaseMemory(opened, systemClock), close: () => opened.close() };
    },
  });
  const rows = (text: string) => postgres.read((queries) => queries.rows<Record<string, unknown>>(text));
  assertTold(expected, movesOf(await rows(countMoves)), await rows(findBreaks));
});
