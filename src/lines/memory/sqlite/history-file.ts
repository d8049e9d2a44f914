import { existsSync } from 'node:fs';
import { GroupCommit } from '../../../../lib/database/sqlite/group-commit.js';
import { whenUnlocked } from '../../../../lib/database/sqlite/lock-wait.js';
import { migrateSchema, sqliteSchema } from '../../../../lib/database/sqlite/migration.js';
import { SqliteDatabase } from '../../../../lib/database/sqlite/sqlite-database.js';
import { invalidParameter } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { databaseFault, openDatabase } from '../../../files/result-files/sqlite/open-database.js';
import { DatabaseMemory } from '../database-memory.js';
import type { History } from '../history.js';
import { memorySchema } from '../memory-schema.js';

const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

/** Views for people and their programs, with names, times and values instead of numbers and JSON. */
const views = `
  CREATE VIEW IF NOT EXISTS changes AS
  SELECT c.number, o.object, o.id, s.endpoint, s.label AS subject, coalesce(c.event, 'changed') AS event, c.field,
    c.value_before ->> '$' AS before, c.value_after ->> '$' AS after, ${time('c.fetched_at')} AS fetched_at, r.run
  FROM history_changes c
  JOIN history_objects o ON o.scope = c.scope AND o.number = c.object
  JOIN history_subjects s ON s.scope = c.scope AND s.number = c.subject
  JOIN history_runs r ON r.scope = c.scope AND r.number = c.run;

  CREATE VIEW IF NOT EXISTS objects AS
  SELECT object, id, url, fields, ${time('first_at')} AS first_seen, ${time('last_at')} AS last_seen
  FROM history_objects;

  CREATE VIEW IF NOT EXISTS appearances AS
  SELECT s.endpoint, s.label AS subject, o.object, o.id, a.position, ${time('a.first_at')} AS first_seen,
    ${time('a.last_at')} AS last_seen, ${time('a.removed_at')} AS removed_at
  FROM history_appearances a
  JOIN history_objects o ON o.scope = a.scope AND o.number = a.object
  JOIN history_subjects s ON s.scope = a.scope AND s.number = a.subject;
`;

/** The scope of a user's own file, which has only one history. */
export const fileScope = '';

export interface HistoryFile {
  readonly history: History;
  close(): Promise<void>;
}

/**
 * Opens the history in an SQLite file, which may contain other tables. With `create` it is created if there is none;
 * otherwise rejects `invalid_parameter` for a file without one.
 */
export async function openHistoryFile(file: string, clock: Clock, create: boolean): Promise<HistoryFile> {
  const none = () => invalidParameter(`${file} has no history: \`--history ${file}\` begins one.`);
  if (!create && !existsSync(file)) throw none();
  const db = await openDatabase(file);
  try {
    const isThere =
      db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'history_scopes'").get() !== undefined;
    const lacksOwn = "SELECT 1 WHERE 'own' NOT IN (SELECT name FROM pragma_table_info('history_subjects'))";
    if (!create && !isThere) throw none();
    if (create || db.prepare(lacksOwn).get() !== undefined) {
      await whenUnlocked(clock, () =>
        db
          .transaction(() => {
            db.exec(
              'CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID',
            );
            migrateSchema(db, sqliteSchema(memorySchema));
            db.exec(views);
          })
          .immediate(),
      );
    }
    const database = new SqliteDatabase(
      db,
      new GroupCommit(db, clock, { fault: databaseFault }),
      databaseFault,
    );
    return {
      history: new DatabaseMemory(database, clock),
      async close() {
        await database.close();
        db.close();
      },
    };
  } catch (cause) {
    db.close();
    throw databaseFault(cause);
  }
}
