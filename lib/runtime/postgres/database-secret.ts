import { randomBytes } from 'node:crypto';
import type { Postgres } from '../../database/postgres/postgres.js';
import type { Queries } from '../../database/queries.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import { StorageError } from '../../errors/storage-error.js';

/** Secrets shared by all servers of a database, by name. */
export const secretsSchema: SchemaSql = {
  name: 'secrets',
  tables: 'CREATE TABLE secrets (name text PRIMARY KEY, value bytea NOT NULL);',
};

const bytes = 32;
const name = 'cursor';

/**
 * The key that signs cursors and keys digests of guessable values, shared by all servers of a database and created
 * once. Rejects with a `StorageError`.
 */
export async function databaseSecret(postgres: Postgres): Promise<Uint8Array> {
  const value =
    (await readSecret(postgres)) ??
    // A second process finds the key of the first.
    (await postgres
      .write((queries) =>
        queries.run('INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
          name,
          randomBytes(bytes),
        ]),
      )
      .then(() => readSecret(postgres)));
  if (value?.length === bytes) return value;
  throw new StorageError(
    'damaged',
    'The table “secrets” of the database has no key for signing cursors. Restore a backup, or delete its row: a new key is created, and existing cursors expire.',
  );
}

/** Stores an existing key as the database's, inside a transaction, if the database has none. */
export async function storeSecret(queries: Queries, value: Uint8Array): Promise<void> {
  await queries.run('INSERT INTO secrets (name, value) VALUES ($1, $2)', [name, Buffer.from(value)]);
}

/** Undefined if it has none. */
export async function findSecret(queries: Queries): Promise<Buffer | undefined> {
  const row = await queries.first<{ readonly value: Buffer }>('SELECT value FROM secrets WHERE name = $1', [
    name,
  ]);
  return row?.value;
}

const readSecret = (postgres: Postgres) => postgres.read(findSecret);
