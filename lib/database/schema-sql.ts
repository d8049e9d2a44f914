import { ExtractError } from '../errors/extract-error.js';
import type { SchemaImport } from './table-schema.js';

/** A module's tables as statements of one database. */
export interface SchemaSql {
  readonly name: string;
  /** Creates the current tables. A new database runs it and none of the steps. */
  readonly tables: string;
  /**
   * Change tables of earlier versions, step by step. Steps are only ever added. In PostgreSQL each runs in a
   * transaction, while servers of the previous version must still be able to write.
   */
  readonly steps?: readonly string[] | undefined;
  /** Version of the tables before the first step; 1 by default. */
  readonly firstVersion?: number | undefined;
  /** How the tables of the first release (0.1.0) become the tables before the first step. */
  readonly released?: { readonly version: number; readonly upgrade: string } | undefined;
  /** The rows that `extract server database import` moves; optional. */
  readonly imports?: SchemaImport | undefined;
}

export interface SchemaChange {
  readonly sql: string;
  readonly version: number;
}

export const schemaVersion = ({ firstVersion = 1, steps = [] }: SchemaSql) => firstVersion + steps.length;

/** Returns the changes from a version to the current one, in order. Throws `internal_error` if there is no path. */
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
