import { ExtractError } from '../errors/extract-error.js';
import type { SchemaImport } from './table-schema.js';

/** The tables of a module in the words of one database; its SQL names no others. */
export interface SchemaSql {
  readonly name: string;
  /** SQL that makes the tables as they are now. A new database runs it, and none of the steps. */
  readonly tables: string;
  /**
   * SQL that changes tables made by earlier versions, step by step. Steps are only ever added. In PostgreSQL each runs in
   * a transaction beside servers of the version before: they must still be able to write what they write.
   */
  readonly steps?: readonly string[] | undefined;
  /** Version of the tables before the first step; 1 when left out. */
  readonly firstVersion?: number | undefined;
  /** How the tables of the first release (0.1.0) become those before the first step. */
  readonly released?: { readonly version: number; readonly upgrade: string } | undefined;
  /** The rows that `extract database import` moves; left out where there are none. */
  readonly imports?: SchemaImport | undefined;
}

/** SQL that changes the tables of a module, and their version afterwards. */
export interface SchemaChange {
  readonly sql: string;
  readonly version: number;
}

/** The version of the tables that this program makes. */
export const schemaVersion = ({ firstVersion = 1, steps = [] }: SchemaSql) => firstVersion + steps.length;

/** What brings tables of a version up to this program, in order. Throws `internal_error` where nothing leads here. */
export function changesFrom(schema: SchemaSql, version: number): readonly SchemaChange[] {
  const { name, tables, steps = [], firstVersion = 1, released } = schema;
  if (version === 0) return [{ sql: tables, version: schemaVersion(schema) }];
  const changes = steps.map((sql, index) => ({ sql, version: firstVersion + index + 1 }));
  if (version >= firstVersion) return changes.slice(version - firstVersion);
  if (version === released?.version) return [{ sql: released.upgrade, version: firstVersion }, ...changes];
  throw new ExtractError(
    'internal_error',
    `The data directory (${name}) was written by a version of this program that was never released. Open it with that version.`,
  );
}
