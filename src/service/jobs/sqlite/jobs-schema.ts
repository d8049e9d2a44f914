import { sqliteDialect } from '../../../../lib/database/sqlite/dialect.js';
import type { SqliteSchema } from '../../../../lib/database/sqlite/migration.js';
import { alertClaims, scheduleAlertsTables } from '../schedules/alerts/alert-store.js';
import { scheduleRunsTable } from '../schedules/schedule-runs.js';
import { schedulesSchema } from '../schedules/schedules-schema.js';
import { webhookHost } from '../webhooks/due-turns.js';
import { webhooksSchema } from '../webhooks/webhooks-schema.js';

const { types } = sqliteDialect;

/** The tables of jobs in the first release (0.1.0), which had those of webhooks beside them. */
const releasedTables = `
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    key_id TEXT,
    key_name TEXT,
    endpoint TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'cancelled')),
    credits INTEGER NOT NULL,
    total INTEGER NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    credits_refunded INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    lines INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    late_bytes INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    webhook_url TEXT,
    webhook_state TEXT CHECK (webhook_state IN ('pending', 'delivered', 'failed')),
    webhook_id TEXT,
    webhook_tries INTEGER NOT NULL DEFAULT 0,
    webhook_due INTEGER,
    CHECK (completed + failed <= total),
    CHECK (lines <= completed + failed),
    CHECK (status <> 'done' OR lines = total)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_of_account ON jobs (account, id);
  CREATE INDEX jobs_unfinished ON jobs (id) WHERE lines < total;
  CREATE INDEX jobs_to_delete ON jobs (finished_at) WHERE deleted = 0;
  CREATE INDEX jobs_to_tell ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;

  CREATE TABLE job_inputs (
    job TEXT NOT NULL,
    place INTEGER NOT NULL,
    input TEXT NOT NULL,
    PRIMARY KEY (job, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_requests (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    job TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_requests_by_time ON job_requests (created_at);
`;

/**
 * Brings those of the first release here. Deleting an account is a method, no trigger. `comparison` says in sentences what the
 * answers of a finished job lacked, as a JSON list.
 */
const changesSinceRelease = `
  DROP TRIGGER IF EXISTS job_secrets_of_nobody;
  ALTER TABLE jobs ADD COLUMN schedule TEXT;
  ALTER TABLE jobs ADD COLUMN name TEXT;
  ALTER TABLE jobs ADD COLUMN comparison TEXT;
  ${schedulesSchema.tables(types, 'sqlite')}
`;

/**
 * Jobs and what belongs to them. Times are milliseconds since 1970. The money of a job is in the ledger's own rows,
 * `job_…:index`. `completed` and `failed` are counted in the transactions that end those. `lines`, `bytes` and
 * `late_bytes` say how much of the results files counts. `webhook_due` is set while an attempt is to be made;
 * `webhook_claimed` is until when a process makes it.
 */
export const jobsSchema: SqliteSchema = {
  name: 'jobs',
  base: {
    version: 7,
    tables: releasedTables + webhooksSchema.tables(types, 'sqlite') + changesSinceRelease,
    released: 3,
    upgrade: changesSinceRelease,
  },
  steps: [
    // Deliveries are chosen in turns: by account, by host, by time.
    `CREATE INDEX jobs_to_tell_in_turns ON jobs (account, ${webhookHost(sqliteDialect)}, webhook_due) WHERE webhook_due IS NOT NULL;`,
    // The stored bytes of an account are summed from indexes. A schedule's jobs have no inputs of their own.
    `ALTER TABLE jobs ADD COLUMN input_bytes INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE schedules ADD COLUMN input_bytes INTEGER NOT NULL DEFAULT 0;
     CREATE INDEX jobs_stored ON jobs (account, bytes, late_bytes) WHERE deleted = 0;
     CREATE INDEX jobs_with_inputs ON jobs (account, input_bytes) WHERE lines < total;`,
    // The options of their lines, as JSON.
    `ALTER TABLE jobs ADD COLUMN line_options TEXT;
     ALTER TABLE schedules ADD COLUMN line_options TEXT;
     ALTER TABLE schedule_inputs ADD COLUMN given TEXT;`,
    // Earlier versions wrote inputs before their job, and left those of killed processes to be swept.
    `DELETE FROM job_inputs WHERE job NOT IN (SELECT id FROM jobs WHERE lines < total);
     DELETE FROM schedule_inputs WHERE schedule NOT IN (
       SELECT id FROM schedules WHERE status <> 'ended'
       UNION SELECT schedule FROM jobs WHERE lines < total AND schedule IS NOT NULL);`,
    `ALTER TABLE schedules ADD COLUMN timezone TEXT;
     ${scheduleRunsTable(types)}`,
    'ALTER TABLE jobs ADD COLUMN webhook_claimed INTEGER NOT NULL DEFAULT 0;',
    scheduleAlertsTables(types),
    alertClaims(types),
    // Archives count among the stored bytes.
    `ALTER TABLE jobs ADD COLUMN archive_bytes INTEGER NOT NULL DEFAULT 0;
     DROP INDEX jobs_stored;
     CREATE INDEX jobs_stored ON jobs (account, bytes, late_bytes, archive_bytes) WHERE deleted = 0;`,
  ],
};
