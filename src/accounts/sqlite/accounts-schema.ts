import type { TableSchema } from '../../../lib/ledger/sqlite/migration.js';

/**
 * Users with their accounts, and the keys that call for them. Times are milliseconds since 1970; `account` is the id in
 * the ledger. `access` counts the changes after which a cached key is stale: triggers do it, so that no way of changing
 * a row can forget it.
 */
export const accountsSchema: TableSchema = {
  name: 'accounts',
  steps: [
    `
    CREATE TABLE holders (
      account TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      verified_at INTEGER,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      account TEXT NOT NULL REFERENCES holders (account),
      name TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE,
      platforms TEXT,
      created_at INTEGER NOT NULL,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX api_keys_of_account ON api_keys (account, id);

    CREATE TABLE access (version INTEGER NOT NULL) STRICT;
    INSERT INTO access (version) VALUES (0);
    CREATE TRIGGER holder_changed AFTER UPDATE ON holders BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER holder_gone AFTER DELETE ON holders BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER key_changed AFTER UPDATE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER key_gone AFTER DELETE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
    `,
    // Addresses whose account was deleted after it had its trial, as digests: none gets a second one.
    'CREATE TABLE former_addresses (digest BLOB PRIMARY KEY, deleted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;',
    `
    DROP TRIGGER holder_changed;
    DROP TRIGGER holder_gone;
    ALTER TABLE holders RENAME TO users;
    CREATE TRIGGER user_changed AFTER UPDATE ON users BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER user_deleted AFTER DELETE ON users BEGIN UPDATE access SET version = version + 1; END;
    `,
    // Uses stand in a table of their own: writing one makes no cached key stale.
    `
    ALTER TABLE api_keys ADD COLUMN last_four TEXT;
    ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
    CREATE TABLE key_uses (key TEXT PRIMARY KEY, used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
    'ALTER TABLE api_keys ADD COLUMN monthly_credits INTEGER CHECK (monthly_credits >= 0);',
  ],
};
