import type { PostgresSchema } from '../../../../../lib/database/postgres/table-schema.js';

/**
 * Jobs that are made again and again, with the inputs that each of them copies. `next_at` is set while a run is to come;
 * `last` is when one was made last. Times are milliseconds since 1970.
 */
export const schedulesSchema: PostgresSchema = {
  name: 'schedules',
  steps: [
    `
    CREATE TABLE schedules (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      key_id text COLLATE "C",
      key_name text,
      endpoint text COLLATE "C" NOT NULL,
      every text NOT NULL,
      status text COLLATE "C" NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
      credits bigint NOT NULL,
      total integer NOT NULL,
      webhook_url text,
      anchor bigint NOT NULL,
      last bigint NOT NULL,
      next_at bigint,
      last_job text COLLATE "C",
      last_error text COLLATE "C",
      created_at bigint NOT NULL,
      name text,
      CHECK ((status = 'active') = (next_at IS NOT NULL))
    );
    CREATE INDEX schedules_of_account ON schedules (account, id);
    CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

    CREATE TABLE schedule_inputs (
      schedule text COLLATE "C" NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
      place integer NOT NULL,
      input text NOT NULL,
      PRIMARY KEY (schedule, place)
    );
    `,
  ],
  imports: {
    tables: [
      { table: 'schedules' },
      { table: 'schedule_inputs', where: 'schedule IN (SELECT id FROM schedules)' },
    ],
    // In a data directory the jobs of a schedule read its inputs.
    derive: `
      INSERT INTO job_inputs (job, place, input)
      SELECT jobs.id, place, input FROM jobs JOIN schedule_inputs ON schedule_inputs.schedule = jobs.schedule
      WHERE jobs.lines < jobs.total AND NOT EXISTS (SELECT FROM job_inputs WHERE job_inputs.job = jobs.id);
    `,
  },
};
