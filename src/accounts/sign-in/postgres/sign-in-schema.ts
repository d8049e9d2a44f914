import type { PostgresSchema } from '../../../../lib/postgres/table-schema.js';

/**
 * Links, sessions and the mails that were asked for in the last hour. Of secrets and of whom the mails went to there
 * are digests alone. Times are milliseconds since 1970.
 */
export const signInSchema: PostgresSchema = {
  name: 'sign-in',
  steps: [
    `
    CREATE TABLE sign_in_links (
      digest bytea PRIMARY KEY,
      browser bytea NOT NULL,
      code bytea NOT NULL,
      tries integer NOT NULL DEFAULT 0,
      email text COLLATE "C" NOT NULL,
      next text NOT NULL,
      created_at bigint NOT NULL
    );
    CREATE INDEX sign_in_links_by_time ON sign_in_links (created_at);
    CREATE INDEX sign_in_links_of_browser ON sign_in_links (browser, created_at);
    CREATE INDEX sign_in_links_of_email ON sign_in_links (email);

    -- What is counted of one hour: mails to an address from a network, mails from a network, wrong codes.
    CREATE TABLE sign_in_mails (
      whom bytea NOT NULL,
      at bigint NOT NULL,
      number integer NOT NULL,
      PRIMARY KEY (whom, at, number)
    );
    CREATE INDEX sign_in_mails_by_time ON sign_in_mails (at);

    CREATE TABLE sessions (
      digest bytea PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      account text COLLATE "C" NOT NULL,
      browser text NOT NULL,
      created_at bigint NOT NULL,
      last_used_at bigint NOT NULL
    );
    CREATE INDEX sessions_of_account ON sessions (account, last_used_at);
    CREATE INDEX sessions_by_use ON sessions (last_used_at);

    CREATE TABLE admin_links (digest bytea PRIMARY KEY, created_at bigint NOT NULL);
    CREATE TABLE admin_sessions (digest bytea PRIMARY KEY, created_at bigint NOT NULL);
    `,
  ],
  imports: {
    tables: [
      // Links of the first versions had no code, and last for minutes.
      { table: 'sign_in_links', where: 'code IS NOT NULL' },
      { table: 'sign_in_mails' },
      { table: 'sessions' },
      { table: 'admin_links' },
      { table: 'admin_sessions' },
    ],
  },
};
