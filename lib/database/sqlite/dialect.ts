import type { Dialect } from '../dialect.js';

/** SQLite's dialect. Only one transaction writes at a time, so locks inside it are unnecessary. */
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
    const columnValues = Object.keys(columns).map((name) => `value ->> '${name}' AS ${name}`);
    return `(SELECT ${columnValues.join(', ')} FROM json_each(${list})) AS records`;
  },
  greatest: (...values) => `max(${values.join(', ')})`,
};
