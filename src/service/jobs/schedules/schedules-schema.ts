import { type Columns, declareColumns } from '../../../../lib/database/columns.js';
import type { TableSchema } from '../../../../lib/database/table-schema.js';

export const scheduleColumns = {
  id: 'id',
  account: 'id',
  key_id: 'id?',
  key_name: 'text?',
  endpoint: 'id',
  every: 'text',
  status: 'id',
  credits: 'integer',
  total: 'integer',
  webhook_url: 'text?',
  anchor: 'integer',
  last: 'integer',
  next_at: 'integer?',
  last_job: 'id?',
  last_error: 'id?',
  created_at: 'integer',
  name: 'text?',
  input_bytes: 'integer',
  line_options: 'text?',
  timezone: 'id?',
  notify: 'text?',
} as const satisfies Columns;

const rules = {
  id: 'PRIMARY KEY',
  status: `CHECK (status IN ('active', 'paused', 'ended'))`,
  input_bytes: 'DEFAULT 0',
};

/**
 * Recurring jobs, with the inputs that each run reads until the last job of a schedule has ended. `given` is what
 * builds before 2026-12 remembered of an input, which `schedule-memory.ts` moves. `next_at` is set while another run
 * is scheduled; `last` is when the latest run was created. A run has one alert per target: `due` is set while an
 * attempt is pending, `claimed` is the end of a process's claim to it, and `notice` is removed after the last alert.
 * Times are milliseconds since 1970.
 */
export const schedulesSchema: TableSchema = {
  name: 'schedules',
  tables: (types) => {
    const { id, text, integer, end, endOfLong } = types;
    return `
    CREATE TABLE schedules (
      ${declareColumns(scheduleColumns, types, rules)},
      CHECK ((status = 'active') = (next_at IS NOT NULL))
    ) ${end};
    CREATE INDEX schedules_of_account ON schedules (account, id);
    CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL;

    CREATE TABLE schedule_inputs (
      schedule ${id} NOT NULL,
      place ${integer} NOT NULL,
      input ${text} NOT NULL,
      given ${text},
      PRIMARY KEY (schedule, place)
    ) ${endOfLong};

    CREATE TABLE schedule_runs (
      schedule ${id} NOT NULL,
      number ${integer} NOT NULL,
      at ${integer} NOT NULL,
      planned_at ${integer} NOT NULL,
      missed ${integer} NOT NULL,
      job ${id},
      error ${id},
      told ${integer} NOT NULL DEFAULT 1,
      notice ${text},
      PRIMARY KEY (schedule, number)
    ) ${end};
    CREATE INDEX schedule_runs_to_tell ON schedule_runs (schedule, number) WHERE told = 0;

    CREATE TABLE schedule_alerts (
      id ${id} PRIMARY KEY,
      schedule ${id} NOT NULL,
      number ${integer} NOT NULL,
      account ${id} NOT NULL,
      target ${text} NOT NULL,
      state ${id} NOT NULL,
      tries ${integer} NOT NULL,
      due ${integer},
      status ${integer},
      error ${text},
      claimed ${integer} NOT NULL DEFAULT 0
    ) ${end};
    CREATE INDEX schedule_alerts_of_run ON schedule_alerts (schedule, number);
    CREATE INDEX schedule_alerts_due ON schedule_alerts (due) WHERE due IS NOT NULL;
  `;
  },
  imports: {
    tables: [
      { table: 'schedules' },
      { table: 'schedule_runs', where: 'schedule IN (SELECT id FROM schedules)' },
      { table: 'schedule_alerts', where: 'schedule IN (SELECT id FROM schedules)' },
      { table: 'schedule_inputs', where: 'schedule IN (SELECT id FROM schedules)' },
    ],
    // In a data directory a schedule's jobs read its inputs.
    derive: `
      INSERT INTO job_inputs (job, place, input)
      SELECT jobs.id, place, input FROM jobs JOIN schedule_inputs ON schedule_inputs.schedule = jobs.schedule
      WHERE jobs.lines < jobs.total AND NOT EXISTS (SELECT FROM job_inputs WHERE job_inputs.job = jobs.id);
    `,
  },
};
