import type { PostgresSchema } from '../../postgres/table-schema.js';

/** Secrets that all servers of a database share, by their name. */
export const secretsSchema: PostgresSchema = {
  name: 'secrets',
  steps: ['CREATE TABLE secrets (name text PRIMARY KEY, value bytea NOT NULL);'],
};
