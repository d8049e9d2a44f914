import { ExtractError } from '../../errors/extract-error.js';
import type { Database } from '../../sqlite/driver.js';
import { localAccount } from '../ledger.js';
import { LedgerEntries } from './entries.js';
import { isCurrent, migrateSchema, type TableSchema } from './migration.js';

/**
 * Times are milliseconds since 1970. The transactions that write the rows update `balance`. A usage row is
 * `pending` between charge and settle: its price is out of the balance, and `owner` names the process at work.
 */
const migrations: readonly string[] = [
  `
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
    id TEXT PRIMARY KEY,
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
    owner TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_ended ON usage (account, created_at, id) WHERE status <> 'pending';
  CREATE INDEX usage_ended_of_endpoint ON usage (account, endpoint, created_at, id) WHERE status <> 'pending';
  CREATE INDEX usage_of_job ON usage (job_id, created_at, id) WHERE job_id IS NOT NULL;
  CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending';
  `,
  // How far the tables of programs around the library have come.
  'CREATE TABLE parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
  // A long history is summed up and searched in the index alone: its rows would be read one by one.
  `
  DROP INDEX usage_ended;
  CREATE INDEX usage_ended
    ON usage (account, created_at, id, endpoint, status, credits_charged, error_code, key_id) WHERE status <> 'pending';
  `,
  // Each index more costs every call, and this one's searches are answered by the other as well.
  'DROP INDEX usage_ended_of_endpoint;',
  // The rows of an account lie together, in the order of time: its history needs no index beside them.
  `
  CREATE TABLE usage_by_account (
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
  INSERT INTO usage_by_account SELECT * FROM usage ORDER BY account, created_at, id;
  DROP TABLE usage;
  ALTER TABLE usage_by_account RENAME TO usage;
  CREATE INDEX usage_of_job ON usage (job_id, created_at, id) WHERE job_id IS NOT NULL;
  CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending';
  `,
  // Names that say what the tables hold: accounts are those of `src/accounts`.
  'ALTER TABLE accounts RENAME TO balances; ALTER TABLE parts RENAME TO schema_versions;',
  // What archived calls came to, by day (its beginning) and key ('' for none): the books add up without their rows.
  `
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
  `,
  // The rows of a job in the order of its inputs, whose indexes end the ids.
  `
  DROP INDEX usage_of_job;
  CREATE INDEX usage_of_job ON usage (job_id, length(id), id) WHERE job_id IS NOT NULL;
  `,
  // Rows of jobs are not among those that recovery looks for, and there are thousands of them at once.
  `
  DROP INDEX usage_pending;
  CREATE INDEX usage_pending ON usage (charged_at) WHERE status = 'pending' AND job_id IS NULL;
  `,
  // How long a call took; not known of those that were made before.
  'ALTER TABLE usage ADD COLUMN duration_ms INTEGER;',
  // What each key was charged in each month (UTC), by the time of the charge, for limits of keys.
  `
  CREATE TABLE key_months (
    key_id TEXT NOT NULL,
    month TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (key_id, month)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO key_months (key_id, month, credits)
    SELECT key_id, strftime('%Y-%m', at / 1000, 'unixepoch') AS month, sum(credits) FROM (
      SELECT key_id, charged_at AS at, credits_charged AS credits FROM usage WHERE key_id IS NOT NULL
      UNION ALL SELECT key_id, day, credits_charged FROM usage_days WHERE key_id <> ''
    ) GROUP BY key_id, month;
  `,
];

/** Version of the ledger's tables that this program makes. */
export const ledgerVersion = migrations.length;

/** The pack that the account of a machine's own use comes with. */
export const firstPack = {
  id: 'local-first-pack',
  account: localAccount,
  credits: 50_000,
  kind: 'pack',
} as const;

function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Brings the file up to this version, with the local account in a new one and the tables of `schemas`; once, however
 * many processes open it at the same time. Throws `internal_error` for a file of a later version.
 */
export function migrate(db: Database, now: number, schemas: readonly TableSchema[] = []): void {
  if (versionOf(db) === migrations.length && schemas.every((schema) => isCurrent(db, schema))) return;
  db.transaction(() => {
    const version = versionOf(db);
    if (version > migrations.length) {
      throw new ExtractError(
        'internal_error',
        'The credit ledger was written by a later version of this program. Install that version or a newer one.',
      );
    }
    for (const step of migrations.slice(version)) db.exec(step);
    if (version === 0) new LedgerEntries(db).grant({ ...firstPack, at: new Date(now).toISOString() });
    db.pragma(`user_version = ${migrations.length}`);
    for (const schema of schemas) migrateSchema(db, schema);
  }).immediate();
}
