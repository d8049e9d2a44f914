import { postgresDialect } from '../../../../lib/database/postgres/dialect.js';
import type { PostgresSchema } from '../../../../lib/database/postgres/table-schema.js';
import { webhookHost } from '../webhooks/due-turns.js';

/**
 * Jobs and what belongs to them. Times are milliseconds since 1970, days are counted since then. The money of a job is in the
 * ledger's own rows, `job_…:index`. `lines` and `bytes` say how far the results go without a gap. `webhook_due` is set while
 * an attempt is to be made; `webhook_claimed` is until when a node makes it. The results of a job stand in the partition of the day that it was made on.
 */
export const jobsSchema: PostgresSchema = {
  name: 'jobs',
  steps: [
    `
    CREATE TABLE jobs (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      key_id text COLLATE "C",
      key_name text,
      endpoint text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'done', 'cancelled')),
      credits bigint NOT NULL,
      total integer NOT NULL,
      completed integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      credits_refunded bigint NOT NULL DEFAULT 0,
      created_at bigint NOT NULL,
      finished_at bigint,
      lines integer NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0,
      late_bytes bigint NOT NULL DEFAULT 0,
      deleted smallint NOT NULL DEFAULT 0,
      webhook_url text,
      webhook_state text COLLATE "C" CHECK (webhook_state IN ('pending', 'delivered', 'failed')),
      webhook_id text COLLATE "C",
      webhook_tries integer NOT NULL DEFAULT 0,
      webhook_due bigint,
      schedule text COLLATE "C",
      name text,
      comparison text,
      CHECK (completed + failed <= total),
      CHECK (lines <= completed + failed),
      CHECK (status <> 'done' OR lines = total)
    ) WITH (fillfactor = 70);
    CREATE INDEX jobs_of_account ON jobs (account, id);
    CREATE INDEX jobs_unfinished ON jobs (id) WHERE lines < total;
    CREATE INDEX jobs_to_delete ON jobs (finished_at) WHERE deleted = 0;
    CREATE INDEX jobs_to_tell ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;
    CREATE INDEX jobs_with_results ON jobs (created_at) WHERE deleted = 0;

    CREATE TABLE job_inputs (
      job text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      place integer NOT NULL,
      input text NOT NULL,
      PRIMARY KEY (job, place)
    );

    CREATE TABLE job_requests (
      account text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      digest text COLLATE "C" NOT NULL,
      job text COLLATE "C" NOT NULL,
      answer text NOT NULL,
      created_at bigint NOT NULL,
      PRIMARY KEY (account, key)
    );
    CREATE INDEX job_requests_by_time ON job_requests (created_at);

    CREATE TABLE job_results (
      day integer NOT NULL,
      job text COLLATE "C" NOT NULL,
      place integer NOT NULL,
      line text NOT NULL,
      PRIMARY KEY (day, job, place)
    ) PARTITION BY LIST (day);
    `,
    // The stored bytes of an account are summed.
    `ALTER TABLE jobs ADD COLUMN input_bytes bigint NOT NULL DEFAULT 0;
     CREATE INDEX jobs_stored ON jobs (account) WHERE deleted = 0;
     CREATE INDEX jobs_with_inputs ON jobs (account) WHERE lines < total;`,
    // The options of their lines, as JSON.
    'ALTER TABLE jobs ADD COLUMN line_options text;',
    // Deliveries are chosen in turns: by account, by host, by time.
    `ALTER TABLE jobs ADD COLUMN webhook_claimed bigint NOT NULL DEFAULT 0;
     CREATE INDEX jobs_to_tell_in_turns ON jobs (account, (${webhookHost(postgresDialect)}), webhook_due) WHERE webhook_due IS NOT NULL;`,
    // How often somebody was forgotten in its results: files that nodes made of them before are made anew.
    'ALTER TABLE jobs ADD COLUMN forgotten integer NOT NULL DEFAULT 0;',
    // Records of archives, each as a WARC file has it. `digest`: of the body that it has, by which later records refer to it.
    `ALTER TABLE jobs ADD COLUMN archive_bytes bigint NOT NULL DEFAULT 0;
     CREATE TABLE job_records (
       job text COLLATE "C" NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
       number bigint GENERATED ALWAYS AS IDENTITY,
       record text COLLATE "C" NOT NULL,
       digest text COLLATE "C",
       url text NOT NULL,
       date text COLLATE "C" NOT NULL,
       member bytea NOT NULL,
       PRIMARY KEY (job, number)
     );
     ALTER TABLE job_records ALTER COLUMN member SET STORAGE EXTERNAL;
     CREATE INDEX job_records_body ON job_records (job, digest) WHERE digest IS NOT NULL;`,
  ],
  imports: {
    tables: [
      { table: 'jobs' },
      // Others are left over from jobs that were deleted or never made.
      { table: 'job_inputs', where: 'job IN (SELECT id FROM jobs WHERE lines < total)' },
      { table: 'job_requests' },
    ],
  },
};
