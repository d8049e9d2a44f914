import type { PgBoss as Boss } from 'pg-boss';
import { databasePackages } from '../../../../lib/database/postgres/connect.js';
import type { LibrarySchema } from '../../../../lib/database/postgres/table-schema.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { requirePackage } from '../../../../lib/runtime/require-package.js';

/** How pg-boss runs queries. A text without values may contain several statements. */
export interface EngineDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }>;
}

export function engineDatabase(
  run: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>,
): EngineDatabase {
  return {
    executeSql: (text, values = []) =>
      run(async (queries) => ({
        rows: await queries.rows<object>(text, values as NonNullable<Parameters<Queries['rows']>[1]>),
      })),
  };
}

/** Loads pg-boss. Throws `invalid_parameter` if it is not installed. */
export async function loadEngine(): Promise<typeof import('pg-boss')> {
  requirePackage('pg-boss', 'EXTRACT_DATABASE_URL', databasePackages);
  return import('pg-boss');
}

function requiredVersion(): number {
  const { createRequire } = process.getBuiltinModule('node:module');
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as {
    readonly pgboss: { readonly schema: number };
  };
  return pgboss.schema;
}

export async function engineSchemaName(queries: Queries): Promise<string> {
  const row = await queries.first<{ readonly name: string | null }>('SELECT current_schema() AS name');
  const name = row?.name ?? 'public';
  return name === 'public' ? 'extract_engine' : `${name}_engine`;
}

export const engineSettings = { schedule: false, registerInstance: false, openTelemetry: { enabled: false } };

async function versionOf(queries: Queries): Promise<number> {
  const schema = await engineSchemaName(queries);
  const table = `${schema}.version`;
  const versionTable = await queries.first<{ readonly there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [table],
  );
  if (versionTable?.there !== true) return 0;
  return (await queries.first<{ readonly version: number }>(`SELECT version FROM ${table}`))?.version ?? 0;
}

async function migrate(queries: Queries): Promise<void> {
  const { PgBoss } = await loadEngine();
  const schema = await engineSchemaName(queries);
  const db = engineDatabase((work) => work(queries));
  const boss: Boss = new PgBoss({ ...engineSettings, db, schema, supervise: false, migrate: true });
  let fault: Error | undefined;
  boss.on('error', (cause) => {
    fault ??= cause;
  });
  await boss.start();
  await boss.stop({ graceful: false });
  if (fault !== undefined) throw fault;
}

/** Returns the tables of pg-boss. Throws `invalid_parameter` if it is not installed. */
export function engineSchema(): LibrarySchema {
  requirePackage('pg-boss', 'EXTRACT_DATABASE_URL', databasePackages);
  return { name: 'engine', expected: requiredVersion(), version: versionOf, migrate };
}
