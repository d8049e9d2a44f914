import type { Dialect, RecordColumns } from '../dialect.js';

const types = {
  id: 'text COLLATE "C"',
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
  flag: 'boolean',
  bytes: 'bytea',
  end: '',
  endOfLong: '',
  unlogged: 'UNLOGGED',
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  types,
  forUpdate: 'FOR UPDATE',
  forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED',
  anyOf: (list) => `= ANY (${list})`,
  position: (text, part) => `strpos(${text}, ${part})`,
  records(list, columns) {
    const typedColumns = Object.entries(columns).map(([name, type]) => `${name} ${types[type]}`);
    return `json_to_recordset(${list}::json) AS records (${typedColumns.join(', ')})`;
  },
  greatest: (...values) => `greatest(${values.join(', ')})`,
};

/** Rows sent column by column, as the table `records`, starting at parameter `first`. */
export function sentRows(columns: RecordColumns, first = 1): string {
  const lists = Object.values(columns).map((type, index) => `$${first + index}::${types[type]}[]`);
  return `unnest(${lists.join(', ')}) AS records (${Object.keys(columns).join(', ')})`;
}
