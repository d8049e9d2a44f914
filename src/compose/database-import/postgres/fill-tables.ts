import type { Queries } from '../../../../lib/database/queries.js';
import type { SchemaSql } from '../../../../lib/database/schema-sql.js';
import type { ImportedTable } from '../../../../lib/database/table-schema.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { MovedTable, RowSource, SourceValue } from '../row-source.js';

const tablesOf = (schemas: readonly SchemaSql[]): readonly ImportedTable[] =>
  schemas.flatMap(({ imports }) => imports?.tables ?? []);

/**
 * Prevents others from writing the tables until the transaction ends. Rejects `invalid_parameter` if one of them, or
 * one of `more`, has rows, because two states would be mixed.
 */
export async function requireEmpty(
  queries: Queries,
  schemas: readonly SchemaSql[],
  more: readonly string[],
): Promise<void> {
  const tables = [...tablesOf(schemas).map(({ table }) => table), ...more];
  await queries.run(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const stale = await queries.first<{ readonly held: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table}) AS held`,
    );
    if (stale?.held !== true) continue;
    throw new ExtractError(
      'invalid_parameter',
      `The database is in use: its table ${table} has rows. Create a new one (createdb) and set EXTRACT_DATABASE_URL to it.`,
    );
  }
}

/** Tables about the file itself, and counts that the database computes. */
const separateTables: ReadonlySet<string> = new Set(['schema_versions', 'access', 'usage_sums']);

/** Throws `internal_error` for rows without a table in the database, so that none is lost silently. */
function refuseLeftOver(schemas: readonly SchemaSql[], { filled }: RowSource): void {
  const tables = new Set(tablesOf(schemas).map(({ table }) => table));
  const extra = filled.find((table) => !tables.has(table) && !separateTables.has(table));
  if (extra === undefined) return;
  throw new ExtractError(
    'internal_error',
    `The database has no table for ${extra} of the data directory. Import it with a newer version of this program.`,
  );
}

/** Returns JSON from which the database can read each of its types; bytes as hexadecimal digits. */
const toJson = (value: SourceValue) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value);

async function fillTable(
  queries: Queries,
  { table, where }: ImportedTable,
  source: RowSource,
  signal: AbortSignal,
): Promise<number> {
  const { columns, batches } = source.rows(table, where);
  const names = columns.join(', ');
  // Unlike `jsonb`, `json` does not rewrite numbers and texts.
  const insert = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`;
  let rowCount = 0;
  for (const rows of batches) {
    signal.throwIfAborted();
    const objects = rows.map((row) =>
      Object.fromEntries(row.map((value, at) => [columns[at], toJson(value)])),
    );
    rowCount += rows.length;
    await queries.run(insert, [JSON.stringify(objects)]);
  }
  const stored = await queries.first<{ readonly rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
  if (stored?.rows === rowCount) return rowCount;
  throw new StorageError(
    'failed',
    `Of ${rowCount} rows of the table ${table} the database has ${stored?.rows ?? 0}. The import was rolled back; start again.`,
  );
}

/**
 * Fills the tables of schemas and what is derived from them, inside a transaction. Returns each table's row count
 * according to the database.
 */
export async function fillTables(
  queries: Queries,
  schemas: readonly SchemaSql[],
  source: RowSource,
  signal: AbortSignal,
): Promise<readonly MovedTable[]> {
  refuseLeftOver(schemas, source);
  const movedTables: MovedTable[] = [];
  for (const { imports } of schemas) {
    if (imports === undefined) continue;
    for (const one of imports.tables) {
      movedTables.push({ table: one.table, rows: await fillTable(queries, one, source, signal) });
    }
    if (imports.derive !== undefined) await queries.run(imports.derive);
  }
  return movedTables;
}
