import { ExtractError } from '../../errors/extract-error.js';
import { changesFrom, type SchemaSql, schemaVersion } from '../schema-sql.js';
import type { TableSchema } from '../table-schema.js';
import { sqliteDialect } from './dialect.js';
import type { Database } from './driver.js';

/** Returns a module's tables as SQLite statements. */
export function sqliteSchema({ name, tables, steps = [], directory }: TableSchema): SchemaSql {
  const { types } = sqliteDialect;
  return {
    name,
    tables: tables(types, sqliteDialect),
    steps: steps.map((step) => step(types, sqliteDialect)),
    firstVersion: directory?.version,
    released: directory && {
      version: directory.released,
      upgrade: directory.upgrade(types, sqliteDialect),
    },
  };
}

function versionOf(db: Database, { name }: SchemaSql): number {
  const version = db
    .prepare<[string], number>('SELECT version FROM schema_versions WHERE name = ?')
    .pluck()
    .get(name);
  return version ?? 0;
}

export function isCurrent(db: Database, schema: SchemaSql): boolean {
  return versionOf(db, schema) === schemaVersion(schema);
}

/**
 * Migrates a schema's tables to the current version, inside a write transaction. Throws `internal_error` for tables of
 * a later version.
 */
export function migrateSchema(db: Database, schema: SchemaSql): void {
  const { name } = schema;
  const version = versionOf(db, schema);
  if (version > schemaVersion(schema)) {
    throw new ExtractError(
      'internal_error',
      `The ${name} in the data directory were written by a later version of this program. Install that version or a newer one.`,
    );
  }
  for (const { sql } of changesFrom(schema, version)) db.exec(sql);
  db.prepare('INSERT OR REPLACE INTO schema_versions (name, version) VALUES (?, ?)').run(
    name,
    schemaVersion(schema),
  );
}
