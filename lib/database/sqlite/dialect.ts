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
    endOfLong: 'STRICT',
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
  greatest: (...values) => `max(${values.join(', ')})`,
};
