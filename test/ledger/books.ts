import assert from 'node:assert/strict';
import Sqlite, { type Database } from 'better-sqlite3';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';

/** Looks into a ledger's file from outside, as another program would. */
export function inspect<T>(file: string, read: (db: Database) => T): T {
  const db = new Sqlite(file, { timeout: 5000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/**
 * Asserts that the books balance, and that failed calls, and only those, were refunded in full and once. The exception
 * is a sample in a job, whose price was reserved with the rest. Each key's monthly usage is the sum of its rows'
 * charges.
 */
export function assertSound(file: string): void {
  inspect(file, (db) => {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(imbalances(db), []);
    const wrong = db.prepare(
      `SELECT * FROM usage WHERE (status = 'failed' AND (credits_charged <> 0 OR cached = 1))
        OR (status <> 'failed' AND error_code IS NOT NULL)
        OR (status <> 'failed' AND credits_refunded <> 0
          AND (job_id IS NULL OR status <> 'ok' OR credits_charged <> 0 OR cached = 1))
        OR (status = 'pending') <> (owner IS NOT NULL)`,
    );
    assert.deepEqual(wrong.all(), []);
    // Archived calls no longer record when they were charged.
    if (db.prepare('SELECT 1 FROM usage_days LIMIT 1').get() !== undefined) return;
    const months = `SELECT key_id, strftime('%Y-%m', charged_at / 1000, 'unixepoch') AS month, sum(credits_charged) AS credits
      FROM usage WHERE key_id IS NOT NULL GROUP BY key_id, month HAVING sum(credits_charged) > 0 ORDER BY key_id, month`;
    const counted = 'SELECT key_id, month, credits FROM key_months WHERE credits > 0 ORDER BY key_id, month';
    assert.deepEqual(db.prepare(counted).all(), db.prepare(months).all());
  });
}

/** Calls that have not ended. */
export function pendingIds(file: string): string[] {
  return inspect(file, (db) =>
    db.prepare<[], string>(`SELECT id FROM usage WHERE status = 'pending' ORDER BY id`).pluck().all(),
  );
}
