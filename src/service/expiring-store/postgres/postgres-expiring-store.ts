import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { SchemaSql } from '../../../../lib/database/schema-sql.js';
import type { ExpiringStore, ExpiringText } from '../expiring-store.js';

/**
 * Short-lived texts, compressed. Times are milliseconds since 1970 by the database's clock. Unlogged: a text lost in a
 * crash is recreated by its owner.
 */
export const transientSchema: SchemaSql = {
  name: 'transient',
  tables: `
    CREATE UNLOGGED TABLE transient_texts (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      ends_at double precision NOT NULL,
      value bytea NOT NULL,
      PRIMARY KEY (kind, id)
    );
    ALTER TABLE transient_texts ALTER COLUMN value SET STORAGE EXTERNAL;
    CREATE INDEX transient_texts_of_owner ON transient_texts (kind, owner, ends_at);
    CREATE INDEX transient_texts_by_end ON transient_texts (ends_at);
  `,
};

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Expired texts deleted with each new one: more than one, so that they do not accumulate. */
const sweptByPut = 20;

/** Milliseconds since 1970 by the database's clock, constant within a statement. */
const now = '(extract(epoch FROM statement_timestamp()) * 1000)::float8';

const sweep = `
  DELETE FROM transient_texts WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM transient_texts WHERE ends_at <= ${now} LIMIT ${sweptByPut} FOR UPDATE SKIP LOCKED))`;

/** An expired text releases its id to the next. */
const insert = `
  INSERT INTO transient_texts (kind, id, owner, ends_at, value) VALUES ($1, $2, $3, ${now} + $4, $5)
  ON CONFLICT (kind, id) DO UPDATE SET
    owner = excluded.owner, ends_at = excluded.ends_at, value = excluded.value`;

const makeRoom = `
  DELETE FROM transient_texts WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM transient_texts WHERE kind = $1 AND owner = $2 ORDER BY ends_at DESC, id OFFSET $3
    FOR UPDATE SKIP LOCKED))`;

export class PostgresExpiringStore implements ExpiringStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async put({ kind, id, owner, value, lifetimeMs }: ExpiringText, maxOfOwner: number): Promise<void> {
    const bytes = await compress(value);
    await this.#postgres.transaction(async (queries) => {
      await queries.run(sweep);
      await queries.run(insert, [kind, id, owner, lifetimeMs, bytes]);
      await queries.run(makeRoom, [kind, owner, maxOfOwner]);
    });
  }

  async find(kind: string, id: string): Promise<Pick<ExpiringText, 'owner' | 'value'> | undefined> {
    const row = await this.#postgres.read((queries) =>
      queries.first<{ readonly owner: string; readonly value: Buffer }>(
        `SELECT owner, value FROM transient_texts WHERE kind = $1 AND id = $2 AND ends_at > ${now}`,
        [kind, id],
      ),
    );
    return row && { owner: row.owner, value: String(await decompress(row.value)) };
  }

  async claim(kind: string, id: string, lifetimeMs: number): Promise<boolean> {
    const nothing = await compress('');
    const claimed = await this.#postgres.transaction(async (queries) => {
      await queries.run(sweep);
      return queries.run(`${insert} WHERE transient_texts.ends_at <= ${now}`, [
        ...[kind, id, ''],
        lifetimeMs,
        nothing,
      ]);
    });
    return claimed > 0;
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.#postgres.write((queries) =>
      queries.run('DELETE FROM transient_texts WHERE kind = $1 AND id = $2', [kind, id]),
    );
  }

  /** Deletes the texts for which `names` returns true, of any owner. Returns their number. */
  async forget(names: (text: string) => boolean): Promise<number> {
    let deleted = 0;
    const keys = await this.#postgres.read((queries) =>
      queries.rows<{ readonly kind: string; readonly id: string }>('SELECT kind, id FROM transient_texts'),
    );
    for (const { kind, id } of keys) {
      const text = await this.find(kind, id);
      if (text !== undefined && !names(text.value)) continue;
      await this.delete(kind, id);
      deleted += text === undefined ? 0 : 1;
    }
    return deleted;
  }
}
