import { type Columns, declareColumns } from '../../../lib/database/columns.js';
import type { TableSchema } from '../../../lib/database/table-schema.js';

/** Triggers differ by dialect. PostgreSQL counts once per statement, after its row locks. */
const accessTriggers = {
  sqlite: `
    CREATE TRIGGER user_changed AFTER UPDATE ON users BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER user_deleted AFTER DELETE ON users BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER key_changed AFTER UPDATE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
    CREATE TRIGGER key_gone AFTER DELETE ON api_keys BEGIN UPDATE access SET version = version + 1; END;
  `,
  postgres: `
    CREATE FUNCTION count_access() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN UPDATE access SET version = version + 1; RETURN NULL; END';
    CREATE TRIGGER user_changed AFTER UPDATE OR DELETE ON users
      FOR EACH STATEMENT EXECUTE FUNCTION count_access();
    CREATE TRIGGER key_changed AFTER UPDATE OR DELETE ON api_keys
      FOR EACH STATEMENT EXECUTE FUNCTION count_access();
  `,
};

export const keyColumns = {
  id: 'id',
  account: 'id',
  name: 'text',
  digest: 'bytes',
  platforms: 'text?',
  created_at: 'integer',
  revoked_at: 'integer?',
  last_four: 'text?',
  expires_at: 'integer?',
  monthly_credits: 'integer?',
} as const satisfies Columns;

const keyRules = {
  id: 'PRIMARY KEY',
  account: 'REFERENCES users (account)',
  digest: 'UNIQUE',
  monthly_credits: 'CHECK (monthly_credits >= 0)',
};

/**
 * Users with their accounts, and the accounts' keys. Times are milliseconds since 1970; `account` is the id in the
 * ledger. Triggers count in `access` every change that makes a cached key stale.
 */
export const accountsSchema: TableSchema = {
  name: 'accounts',
  tables: (types, dialect) => `
    CREATE TABLE users (
      account ${types.id} PRIMARY KEY,
      email ${types.id} NOT NULL UNIQUE,
      verified_at ${types.integer},
      created_at ${types.integer} NOT NULL
    ) ${types.end};

    CREATE TABLE api_keys (${declareColumns(keyColumns, types, keyRules)}) ${types.end};
    CREATE INDEX api_keys_of_account ON api_keys (account, id);

    -- Uses stand in a table of their own: writing one makes no cached key stale.
    CREATE TABLE key_uses (key ${types.id} PRIMARY KEY, used_at ${types.integer} NOT NULL) ${types.end};

    -- Addresses whose account was deleted after it had its trial, as digests: none gets a second one.
    CREATE TABLE former_addresses (digest ${types.bytes} PRIMARY KEY, deleted_at ${types.integer} NOT NULL) ${types.end};

    -- One row. A sequence would count before what it counts can be seen.
    CREATE TABLE access (version ${types.integer} NOT NULL);
    INSERT INTO access (version) VALUES (0);
    ${accessTriggers[dialect.name]}
  `,
  directory: {
    version: 5,
    released: 2,
    upgrade: () => `
      DROP TRIGGER holder_changed;
      DROP TRIGGER holder_gone;
      DROP TRIGGER key_changed;
      DROP TRIGGER key_gone;
      ALTER TABLE holders RENAME TO users;
      ALTER TABLE api_keys ADD COLUMN last_four TEXT;
      ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
      ALTER TABLE api_keys ADD COLUMN monthly_credits INTEGER CHECK (monthly_credits >= 0);
      CREATE TABLE key_uses (key TEXT PRIMARY KEY, used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      ${accessTriggers.sqlite}
    `,
  },
  imports: {
    tables: [{ table: 'users' }, { table: 'api_keys' }, { table: 'key_uses' }, { table: 'former_addresses' }],
  },
};
