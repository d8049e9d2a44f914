import type { TableSchema } from '../../../lib/database/table-schema.js';

/** Triggers differ by dialect. They prevent accidents; the digests reveal deliberate changes. */
const appendOnly = {
  sqlite: `
    CREATE TRIGGER audit_act_changed BEFORE UPDATE ON audit_acts
      BEGIN SELECT RAISE(ABORT, 'acts are never changed'); END;
    CREATE TRIGGER audit_act_gone BEFORE DELETE ON audit_acts
      BEGIN SELECT RAISE(ABORT, 'acts are never removed'); END;
  `,
  postgres: `
    CREATE FUNCTION keep_audit_acts() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION ''acts are never changed or removed''; END';
    CREATE TRIGGER audit_act_changed BEFORE UPDATE OR DELETE ON audit_acts
      FOR EACH ROW EXECUTE FUNCTION keep_audit_acts();
  `,
};

/**
 * The acts of operators. Each row's digest covers the row and the previous digest. `at` is in milliseconds since 1970.
 */
export const auditSchema: TableSchema = {
  name: 'audit log',
  tables: ({ id, text, integer, end }, dialect) => `
    CREATE TABLE audit_acts (
      number ${integer} PRIMARY KEY,
      at ${integer} NOT NULL,
      via ${id} NOT NULL,
      login ${text},
      act ${id} NOT NULL,
      subject ${id},
      details ${text} NOT NULL,
      digest ${id} NOT NULL
    ) ${end};
    ${appendOnly[dialect.name]}
  `,
  imports: { tables: [{ table: 'audit_acts' }] },
};
