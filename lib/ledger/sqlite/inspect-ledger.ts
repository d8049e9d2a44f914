import { type SchemaSql, schemaVersion } from '../../database/schema-sql.js';
import type { Database } from '../../database/sqlite/driver.js';
import { damageOf, isLocked, openForLooking } from '../../database/sqlite/inspect-sqlite.js';
import type { Imbalance } from '../imbalance.js';
import { imbalances } from './integrity.js';
import { ledgerVersion } from './migrate-ledger.js';

/** The findings in the file of a ledger. Nothing is changed by it. */
export interface LedgerInspection {
  readonly damage: readonly string[];
  readonly imbalances: readonly Imbalance[];
  /** Parts of the file that a later version has written. */
  readonly later: readonly string[];
  /** Parts that the next call brings up to this version. */
  readonly older: readonly string[];
  /** Time of the newest call; null where there is none. */
  readonly newest: number | null;
  readonly isLocked: boolean;
}

/**
 * Looks at the file of a ledger: `whole` reads all of it, for damage and for the books. Throws what the driver throws
 * for a file that cannot be opened.
 */
export async function inspectLedger(
  file: string,
  schemas: readonly SchemaSql[],
  whole: boolean,
): Promise<LedgerInspection> {
  const db = await openForLooking(file);
  try {
    const damage = whole ? damageOf(db) : [];
    const version = Number(db.pragma('user_version', { simple: true }));
    const isCurrent = version === ledgerVersion && damage.length === 0;
    const versions = damage.length === 0 ? versionsIn(db) : new Map<string, number>();
    // A part that is not there is one that the next call makes.
    const parts = schemas.map((schema) => ({
      name: schema.name,
      by: (versions.get(schema.name) ?? 0) - schemaVersion(schema),
    }));
    const all = [{ name: 'ledger', by: version - ledgerVersion }, ...parts];
    return {
      damage,
      imbalances: whole && isCurrent ? imbalances(db) : [],
      later: all.filter(({ by }) => by > 0).map(({ name }) => name),
      older: all.filter(({ by }) => by < 0).map(({ name }) => name),
      newest: isCurrent ? (db.prepare<[], number | null>(newestSql).pluck().get() ?? null) : null,
      isLocked: await isLocked(file),
    };
  } finally {
    db.close();
  }
}

/** The versions of the parts of a file; none where it has no table of them yet. */
function versionsIn(db: Database): ReadonlyMap<string, number> {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_versions'";
  if (db.prepare(find).get() === undefined) return new Map();
  const rows = db.prepare<[], { name: string; version: number }>('SELECT name, version FROM schema_versions');
  return new Map(rows.all().map(({ name, version }) => [name, version]));
}

/** Ids begin with their time: the newest of each account is found in the order of the table. */
const newestSql = 'SELECT max((SELECT max(created_at) FROM usage WHERE account = balances.id)) FROM balances';
