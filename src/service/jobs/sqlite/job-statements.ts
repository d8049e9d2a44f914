import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { JobStatus } from '../job.js';
import type { JobRow } from '../job-row.js';

interface StoredAnswer {
  readonly digest: string;
  readonly job: string;
  readonly answer: string;
}

/** The prepared statements on the tables of jobs. */
export function jobStatements(db: Database) {
  return {
    insert: db.prepare<Record<string, string | number | null>>(
      `INSERT INTO jobs (id, account, key_id, key_name, endpoint, status, credits, total, created_at,
         webhook_url, webhook_state, webhook_id, schedule, name, input_bytes, line_options)
       VALUES (@id, @account, @keyId, @keyName, @endpoint, 'queued', @credits, @count, @now, @url, @state, @delivery, @schedule, @name, @inputBytes, @lineOptions)`,
    ),
    insertRequest: db.prepare<[string, string, string, string, string, number]>(
      `INSERT OR REPLACE INTO job_requests (account, key, digest, job, answer, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    request: db.prepare<[string, string, number], StoredAnswer>(
      'SELECT digest, job, answer FROM job_requests WHERE account = ? AND key = ? AND created_at > ?',
    ),
    forgetRequests: db.prepare<[number]>('DELETE FROM job_requests WHERE created_at <= ?'),
    ids: db.prepare<[string], string>('SELECT id FROM jobs WHERE account = ?').pluck(),
    deleteJobs: db.prepare<[string]>('DELETE FROM jobs WHERE account = ?'),
    deleteRequests: db.prepare<[string]>('DELETE FROM job_requests WHERE account = ?'),
    byId: db.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?'),
    list: db.prepare<Record<string, string | number | null>, JobRow>(
      `SELECT * FROM jobs WHERE account = @account AND id < @before
         AND (@platforms IS NULL OR substr(endpoint, 1, instr(endpoint, '/') - 1) IN (SELECT value FROM json_each(@platforms)))
         AND (@endpoint IS NULL OR endpoint = @endpoint) AND (@key IS NULL OR key_id = @key)
         AND (@from IS NULL OR created_at >= @from) AND (@to IS NULL OR created_at < @to)
         AND (@ended IS NULL OR (@ended = 'ok' AND completed > 0) OR (@ended = 'failed' AND failed > 0))
       ORDER BY id DESC LIMIT @limit`,
    ),
    unfinished: db.prepare<[], JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id'),
    oldest: db.prepare<[number], JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id LIMIT ?'),
    countUnfinished: db.prepare<[], { jobs: number; inputs: number }>(
      'SELECT count(*) AS jobs, coalesce(sum(total - completed - failed), 0) AS inputs FROM jobs WHERE lines < total',
    ),
    active: db.prepare<[string], JobRow>(
      `SELECT * FROM jobs WHERE account = ? AND status IN ('queued', 'running') ORDER BY id`,
    ),
    begin: db.prepare<[string]>(`UPDATE jobs SET status = 'running' WHERE id = ? AND status = 'queued'`),
    count: db.prepare<[number, number, number, string]>(
      `UPDATE jobs SET completed = completed + ?, failed = failed + ?, credits_refunded = credits_refunded + ?
       WHERE id = ?`,
    ),
    reach: db.prepare<[number, number, number, string]>(
      'UPDATE jobs SET lines = ?, bytes = ?, late_bytes = ? WHERE id = ?',
    ),
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
    compare: db.prepare<[string, string]>('UPDATE jobs SET comparison = ? WHERE id = ?'),
    forget: db.prepare<[string]>('UPDATE jobs SET deleted = 1 WHERE id = ?'),
  };
}
