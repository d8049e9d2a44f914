import type { Database } from '../../database/sqlite/driver.js';
import {
  isCurrent,
  migrateSchema,
  type SqliteSchema,
  unreleasedVersion,
} from '../../database/sqlite/migration.js';
import { queriesOn } from '../../database/sqlite/sqlite-queries.js';
import { ExtractError } from '../../errors/extract-error.js';
import { grant } from '../entries.js';
import { localPack } from '../local-account.js';

/**
 * The tables of the first release (0.1.0). Times are milliseconds since 1970. The transactions that write the rows
 * update `balance`. A usage row is `pending` between charge and settle. Its price is out of the balance, and `owner`
 * names the process at work. The rows of an account lie together, in the order of time.
 */
const releasedTables = `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}),
    bought INTEGER NOT NULL CHECK (bought IN (0, 1)),
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits > 0),
    kind TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX grants_of_account ON grants (account, created_at, id);

  CREATE TABLE usage (
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    charged_at INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'ok', 'failed')),
    error_code TEXT,
    credits_charged INTEGER NOT NULL CHECK (credits_charged >= 0),
    credits_refunded INTEGER NOT NULL DEFAULT 0 CHECK (credits_refunded >= 0),
    cached INTEGER NOT NULL DEFAULT 0 CHECK (cached IN (0, 1)),
    key_id TEXT,
    key_name TEXT,
    job_id TEXT,
    owner TEXT,
    PRIMARY KEY (account, created_at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_of_job ON usage (job_id, created_at, id) WHERE job_id IS NOT NULL;
  CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending';

  -- How far the tables of programs around the library have come.
  CREATE TABLE parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Brings those of the first release here. */
const changesSinceRelease = `
  ALTER TABLE accounts RENAME TO balances;
  ALTER TABLE parts RENAME TO schema_versions;

  -- What archived calls came to, by day (its beginning) and key ('' for none): the books add up without their rows.
  CREATE TABLE usage_days (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    key_id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    credits_charged INTEGER NOT NULL,
    credits_refunded INTEGER NOT NULL,
    PRIMARY KEY (account, day, endpoint, key_id)
  ) STRICT, WITHOUT ROWID;

  -- The rows of a job in the order of its inputs, whose indexes end the ids.
  DROP INDEX usage_of_job;
  CREATE INDEX usage_of_job ON usage (job_id, length(id), id) WHERE job_id IS NOT NULL;
  -- Rows of jobs are not among those that recovery looks for, and there are thousands of them at once.
  DROP INDEX usage_pending;
  CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending' AND job_id IS NULL;

  -- How long a call took; not known of those that were made before.
  ALTER TABLE usage ADD COLUMN duration_ms INTEGER;

  -- What each key was charged in each month (UTC), by the time of the charge, for limits of keys.
  CREATE TABLE key_months (
    key_id TEXT NOT NULL,
    month TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (key_id, month)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO key_months (key_id, month, credits)
    SELECT key_id, strftime('%Y-%m', charged_at / 1000, 'unixepoch') AS month, sum(credits_charged)
    FROM usage WHERE key_id IS NOT NULL GROUP BY key_id, month;

  -- What ended calls came to, archived ones included, by the day that they were made on: long histories are summed up here.
  CREATE TABLE usage_sums (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    key_id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    credits INTEGER NOT NULL,
    PRIMARY KEY (account, day, endpoint, key_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits)
    SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, '') AS key, count(*),
      count(*) FILTER (WHERE status = 'failed'), sum(credits_charged)
    FROM usage WHERE status <> 'pending' GROUP BY account, day, endpoint, key;
`;

/** Version of the ledger's tables in the first release, and of those that this program makes. */
const releasedVersion = 5;
export const ledgerVersion = 12;

/** The pack that the local account begins with. */
export const firstPack = { ...localPack, id: 'local-first-pack' } as const;

function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Brings the ledger's own tables up to this version, inside a transaction. Throws `internal_error` for those of a later one. */
export function migrateLedger(db: Database): void {
  const version = versionOf(db);
  if (version > ledgerVersion) {
    throw new ExtractError(
      'internal_error',
      'The credit ledger was written by a later version of this program. Install that version or a newer one.',
    );
  }
  if (version === ledgerVersion) return;
  if (version !== 0 && version !== releasedVersion) throw unreleasedVersion('credit ledger');
  if (version === 0) db.exec(releasedTables);
  db.exec(changesSinceRelease);
  db.pragma(`user_version = ${ledgerVersion}`);
}

/**
 * Brings the file up to this version, with the local account in a new one and the tables of `schemas`. Once, however
 * many processes open it at the same time. Rejects `internal_error` for a file of a later version.
 */
export async function migrate(
  db: Database,
  now: number,
  schemas: readonly SqliteSchema[] = [],
): Promise<void> {
  if (versionOf(db) === ledgerVersion && schemas.every((schema) => isCurrent(db, schema))) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    const isNew = versionOf(db) === 0;
    migrateLedger(db);
    if (isNew) await grant(queriesOn(db), { ...firstPack, at: new Date(now).toISOString() });
    for (const schema of schemas) migrateSchema(db, schema);
    db.exec('COMMIT');
  } catch (cause) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}
