import type { PostgresSchema } from '../../postgres/table-schema.js';

/**
 * Answers of the cache, in the table and with the indexes that @keyv/postgres asks by. What a crash loses is a fetch
 * each, and nothing of it goes through the log.
 */
export const answersSchema: PostgresSchema = {
  name: 'answers',
  steps: [
    `
    CREATE UNLOGGED TABLE answers (
      key text COLLATE "C" NOT NULL,
      value text,
      namespace text COLLATE "C",
      expires bigint
    );
    CREATE UNIQUE INDEX answers_key_namespace_idx ON answers (key, coalesce(namespace, ''));
    CREATE INDEX answers_expires_idx ON answers (expires);
    `,
  ],
};
