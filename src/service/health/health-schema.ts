import type { TableSchema } from '../../../lib/database/table-schema.js';

/** One row per endpoint and day, one per endpoint, and one per alert. Times are milliseconds since 1970, days UTC. */
export const healthSchema: TableSchema = {
  name: 'health',
  tables: ({ id, text, integer, real, flag, end }) => `
    CREATE TABLE health_days (
      day ${id} NOT NULL,
      endpoint ${id} NOT NULL,
      outcomes ${text} NOT NULL,
      minutes ${text} NOT NULL,
      answers ${integer} NOT NULL,
      filled ${text} NOT NULL,
      PRIMARY KEY (day, endpoint)
    ) ${end};

    CREATE TABLE health_now (
      endpoint ${id} PRIMARY KEY,
      standing ${text} NOT NULL
    ) ${end};

    CREATE TABLE health_alarms (
      endpoint ${id} NOT NULL,
      field ${id} NOT NULL,
      since ${integer} NOT NULL,
      usual ${real} NOT NULL,
      share ${real} NOT NULL,
      answers ${integer} NOT NULL,
      ended ${integer},
      accepted ${flag} NOT NULL DEFAULT false,
      mailed ${flag} NOT NULL DEFAULT false,
      due ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (endpoint, field, since)
    ) ${end};
    CREATE UNIQUE INDEX health_alarms_open ON health_alarms (endpoint, field) WHERE ended IS NULL;
  `,
  imports: { tables: [{ table: 'health_days' }, { table: 'health_now' }, { table: 'health_alarms' }] },
};
