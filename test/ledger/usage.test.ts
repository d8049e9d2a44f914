import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import Sqlite, { type Database } from 'better-sqlite3';
import { migrate } from '../../lib/ledger/sqlite/ledger-schema.js';
import { usagePage } from '../../lib/ledger/sqlite/usage.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

function history(rows: number): Database {
  const db = new Sqlite(path.join(folder, 'history.db'));
  migrate(db, 0);
  db.prepare(
    `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
     INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, job_id)
     SELECT printf('r%08d', n), 'local', n / 3, n / 3, iif(n % 1000 = 0, 'maps/photos', 'maps/place'),
            iif(n % 7 = 0, 'pending', 'ok'), 0, iif(n % 500 = 0, 'job_1', NULL) FROM count`,
  ).run(rows);
  return db;
}

describe('a long history', () => {
  const db = history(100_000);
  after(() => db.close());
  // How SQLite goes about it, which says more than a stopwatch on a busy machine.
  const plan = (sql: string) =>
    db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');

  test('is turned page by page, with nothing sorted but calls of one moment, with every filter', () => {
    const order = 'ORDER BY created_at DESC, length(id) DESC, id DESC LIMIT 100';
    const ended = `SELECT id, credits_charged FROM usage WHERE status <> 'pending'`;
    const conditions = [
      '',
      'AND (created_at, length(id), id) < (500, 1, 7)',
      'AND created_at >= 5 AND created_at < 900',
      `AND endpoint = 'maps/photos'`,
      `AND endpoint = 'maps/photos' AND (created_at, length(id), id) < (500, 1, 7)`,
    ];
    for (const condition of conditions) {
      const how = plan(`${ended} AND account = 'local' ${condition} ${order}`);
      assert.match(how, /^SEARCH usage USING PRIMARY KEY/, condition);
      assert.doesNotMatch(how, /TEMP B-TREE(?! FOR LAST)/, condition);
    }
    const job = plan(
      `${ended} AND +account = 'local' AND job_id = 'job_1' ORDER BY length(id), id LIMIT 100`,
    );
    assert.match(job, /^SEARCH usage USING INDEX usage_of_job/);
    assert.doesNotMatch(job, /TEMP B-TREE/);
  });

  test('gives its deepest page as fast as its first', () => {
    const first = usagePage(db, 'local', { limit: 100 });
    assert.equal(first.rows[0]?.id, 'r00100000');
    const deep = usagePage(db, 'local', { limit: 100, before: 'r00000050' });
    assert.equal(deep.rows.length, 42);
    assert.equal(deep.next, null);
    const few = usagePage(db, 'local', { limit: 100, endpoint: 'maps/photos', before: 'r00050000' });
    assert.equal(few.rows.length, 42);
    const job = usagePage(db, 'local', { limit: 100, job: 'job_1' });
    assert.equal(job.rows.length, 100);
  });
});
