import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { JobStatus } from '../job.js';
import type { JobRow } from '../job-row.js';

/** The prepared statements of the runner on the table of jobs. */
export function jobStatements(db: Database) {
  return {
    byId: db.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?'),
    unfinished: db.prepare<[], JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id'),
    begin: db.prepare<[string]>(`UPDATE jobs SET status = 'running' WHERE id = ? AND status = 'queued'`),
    count: db.prepare<[number, number, number, string]>(
      `UPDATE jobs SET completed = completed + ?, failed = failed + ?, credits_refunded = credits_refunded + ?
       WHERE id = ?`,
    ),
    reach: db.prepare<[number, number, number, string]>(
      'UPDATE jobs SET lines = ?, bytes = ?, late_bytes = ? WHERE id = ?',
    ),
    countArchive: db.prepare<[number, string]>('UPDATE jobs SET archive_bytes = ? WHERE id = ?'),
    finish: db.prepare<[JobStatus, number, string]>(
      'UPDATE jobs SET status = ?, finished_at = ? WHERE id = ?',
    ),
    beginDelivery: db.prepare<[number, string]>(
      'UPDATE jobs SET webhook_due = ? WHERE id = ? AND webhook_url IS NOT NULL',
    ),
    expired: db
      .prepare<[number], string>(
        'SELECT id FROM jobs WHERE finished_at <= ? AND deleted = 0 AND lines = total',
      )
      .pluck(),
    forget: db.prepare<[string]>('UPDATE jobs SET deleted = 1 WHERE id = ?'),
  };
}
