import type { Database } from '../../../../lib/database/sqlite/driver.js';
import { GroupCommit } from '../../../../lib/database/sqlite/group-commit.js';
import { SqliteDatabase } from '../../../../lib/database/sqlite/sqlite-database.js';
import { overwriteDeleted, wipeFreeSpace } from '../../../../lib/database/sqlite/wipe.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { forgetInHistory } from '../../history/forget-in-history.js';
import { databaseFault, openDatabase } from '../../result-files/sqlite/open-database.js';
import { quoted } from '../../result-files/sqlite/table-sql.js';

/** Deletes the rows of a table that name a subject in any column. */
function forgetRows(db: Database, table: string, traces: Traces): number {
  const columns = db.pragma(`table_info(${quoted(table)})`) as readonly { name: string; pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => quoted(name));
  const own = keys.length > 0 ? keys : ['rowid'];
  const all = columns.map(({ name }) => quoted(name)).join(', ');
  const found: unknown[][] = [];
  for (const row of db
    .prepare<[], unknown>(`SELECT ${own.join(', ')}, ${all} FROM ${quoted(table)}`)
    .raw()
    .iterate()) {
    const values = row as unknown[];
    const named = values.slice(own.length).some((value) => typeof value === 'string' && traces.in(value));
    if (named) found.push(values.slice(0, own.length));
  }
  const remove = db.prepare<unknown[]>(
    `DELETE FROM ${quoted(table)} WHERE ${own.map((name) => `${name} = ?`).join(' AND ')}`,
  );
  return found.reduce((sum, key) => sum + remove.run(...key).changes, 0);
}

/** Takes a subject out of an SQLite file: of its tables of results, and of the history in it. Gives how many rows it were. */
export async function forgetInSqliteFile(file: string, traces: Traces): Promise<number> {
  const db = await openDatabase(file);
  try {
    overwriteDeleted(db);
    const names = db
      .prepare<[], string>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'",
      )
      .pluck()
      .all();
    const tables = names.filter((name) => name !== 'schema_versions' && !name.startsWith('history_'));
    let removed = db
      .transaction(() => tables.reduce((sum, table) => sum + forgetRows(db, table, traces), 0))
      .immediate();
    if (names.includes('history_scopes')) {
      const commit = new GroupCommit(db, systemClock, { fault: databaseFault });
      const database = new SqliteDatabase(db, commit, databaseFault);
      removed += await database.transaction((queries) => forgetInHistory(queries, traces));
      await database.close();
    }
    wipeFreeSpace(db);
    return removed;
  } catch (cause) {
    throw databaseFault(cause);
  } finally {
    db.close();
  }
}
