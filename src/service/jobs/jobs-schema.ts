import { declareColumns } from '../../../lib/database/columns.js';
import type { ColumnTypes, Dialect } from '../../../lib/database/dialect.js';
import type { TableSchema } from '../../../lib/database/table-schema.js';
import { jobColumns } from './job-row.js';
import { resultsTable } from './results/results-schema.js';
import { webhookHost } from './webhooks/due-jobs.js';

const from0 = 'DEFAULT 0';
const rules = {
  id: 'PRIMARY KEY',
  status: `CHECK (status IN ('queued', 'running', 'done', 'cancelled'))`,
  ...{
    completed: from0,
    failed: from0,
    credits_refunded: from0,
    lines: from0,
    bytes: from0,
    late_bytes: from0,
    forgotten: from0,
  },
  ...{
    deleted: from0,
    webhook_tries: from0,
    input_bytes: from0,
    webhook_claimed: from0,
    archive_bytes: from0,
  },
  webhook_state: `CHECK (webhook_state IN ('pending', 'delivered', 'failed'))`,
};

/** Indexes added after 0.1.0. Deliveries are chosen in turns; an account's stored bytes are summed. */
const laterIndexes = (dialect: Dialect) => `
  CREATE INDEX jobs_to_tell_in_turns ON jobs (account, (${webhookHost(dialect)}), webhook_due) WHERE webhook_due IS NOT NULL;
  ${storedIndexes[dialect.name]}
`;

const storedIndexes = {
  sqlite: `
    CREATE INDEX jobs_stored ON jobs (account, bytes, late_bytes, archive_bytes) WHERE deleted = 0;
    CREATE INDEX jobs_with_inputs ON jobs (account, input_bytes) WHERE lines < total;
  `,
  postgres: `
    CREATE INDEX jobs_stored ON jobs (account) WHERE deleted = 0;
    CREATE INDEX jobs_with_inputs ON jobs (account) WHERE lines < total;
    CREATE INDEX jobs_with_results ON jobs (created_at) WHERE deleted = 0;
  `,
};

/**
 * Tables of one dialect only. PostgreSQL stores results, partitioned by the day of their job's creation. `job_records`
 * has the archives of earlier versions, and will be dropped with them.
 */
const jobTables = {
  sqlite: () => '',
  postgres: (types: ColumnTypes, dialect: Dialect) => `
    ${resultsTable(types, dialect)}

    CREATE TABLE job_records (
      job ${types.id} NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      number bigint GENERATED ALWAYS AS IDENTITY,
      record ${types.id} NOT NULL,
      digest ${types.id},
      url ${types.text} NOT NULL,
      date ${types.id} NOT NULL,
      member ${types.bytes} NOT NULL,
      PRIMARY KEY (job, number)
    );
    ALTER TABLE job_records ALTER COLUMN member SET STORAGE EXTERNAL;
    CREATE INDEX job_records_body ON job_records (job, digest) WHERE digest IS NOT NULL;
  `,
};

/** The inputs of unfinished jobs. */
const inputsTable = ({ id, text, integer, endOfLong }: ColumnTypes, { name }: Dialect) => `
    CREATE TABLE job_inputs (
      job ${id} NOT NULL ${name === 'postgres' ? 'REFERENCES jobs (id) ON DELETE CASCADE' : ''},
      place ${integer} NOT NULL,
      input ${text} NOT NULL,
      PRIMARY KEY (job, place)
    ) ${endOfLong};`;

/**
 * Jobs and what belongs to them. Times are milliseconds since 1970; days are counted since then. Credits are in the
 * ledger's rows `job_…:index`. `completed` and `failed` are updated in the transactions that end those rows. `lines`
 * and `bytes` measure the results up to the first gap; `late_bytes` is from earlier versions, and will be dropped with
 * `EarlierResults`. `webhook_due` is set while an attempt is scheduled; `webhook_claimed` is the end of a process's
 * claim to it. `comparison` holds sentences about what the answers of a finished job lacked, and `line_options` selects
 * the contents of its lines, both in JSON.
 */
export const jobsSchema: TableSchema = {
  name: 'jobs',
  tables: (types, dialect) => {
    const { id, text, integer, end } = types;
    return `
    CREATE TABLE jobs (
      ${declareColumns(jobColumns, types, rules)},
      CHECK (completed + failed <= total),
      CHECK (lines <= completed + failed),
      CHECK (status <> 'done' OR lines = total)
    ) ${dialect.name === 'postgres' ? 'WITH (fillfactor = 70)' : end};
    CREATE INDEX jobs_of_account ON jobs (account, id);
    CREATE INDEX jobs_unfinished ON jobs (id) WHERE lines < total;
    CREATE INDEX jobs_to_delete ON jobs (finished_at) WHERE deleted = 0;
    CREATE INDEX jobs_to_tell ON jobs (webhook_due) WHERE webhook_due IS NOT NULL;

    ${inputsTable(types, dialect)}

    CREATE TABLE job_requests (
      account ${id} NOT NULL,
      key ${id} NOT NULL,
      digest ${id} NOT NULL,
      job ${id} NOT NULL,
      answer ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (account, key)
    ) ${end};
    CREATE INDEX job_requests_by_time ON job_requests (created_at);
    ${jobTables[dialect.name](types, dialect)}
    ${laterIndexes(dialect)}`;
  },
  directory: {
    version: 18,
    released: 3,
    // Inputs were written before their job, and a sweep removed the inputs of killed processes. The tables of
    // webhooks belonged to the jobs' schema.
    upgrade: (types, dialect) => `
      DROP TRIGGER IF EXISTS job_secrets_of_nobody;
      ALTER TABLE jobs ADD COLUMN schedule TEXT;
      ALTER TABLE jobs ADD COLUMN name TEXT;
      ALTER TABLE jobs ADD COLUMN comparison TEXT;
      ALTER TABLE jobs ADD COLUMN input_bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE jobs ADD COLUMN line_options TEXT;
      ALTER TABLE jobs ADD COLUMN webhook_claimed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE jobs ADD COLUMN archive_bytes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE job_inputs RENAME TO earlier_inputs;
      ${inputsTable(types, dialect)}
      INSERT INTO job_inputs SELECT * FROM earlier_inputs WHERE job IN (SELECT id FROM jobs WHERE lines < total);
      DROP TABLE earlier_inputs;
      INSERT INTO schema_versions (name, version) VALUES ('webhooks', 1);
      ${laterIndexes(dialect)}
    `,
  },
  steps: [
    // Results are rows in a data directory, too, and rows have a checksum.
    (_, { name }) =>
      name === 'postgres'
        ? 'ALTER TABLE job_results ADD COLUMN crc bigint;'
        : `ALTER TABLE jobs ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;`,
  ],
  imports: {
    tables: [
      { table: 'jobs' },
      // Others belong to jobs that were deleted or never created.
      { table: 'job_inputs', where: 'job IN (SELECT id FROM jobs WHERE lines < total)' },
      { table: 'job_requests' },
    ],
  },
};
