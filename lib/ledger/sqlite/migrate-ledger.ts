import { changesFrom, type SchemaSql, schemaVersion } from '../../database/schema-sql.js';
import type { Database } from '../../database/sqlite/driver.js';
import { isCurrent, migrateSchema, sqliteSchema } from '../../database/sqlite/migration.js';
import { queriesOn } from '../../database/sqlite/sqlite-queries.js';
import { ExtractError } from '../../errors/extract-error.js';
import { grant } from '../entries.js';
import { ledgerSchema } from '../ledger-schema.js';
import { localPack } from '../local-account.js';

/** Versions of the tables that belong to programs around the library. */
const versionsTable =
  'CREATE TABLE schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;';

const schema = sqliteSchema(ledgerSchema);

export const ledgerVersion = schemaVersion(schema);

export const firstPack = { ...localPack, id: 'local-first-pack' } as const;

function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Migrates the ledger's own tables, inside a transaction. Throws `internal_error` for tables of a later version. */
export function migrateLedger(db: Database): void {
  const version = versionOf(db);
  if (version > ledgerVersion) {
    throw new ExtractError(
      'internal_error',
      'The credit ledger was written by a later version of this program. Install that version or a newer one.',
    );
  }
  if (version === ledgerVersion) return;
  for (const { sql } of changesFrom(schema, version)) db.exec(sql);
  if (version === 0) db.exec(versionsTable);
  db.pragma(`user_version = ${ledgerVersion}`);
}

/**
 * Migrates the file, with the tables of `schemas`, and creates the local account in a new file. Runs once, however many
 * processes open the file concurrently. Rejects `internal_error` for a file of a later version.
 */
export async function migrate(db: Database, now: number, schemas: readonly SchemaSql[] = []): Promise<void> {
  if (versionOf(db) === ledgerVersion && schemas.every((one) => isCurrent(db, one))) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const isNew = versionOf(db) === 0;
    migrateLedger(db);
    if (isNew) await grant(queriesOn(db), { ...firstPack, at: new Date(now).toISOString() });
    for (const one of schemas) migrateSchema(db, one);
    db.exec('COMMIT');
  } catch (cause) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}
