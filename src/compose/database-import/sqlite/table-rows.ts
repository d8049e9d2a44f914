import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { RowSource, SourceRows, SourceValue } from '../row-source.js';

const maxRows = 2_000;
const maxCharacters = 1024 * 1024;

const sizeOf = (value: SourceValue) =>
  typeof value === 'number' || value === null ? 8 : value.length * (typeof value === 'string' ? 1 : 2);

function* batchesOf(rows: Iterable<readonly SourceValue[]>) {
  let batch: (readonly SourceValue[])[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) size += sizeOf(value);
    if (batch.length < maxRows && size < maxCharacters) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

function filledTables(db: Database): readonly string[] {
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .pluck()
    .all();
  return names.filter((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined);
}

/** The tables of a data directory's ledger, whose file no other process writes meanwhile. */
export function tableRows(db: Database): RowSource {
  return {
    filled: filledTables(db),
    rows(table, where): SourceRows {
      const whereText = where === undefined ? '' : ` WHERE ${where}`;
      const all = db.prepare<[], readonly SourceValue[]>(`SELECT * FROM ${table}${whereText}`).raw();
      return { columns: all.columns().map(({ name }) => name), batches: batchesOf(all.iterate()) };
    },
  };
}
