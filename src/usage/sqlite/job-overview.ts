import type { Database } from 'better-sqlite3';
import { type JobRow, shownJob } from '../../jobs/sqlite/job-row.js';
import type { JobLine } from '../usage-queries.js';

/** Jobs of all accounts with lines to be written, for the operator. */
export class JobOverview {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = {
      first: db.prepare<[number], JobRow & { readonly email: string | null }>(
        `SELECT jobs.*, email FROM jobs LEFT JOIN holders USING (account) WHERE lines < total ORDER BY id LIMIT ?`,
      ),
      count: db.prepare<[], number>('SELECT count(*) FROM jobs WHERE lines < total').pluck(),
    };
  }

  count(): number {
    return this.#sql.count.get() ?? 0;
  }

  /** The first of them, oldest first. */
  first(limit: number): readonly JobLine[] {
    return this.#sql.first
      .all(limit)
      .map(({ email, ...row }) => ({ job: shownJob(row), account: row.account, email }));
  }
}
