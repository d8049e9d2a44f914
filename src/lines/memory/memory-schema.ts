import type { TableSchema } from '../../../lib/database/table-schema.js';

/**
 * A history: of a schedule on a server, or of a user's file. Numbers increase within their scope, in the order of
 * events, regardless of clocks. Times are milliseconds since 1970, values JSON.
 *
 * - `history_subjects`: what was queried. `whole_at`: when its list was last read to its end. `own`: the columns next
 *   to it in the user's file.
 * - `history_objects`: each object's current state.
 * - `history_appearances`: the items of lists. `missing`: consecutive complete readings that lacked an item.
 * - `history_changes`: changes, and nothing else. `event` is null if a field changed, as in most rows.
 */
export const memorySchema: TableSchema = {
  name: 'history',
  tables: ({ id, text, integer, end }) => `
    CREATE TABLE history_scopes (
      name ${id} PRIMARY KEY,
      scope ${integer} NOT NULL UNIQUE,
      last_number ${integer} NOT NULL
    ) ${end};

    CREATE TABLE history_runs (
      scope ${integer} NOT NULL,
      number ${integer} NOT NULL,
      run ${id} NOT NULL,
      first_at ${integer} NOT NULL,
      last_at ${integer} NOT NULL,
      PRIMARY KEY (scope, number),
      UNIQUE (scope, run)
    ) ${end};

    CREATE TABLE history_subjects (
      scope ${integer} NOT NULL,
      number ${integer} NOT NULL,
      endpoint ${id} NOT NULL,
      question ${id} NOT NULL,
      label ${text} NOT NULL,
      first_at ${integer} NOT NULL,
      last_at ${integer} NOT NULL,
      whole_at ${integer},
      readings ${integer} NOT NULL,
      own ${text},
      PRIMARY KEY (scope, number),
      UNIQUE (scope, endpoint, question)
    ) ${end};

    CREATE TABLE history_objects (
      scope ${integer} NOT NULL,
      number ${integer} NOT NULL,
      object ${id} NOT NULL,
      key ${id} NOT NULL,
      id ${text} NOT NULL,
      url ${text},
      fields ${text} NOT NULL,
      first_at ${integer} NOT NULL,
      last_at ${integer} NOT NULL,
      PRIMARY KEY (scope, number),
      UNIQUE (scope, object, key)
    ) ${end};

    CREATE TABLE history_appearances (
      scope ${integer} NOT NULL,
      subject ${integer} NOT NULL,
      object ${integer} NOT NULL,
      position ${integer} NOT NULL,
      first_at ${integer} NOT NULL,
      last_at ${integer} NOT NULL,
      missing ${integer} NOT NULL,
      removed_at ${integer},
      PRIMARY KEY (scope, subject, object)
    ) ${end};

    CREATE TABLE history_changes (
      scope ${integer} NOT NULL,
      number ${integer} NOT NULL,
      run ${integer} NOT NULL,
      subject ${integer} NOT NULL,
      object ${integer} NOT NULL,
      event ${id},
      field ${id},
      value_before ${text},
      value_after ${text},
      fetched_at ${integer} NOT NULL,
      PRIMARY KEY (scope, number)
    ) ${end};
    CREATE INDEX history_changes_by_object ON history_changes (scope, object, number);
    CREATE INDEX history_events ON history_changes (scope, subject, number) WHERE event IS NOT NULL;
  `,
  steps: [({ text }) => `ALTER TABLE history_subjects ADD COLUMN own ${text}`],
  imports: {
    tables: ['scopes', 'runs', 'subjects', 'objects', 'appearances', 'changes'].map((name) => ({
      table: `history_${name}`,
    })),
  },
};
