import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { openDatabase } from '../../lib/ledger/sqlite/ledger-file.js';
import { usagePage } from '../../lib/ledger/usage.js';
import type { UsageRow } from '../../lib/ledger/usage-row.js';
import type { CallsQuery } from '../../src/service/usage/usage-queries.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const day = 24 * 3_600_000;
const begin = Date.UTC(2026, 0, 1);
const db = await openDatabase(path.join(temporaryFolder(), 'ledger.db'), new FakeClock());
after(() => db.close());
const queries = queriesOn(db);

const insert = db.prepare(
  `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded, key_id, key_name)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
for (let n = 0; n < 300; n += 1) {
  const status = ['ok', 'failed', 'ok', 'pending', 'ok'][n % 5] ?? 'ok';
  const at = begin + Math.floor(n / 3) * (day / 8);
  const [endpoint, code] =
    n % 2 === 0 ? ['maps/place', 'platform_blocked'] : ['maps/photos', 'platform_timeout'];
  const key = n % 4 === 0 ? null : `key_${n % 4}`;
  insert.run(
    ...[`r${String(n).padStart(3, '0')}`, n % 7 === 0 ? 'other' : 'mine', at, at, endpoint, status],
    ...(status === 'failed' ? [code, 0, 3] : [null, 3, 0]),
    ...[key, key === null ? null : `name of ${key}`],
  );
}

db.exec(`INSERT INTO usage_sums SELECT account, created_at / ${day} * ${day}, endpoint, coalesce(key_id, ''), count(*),
  count(*) FILTER (WHERE status = 'failed'), sum(credits_charged) FROM usage WHERE status <> 'pending' GROUP BY 1, 2, 3, 4`);

/** All pages of a query, turned one by one. */
async function all(query: Partial<CallsQuery>, limit = 7): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for (let before: string | undefined; ; ) {
    const page = await usagePage(queries, 'mine', { ...query, limit, before });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    before = page.next;
  }
}

const every = await all({}, 100);

describe('the history of an account', () => {
  test('is filtered by everything together as by each alone, however its pages are cut', async () => {
    const one = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const query = fc.record({
      endpoint: one('maps/place', 'maps/photos', 'maps/none'),
      status: one('ok' as const, 'failed' as const),
      code: one('platform_blocked', 'platform_timeout', 'account_private'),
      key: one('key_1', 'key_2', 'key_none'),
      from: one(new Date(begin + 2 * day).toISOString()),
      to: one(new Date(begin + 9 * day).toISOString()),
    });
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 40 }), async (filters, limit) => {
        const expected = every.filter(
          (row) =>
            (filters.endpoint === undefined || row.endpoint === filters.endpoint) &&
            (filters.status === undefined || row.status === filters.status) &&
            (filters.code === undefined || row.error_code === filters.code) &&
            (filters.key === undefined || row.api_key?.id === filters.key) &&
            (filters.from === undefined || row.created_at >= filters.from) &&
            (filters.to === undefined || row.created_at < filters.to),
        );
        assert.deepEqual(await all(filters, limit), expected);
      }),
      { numRuns: 300, seed: 20260101 },
    );
  });

  test('survives the upgrade of a file of the first release, with today’s indexes', async () => {
    const file = path.join(temporaryFolder(), 'ledger.db');
    const database = await openDatabase(file, new FakeClock());
    const contentOf = (one: typeof db) => ({
      rows: one.prepare('SELECT * FROM usage ORDER BY id').all(),
      tables: one
        .prepare<[], { sql: string | null }>(`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`)
        .all()
        // SQLite quotes the name of a renamed table, and appends a column to the line of the last one.
        .map((row) => ({ ...row, sql: row.sql?.replaceAll('"', '').replaceAll(/\s+/g, ' ') })),
    });
    database.exec(`ATTACH '${db.name}' AS other; INSERT INTO usage SELECT * FROM other.usage; DETACH other`);
    const before = contentOf(database);
    assert.equal(before.rows.length, 300);
    // As the first release had it.
    database.exec(`ALTER TABLE usage DROP COLUMN duration_ms; DROP INDEX usage_of_job; DROP INDEX usage_pending;
      CREATE INDEX usage_of_job ON usage (job_id, created_at, id) WHERE job_id IS NOT NULL;
      CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending'`);
    database.exec(
      'ALTER TABLE balances RENAME TO accounts; ALTER TABLE schema_versions RENAME TO parts; DROP TABLE usage_days; DROP TABLE usage_sums; DROP TABLE key_months',
    );
    database.pragma('user_version = 5');
    database.close();
    const again = await openDatabase(file, new FakeClock());
    assert.deepEqual(contentOf(again), before);
    again.close();
  });
});
