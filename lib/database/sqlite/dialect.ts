import type { Dialect } from '../dialect.js';

/** The words of SQLite. A transaction is the only one that writes: it has nobody to lock anything against. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  types: {
    id: 'TEXT',
    text: 'TEXT',
    integer: 'INTEGER',
    real: 'REAL',
    flag: 'INTEGER',
    bytes: 'BLOB',
    end: 'STRICT, WITHOUT ROWID',
    unlogged: '',
  },
  forUpdate: '',
  forUpdateSkipLocked: '',
  anyOf: (list) => `IN (SELECT value FROM json_each(${list}))`,
  position: (text, part) => `instr(${text}, ${part})`,
  records(list, columns) {
    const read = Object.keys(columns).map((name) => `value ->> '${name}' AS ${name}`);
    return `(SELECT ${read.join(', ')} FROM json_each(${list})) AS records`;
  },
  // A row at a time: reading rows from JSON takes twice as long (measured 2026-11).
  sentRows(columns, first = 1) {
    const values = Object.keys(columns).map((name, index) => `$${first + index} AS ${name}`);
    return `(SELECT ${values.join(', ')}) AS records`;
  },
  greatest: (...values) => `max(${values.join(', ')})`,
};
