import { ExtractError } from '../../errors/extract-error.js';
import type { Database } from '../../sqlite/driver.js';

/**
 * Tables that a program around the library keeps in the ledger's file. One transaction can then move money together
 * with its reason.
 */
export interface TableSchema {
  readonly name: string;
  /** SQL that makes the tables, step by step. A file has run the first so many; steps are only ever added. */
  readonly steps: readonly string[];
}

function versionOf(db: Database, { name }: TableSchema): number {
  const version = db
    .prepare<[string], number>('SELECT version FROM schema_versions WHERE name = ?')
    .pluck()
    .get(name);
  return version ?? 0;
}

/** True when the tables are those that this version makes. */
export function isCurrent(db: Database, schema: TableSchema): boolean {
  return versionOf(db, schema) === schema.steps.length;
}

/**
 * Brings the tables of a schema up to this version. To be run inside a write transaction. Throws `internal_error` for
 * tables of a later version.
 */
export function migrateSchema(db: Database, schema: TableSchema): void {
  const version = versionOf(db, schema);
  if (version > schema.steps.length) {
    throw new ExtractError(
      'internal_error',
      `The ${schema.name} in the data directory were written by a later version of this program. Install that version or a newer one.`,
    );
  }
  for (const step of schema.steps.slice(version)) db.exec(step);
  db.prepare('INSERT OR REPLACE INTO schema_versions (name, version) VALUES (?, ?)').run(
    schema.name,
    schema.steps.length,
  );
}
