import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { simulate } from './simulated-year.js';

const folder = temporaryFolder();

test('weeks of readings, kills and a clock that is set: each move is told once, and nothing is removed that is there', async () => {
  const file = path.join(folder, 'weeks.sqlite');
  const { observations, ...expected } = await simulate({ file, days: 40, accounts: 25, lists: 10 });
  assert.equal(observations, 40 * (25 + 4 * 10));
  const db = new DatabaseSync(file, { readOnly: true });
  const told = Object.fromEntries(
    db
      .prepare("SELECT event, count(*) AS count FROM changes WHERE event <> 'first' GROUP BY event")
      .all()
      .map(({ event, count }) => [event, count]),
  );
  assert.deepEqual(told, { ...expected });
  assert.ok(expected.removed > 5 && expected.new > 20);
  const breaks = db
    .prepare(
      `SELECT * FROM (SELECT before, lag(after) OVER (PARTITION BY id, field ORDER BY number) AS held FROM changes
       WHERE event = 'changed') WHERE held IS NOT NULL AND held <> before`,
    )
    .all();
  assert.deepEqual(breaks, []);
  db.close();
});
