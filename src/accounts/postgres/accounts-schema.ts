import type { PostgresSchema } from '../../../lib/postgres/table-schema.js';

/**
 * Users with their accounts, and the keys that call for them. Times are milliseconds since 1970; `account` is the id in
 * the ledger. `access` counts the changes after which a cached key is stale, by triggers, so that no change forgets it.
 */
export const accountsSchema: PostgresSchema = {
  name: 'accounts',
  steps: [
    `
    CREATE TABLE users (
      account text COLLATE "C" PRIMARY KEY,
      email text COLLATE "C" NOT NULL UNIQUE,
      verified_at bigint,
      created_at bigint NOT NULL
    );

    CREATE TABLE api_keys (
      id text COLLATE "C" PRIMARY KEY,
      account text COLLATE "C" NOT NULL REFERENCES users (account),
      name text NOT NULL,
      digest bytea NOT NULL UNIQUE,
      platforms text,
      created_at bigint NOT NULL,
      revoked_at bigint,
      last_four text,
      expires_at bigint,
      monthly_credits bigint CHECK (monthly_credits >= 0)
    );
    CREATE INDEX api_keys_of_account ON api_keys (account, id);

    -- Uses stand in a table of their own: writing one makes no cached key stale.
    CREATE TABLE key_uses (key text COLLATE "C" PRIMARY KEY, used_at bigint NOT NULL);

    -- Addresses whose account was deleted after it had its trial, as digests: none gets a second one.
    CREATE TABLE former_addresses (digest bytea PRIMARY KEY, deleted_at bigint NOT NULL);

    -- One row. A sequence would count before what it counts can be seen.
    CREATE TABLE access (version bigint NOT NULL);
    INSERT INTO access (version) VALUES (0);
    CREATE FUNCTION count_access() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN UPDATE access SET version = version + 1; RETURN NULL; END';
    -- Once a statement, behind the locks of its rows: no two transactions wait for each other.
    CREATE TRIGGER user_changed AFTER UPDATE OR DELETE ON users
      FOR EACH STATEMENT EXECUTE FUNCTION count_access();
    CREATE TRIGGER key_changed AFTER UPDATE OR DELETE ON api_keys
      FOR EACH STATEMENT EXECUTE FUNCTION count_access();
    `,
  ],
  imports: {
    tables: [{ table: 'users' }, { table: 'api_keys' }, { table: 'key_uses' }, { table: 'former_addresses' }],
  },
};
