import type { PostgresSchema } from '../../../lib/postgres/table-schema.js';

/** A row an endpoint and day, a row an endpoint, and a row an alarm. Times are milliseconds since 1970, days UTC. */
export const healthSchema: PostgresSchema = {
  name: 'health',
  steps: [
    `
    CREATE TABLE health_days (
      day text COLLATE "C" NOT NULL,
      endpoint text COLLATE "C" NOT NULL,
      outcomes text NOT NULL,
      minutes text NOT NULL,
      answers bigint NOT NULL,
      filled text NOT NULL,
      PRIMARY KEY (day, endpoint)
    );

    CREATE TABLE health_now (
      endpoint text COLLATE "C" PRIMARY KEY,
      standing text NOT NULL
    );

    CREATE TABLE health_alarms (
      endpoint text COLLATE "C" NOT NULL,
      field text COLLATE "C" NOT NULL,
      since bigint NOT NULL,
      usual double precision NOT NULL,
      share double precision NOT NULL,
      answers bigint NOT NULL,
      ended bigint,
      accepted boolean NOT NULL DEFAULT false,
      mailed boolean NOT NULL DEFAULT false,
      due bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (endpoint, field, since)
    );
    CREATE UNIQUE INDEX health_alarms_open ON health_alarms (endpoint, field) WHERE ended IS NULL;
    `,
  ],
  imports: { tables: [{ table: 'health_days' }, { table: 'health_now' }, { table: 'health_alarms' }] },
};
