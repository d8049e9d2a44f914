import { type SchemaSql, schemaVersion } from '../../database/schema-sql.js';
import type { Database } from '../../database/sqlite/driver.js';
import { damageOf, isLocked, openForInspection } from '../../database/sqlite/inspect-sqlite.js';
import type { Imbalance } from '../imbalance.js';
import { imbalances } from './integrity.js';
import { ledgerVersion } from './migrate-ledger.js';

/** The findings in a ledger's file. */
export interface LedgerInspection {
  readonly damage: readonly string[];
  readonly imbalances: readonly Imbalance[];
  /** Parts of the file written by a later version. */
  readonly later: readonly string[];
  /** Parts of the file that the next call migrates. */
  readonly older: readonly string[];
  /** Time of the newest call; null for none. */
  readonly newest: number | null;
  readonly isLocked: boolean;
}

/**
 * Inspects the file of a ledger without changing it; with `isFullCheck`, reads all of it to check for damage and
 * balance the books. Throws the driver's error for a file that cannot be opened.
 */
export async function inspectLedger(
  file: string,
  schemas: readonly SchemaSql[],
  isFullCheck: boolean,
): Promise<LedgerInspection> {
  const db = await openForInspection(file);
  try {
    const damage = isFullCheck ? damageOf(db) : [];
    const version = Number(db.pragma('user_version', { simple: true }));
    const isCurrent = version === ledgerVersion && damage.length === 0;
    const versions = damage.length === 0 ? versionsIn(db) : new Map<string, number>();
    // The next call creates a missing part.
    const parts = schemas.map((schema) => ({
      name: schema.name,
      by: (versions.get(schema.name) ?? 0) - schemaVersion(schema),
    }));
    const all = [{ name: 'ledger', by: version - ledgerVersion }, ...parts];
    return {
      damage,
      imbalances: isFullCheck && isCurrent ? imbalances(db) : [],
      later: all.filter(({ by }) => by > 0).map(({ name }) => name),
      older: all.filter(({ by }) => by < 0).map(({ name }) => name),
      newest: isCurrent ? (db.prepare<[], number | null>(newestSql).pluck().get() ?? null) : null,
      isLocked: await isLocked(file),
    };
  } finally {
    db.close();
  }
}

/** Returns the versions of a file's parts; empty without a version table. */
function versionsIn(db: Database): ReadonlyMap<string, number> {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_versions'";
  if (db.prepare(find).get() === undefined) return new Map();
  const rows = db.prepare<[], { name: string; version: number }>('SELECT name, version FROM schema_versions');
  return new Map(rows.all().map(({ name, version }) => [name, version]));
}

/** Ids begin with their time, so each account's newest is found in table order. */
const newestSql = 'SELECT max((SELECT max(created_at) FROM usage WHERE account = balances.id)) FROM balances';
