import type { TableSchema } from '../../../../lib/database/table-schema.js';

/**
 * Links, sessions, and the mails requested in the last hour. Secrets and addresses are stored only as digests. Times
 * are milliseconds since 1970.
 */
export const signInSchema: TableSchema = {
  name: 'sign-in',
  tables: ({ id, text, integer, bytes, end }) => `
    CREATE TABLE sign_in_links (
      digest ${bytes} PRIMARY KEY,
      browser ${bytes} NOT NULL,
      code ${bytes} NOT NULL,
      tries ${integer} NOT NULL DEFAULT 0,
      email ${id} NOT NULL,
      next ${text} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${end};
    CREATE INDEX sign_in_links_by_time ON sign_in_links (created_at);
    CREATE INDEX sign_in_links_of_browser ON sign_in_links (browser, created_at);
    CREATE INDEX sign_in_links_of_email ON sign_in_links (email);

    -- Counts of one hour: mails to an address, from a network, and from it to an address.
    CREATE TABLE sign_in_mails (
      whom ${bytes} NOT NULL,
      at ${integer} NOT NULL,
      number ${integer} NOT NULL,
      PRIMARY KEY (whom, at, number)
    ) ${end};
    CREATE INDEX sign_in_mails_by_time ON sign_in_mails (at);

    CREATE TABLE sessions (
      digest ${bytes} PRIMARY KEY,
      id ${id} NOT NULL UNIQUE,
      account ${id} NOT NULL,
      browser ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer} NOT NULL
    ) ${end};
    CREATE INDEX sessions_of_account ON sessions (account, last_used_at);
    CREATE INDEX sessions_by_use ON sessions (last_used_at);

    CREATE TABLE admin_links (digest ${bytes} PRIMARY KEY, created_at ${integer} NOT NULL) ${end};
    CREATE TABLE admin_sessions (digest ${bytes} PRIMARY KEY, created_at ${integer} NOT NULL) ${end};
  `,
  directory: {
    version: 3,
    released: 1,
    // Accounts are deleted by a method, not a trigger or foreign key. Old links have no code, and last for minutes.
    upgrade: () => `
      DROP TRIGGER IF EXISTS links_of_nobody;
      DELETE FROM sign_in_links;
      ALTER TABLE sign_in_links ADD COLUMN code BLOB NOT NULL DEFAULT x'';
      ALTER TABLE sign_in_links ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sign_in_links_of_browser ON sign_in_links (browser, created_at);
      CREATE INDEX sign_in_links_of_email ON sign_in_links (email);
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
  },
  imports: {
    tables: [
      { table: 'sign_in_links', where: 'code IS NOT NULL' },
      { table: 'sign_in_mails' },
      { table: 'sessions' },
      { table: 'admin_links' },
      { table: 'admin_sessions' },
    ],
  },
};
