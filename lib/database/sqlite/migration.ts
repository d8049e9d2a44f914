import { ExtractError } from '../../errors/extract-error.js';
import type { TableSchema } from '../table-schema.js';
import { sqliteDialect } from './dialect.js';
import type { Database } from './driver.js';

/**
 * Tables that a program around the library keeps in the ledger's file. One transaction can then move money together
 * with its reason.
 */
export interface SqliteSchema {
  readonly name: string;
  /** The basis of the steps: the tables of a new file, and how those of the first release (0.1.0) become the same. */
  readonly base?: {
    readonly version: number;
    readonly tables: string;
    readonly released?: number | undefined;
    readonly upgrade?: string | undefined;
  };
  /** SQL that changes the tables, step by step. A file has run the first so many; steps are only ever added. */
  readonly steps: readonly string[];
}

/** The tables of a module in the words of SQLite. */
export function sqliteSchema(schema: TableSchema): Required<SqliteSchema> {
  const { name, directory = { version: 1 }, steps = [] } = schema;
  const { types } = sqliteDialect;
  const { version, released, upgrade } = directory;
  const base = {
    ...{ version, released, tables: schema.tables(types, sqliteDialect) },
    upgrade: upgrade?.(types, sqliteDialect),
  };
  return { name, base, steps: steps.map((step) => step(types)) };
}

/** The version of the tables that this program makes. */
export const schemaVersion = ({ base, steps }: SqliteSchema) => (base?.version ?? 0) + steps.length;

function versionOf(db: Database, { name }: SqliteSchema): number {
  const version = db
    .prepare<[string], number>('SELECT version FROM schema_versions WHERE name = ?')
    .pluck()
    .get(name);
  return version ?? 0;
}

/** True when the tables are those that this version makes. */
export function isCurrent(db: Database, schema: SqliteSchema): boolean {
  return versionOf(db, schema) === schemaVersion(schema);
}

/**
 * Brings the tables of a schema up to this version. To be run inside a write transaction. Throws `internal_error` for
 * tables of a later version.
 */
export function migrateSchema(db: Database, schema: SqliteSchema): void {
  const { name, base, steps } = schema;
  const version = versionOf(db, schema);
  if (version > schemaVersion(schema)) {
    throw new ExtractError(
      'internal_error',
      `The ${name} in the data directory were written by a later version of this program. Install that version or a newer one.`,
    );
  }
  if (base !== undefined && version < base.version) db.exec(baseStep(name, base, version));
  for (const step of steps.slice(Math.max(0, version - (base?.version ?? 0)))) db.exec(step);
  db.prepare('INSERT OR REPLACE INTO schema_versions (name, version) VALUES (?, ?)').run(
    name,
    schemaVersion(schema),
  );
}

/** For tables of a version between two releases: nothing leads from them here. */
function unreleasedVersion(name: string): ExtractError {
  return new ExtractError(
    'internal_error',
    `The data directory (${name}) was written by a version of this program that was never released. Open it with that version.`,
  );
}

/** SQL that brings tables of a version to the basis of the steps. Throws `internal_error` where nothing leads there. */
export function baseStep(name: string, base: NonNullable<SqliteSchema['base']>, version: number): string {
  if (version === 0) return base.tables;
  if (version === base.released) return base.upgrade ?? '';
  throw unreleasedVersion(name);
}
