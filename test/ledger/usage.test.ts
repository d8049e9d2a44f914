import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import Sqlite, { type Database } from 'better-sqlite3';
import type { Queries } from '../../lib/database/queries.js';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { migrate } from '../../lib/ledger/sqlite/migrate-ledger.js';
import { usagePage } from '../../lib/ledger/usage.js';
import type { CallsQuery } from '../../src/service/usage/usage-queries.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();

async function history(rows: number): Promise<Database> {
  const db = new Sqlite(path.join(folder, 'history.db'));
  await migrate(db, 0);
  db.prepare(
    `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
     INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, job_id)
     SELECT printf('r%08d', n), 'local', n / 3, n / 3, iif(n % 1000 = 0, 'maps/photos', 'maps/place'),
            iif(n % 7 = 0, 'pending', 'ok'), 0, iif(n % 500 = 0, 'job_1', NULL) FROM count`,
  ).run(rows);
  db.exec(`INSERT INTO usage_sums SELECT account, 0, endpoint, '', count(*), 0, 0
    FROM usage WHERE status <> 'pending' GROUP BY account, endpoint`);
  return db;
}

describe('a long history', async () => {
  const db = await history(100_000);
  after(() => db.close());
  const open = queriesOn(db);
  let plan = '';
  /** Remembers how SQLite goes about a statement, which says more than a stopwatch on a busy machine. */
  const queries: Queries = {
    ...open,
    async rows(statement, values) {
      const steps = await open.rows<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, values);
      plan = steps.map(({ detail }) => detail).join('; ');
      return open.rows(statement, values);
    },
  };
  const planOf = async (query: Partial<CallsQuery>) => {
    await usagePage(queries, 'local', { limit: 100, ...query });
    return plan;
  };

  test('is turned page by page, with nothing sorted but calls of one moment, with every filter', async () => {
    const pages: Partial<CallsQuery>[] = [
      {},
      { before: 'r00050000' },
      { from: '1970-01-01T00:00:05Z', to: '1970-01-01T00:00:09Z' },
      { endpoint: 'maps/photos' },
      { endpoint: 'maps/photos', before: 'r00050000', to: '1970-01-01T00:00:09Z' },
    ];
    for (const page of pages) {
      const how = await planOf(page);
      assert.match(how, /^SEARCH usage USING PRIMARY KEY \(account=\? AND /, JSON.stringify(page));
      assert.doesNotMatch(how, /TEMP B-TREE(?! FOR LAST)/, JSON.stringify(page));
    }
    for (const more of [
      {},
      { before: 'r00050000' },
      { endpoint: 'maps/photos', from: '1970-01-01T00:00:05Z' },
    ]) {
      const how = await planOf({ job: 'job_1', ...more });
      assert.match(how, /^SEARCH usage USING INDEX usage_of_job/, JSON.stringify(more));
      assert.doesNotMatch(how, /TEMP B-TREE/, JSON.stringify(more));
    }
  });
});
