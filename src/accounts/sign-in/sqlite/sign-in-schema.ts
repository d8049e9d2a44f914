import type { TableSchema } from '../../../../lib/ledger/sqlite/migration.js';

/**
 * Links, sessions and the mails that were asked for in the last hour. Of secrets and of whom the mails went to there
 * are digests alone. Times are milliseconds since 1970.
 */
export const signInSchema: TableSchema = {
  name: 'sign-in',
  steps: [
    `
    CREATE TABLE sign_in_links (
      digest BLOB PRIMARY KEY,
      browser BLOB NOT NULL,
      email TEXT NOT NULL,
      next TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sign_in_links_by_time ON sign_in_links (created_at);

    CREATE TABLE sign_in_mails (
      whom BLOB NOT NULL,
      at INTEGER NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (whom, at, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sign_in_mails_by_time ON sign_in_mails (at);

    CREATE TABLE sessions (
      digest BLOB PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      account TEXT NOT NULL,
      browser TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_of_account ON sessions (account, last_used_at);
    CREATE INDEX sessions_by_use ON sessions (last_used_at);

    CREATE TABLE admin_links (digest BLOB PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE admin_sessions (digest BLOB PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
    // Older files: a trigger on the users and a foreign key to them. Deleting an account is a method now.
    `
    DROP TRIGGER IF EXISTS links_of_nobody;
    CREATE TABLE sessions_alone (
      digest BLOB PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      account TEXT NOT NULL,
      browser TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sessions_alone SELECT * FROM sessions;
    DROP TABLE sessions;
    ALTER TABLE sessions_alone RENAME TO sessions;
    CREATE INDEX sessions_of_account ON sessions (account, last_used_at);
    CREATE INDEX sessions_by_use ON sessions (last_used_at);
    `,
    // The mail holds a code beside its link, for the browser that asked.
    `
    ALTER TABLE sign_in_links ADD COLUMN code BLOB;
    ALTER TABLE sign_in_links ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX sign_in_links_of_browser ON sign_in_links (browser, created_at);
    `,
  ],
};
