import type { TableSchema } from '../../../../lib/database/table-schema.js';
import { alertClaims, scheduleAlertsTables } from './alerts/alert-store.js';
import { scheduleRunsTable } from './schedule-runs.js';

/**
 * Jobs that are made again and again, with the inputs that each of them reads. `next_at` is set while a run is to come;
 * `last` is when one was made last. Times are milliseconds since 1970.
 */
export const schedulesSchema: TableSchema = {
  name: 'schedules',
  // In a data directory inputs are deleted a few at a time.
  tables: ({ id, text, integer, end }, dialect) => `
    CREATE TABLE schedules (
      id ${id} PRIMARY KEY,
      account ${id} NOT NULL,
      key_id ${id},
      key_name ${text},
      endpoint ${id} NOT NULL,
      every ${text} NOT NULL,
      status ${id} NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
      credits ${integer} NOT NULL,
      total ${integer} NOT NULL,
      webhook_url ${text},
      anchor ${integer} NOT NULL,
      last ${integer} NOT NULL,
      next_at ${integer},
      last_job ${id},
      last_error ${id},
      created_at ${integer} NOT NULL,
      name ${text},
      CHECK ((status = 'active') = (next_at IS NOT NULL))
    ) ${end};
    CREATE INDEX schedules_of_account ON schedules (account, id);
    CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

    CREATE TABLE schedule_inputs (
      schedule ${id} NOT NULL ${dialect === 'postgres' ? 'REFERENCES schedules (id) ON DELETE CASCADE' : ''},
      place ${integer} NOT NULL,
      input ${text} NOT NULL,
      PRIMARY KEY (schedule, place)
    ) ${end};
  `,
  // The schedules of a data directory are changed with its jobs.
  steps: [
    ({ integer }) => `ALTER TABLE schedules ADD COLUMN input_bytes ${integer} NOT NULL DEFAULT 0;`,
    ({ text }) => `ALTER TABLE schedules ADD COLUMN line_options ${text};`,
    // The items that earlier jobs gave for the input, as JSON.
    ({ text }) => `ALTER TABLE schedule_inputs ADD COLUMN given ${text};`,
    // They stay until the last job of their schedule has ended, which may outlive it.
    () => 'ALTER TABLE schedule_inputs DROP CONSTRAINT IF EXISTS schedule_inputs_schedule_fkey;',
    ({ id }) => `ALTER TABLE schedules ADD COLUMN timezone ${id};`,
    scheduleRunsTable,
    scheduleAlertsTables,
    alertClaims,
  ],
  imports: {
    tables: [
      { table: 'schedules' },
      { table: 'schedule_runs', where: 'schedule IN (SELECT id FROM schedules)' },
      { table: 'schedule_alerts', where: 'schedule IN (SELECT id FROM schedules)' },
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
