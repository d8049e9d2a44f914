import type { Prepared, Queries, RecordValue, SqlValue } from '../queries.js';
import { sqliteDialect } from './dialect.js';
import type { Database, Statement } from './driver.js';

type Bound = string | number | null | Buffer;

function bound(value: SqlValue): Bound {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) return JSON.stringify(value);
  return value;
}

/** `$1` is a parameter of the name `1` to SQLite. */
function named(values: readonly SqlValue[]): Record<number, Bound> {
  const all: Record<number, Bound> = {};
  for (let at = 0; at < values.length; at += 1) all[at + 1] = bound(values[at] as SqlValue);
  return all;
}

/** The `Queries` of an open file. They throw what the driver throws. */
export function queriesOn(db: Database): Queries {
  const statements = new Map<string, Statement<unknown[]>>();
  const prepare = (statement: string | Prepared) => {
    const { name, text } = typeof statement === 'string' ? { name: statement, text: statement } : statement;
    const cached = statements.get(name);
    if (cached !== undefined) return cached;
    const prepared = db.prepare<unknown[]>(typeof text === 'string' ? text : text(sqliteDialect));
    statements.set(name, prepared);
    return prepared;
  };
  const bindings = (values: readonly SqlValue[]) => (values.length === 0 ? [] : [named(values)]);
  return {
    dialect: sqliteDialect,
    rows: async <Row extends object>(statement: string | Prepared, values: readonly SqlValue[] = []) =>
      prepare(statement).all(...bindings(values)) as Row[],
    first: async <Row extends object>(statement: string | Prepared, values: readonly SqlValue[] = []) =>
      prepare(statement).get(...bindings(values)) as Row | undefined,
    async run(statement, values = []) {
      const prepared = prepare(statement);
      if (prepared.reader) return prepared.all(...bindings(values)).length;
      return prepared.run(...bindings(values)).changes;
    },
    async runAll(statement, columns, rows) {
      const names: readonly string[] = Object.keys(columns);
      let written = 0;
      for (const row of rows) {
        written += prepare(statement).run(named(names.map((name) => row[name] as RecordValue))).changes;
      }
      return written;
    },
    // A transaction that writes is alone.
    lock: async () => undefined,
    lockTable: async () => undefined,
  };
}
