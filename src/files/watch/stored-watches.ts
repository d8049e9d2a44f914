import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import type { SchemaSql } from '../../../lib/database/schema-sql.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { maxWatches, type WatchState, type WatchStore } from './watch-store.js';

/** Times are milliseconds since 1970. */
export const watchesSchema: SchemaSql = {
  name: 'watches',
  tables: `
    CREATE TABLE watches (
      id TEXT PRIMARY KEY,
      anchor INTEGER NOT NULL,
      last INTEGER NOT NULL,
      run_at INTEGER,
      run_output TEXT,
      delivery_id TEXT,
      delivery_body TEXT
    ) STRICT, WITHOUT ROWID;
  `,
  steps: [
    'ALTER TABLE watches ADD COLUMN delivery_notice TEXT;',
    'ALTER TABLE watches DROP COLUMN delivery_notice;',
  ],
};

interface WatchRow {
  readonly anchor: number;
  readonly last: number;
  readonly run_at: number | null;
  readonly run_output: string | null;
  readonly delivery_id: string | null;
  readonly delivery_body: string | null;
}

/** The watches of a data directory. */
export class StoredWatches implements WatchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(id: string): Promise<WatchState | null> {
    const row = await this.#database.read((queries) =>
      queries.first<WatchRow>('SELECT * FROM watches WHERE id = $1', [id]),
    );
    if (row === undefined) return null;
    const { anchor, last, run_at, run_output, delivery_id, delivery_body } = row;
    return {
      anchor,
      last,
      run: run_at === null ? null : { at: run_at, output: run_output },
      delivery: delivery_id === null ? null : { id: delivery_id, body: delivery_body ?? '' },
    };
  }

  async write(id: string, { anchor, last, run, delivery }: WatchState): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.run(
        `INSERT OR REPLACE INTO watches (id, anchor, last, run_at, run_output, delivery_id, delivery_body)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          ...[id, anchor, last, run?.at ?? null, run?.output ?? null],
          ...[delivery?.id ?? null, delivery?.body ?? null],
        ],
      );
      await queries.run(
        `DELETE FROM watches WHERE id <> $1 AND id IN
           (SELECT id FROM watches WHERE id <> $1 ORDER BY last DESC, id LIMIT -1 OFFSET $2)`,
        [id, maxWatches - 1],
      );
    });
  }
}

/** Drops pending deliveries of watches that name a subject, inside a transaction. Returns their number. */
export async function forgetInWatches(queries: Queries, traces: Traces): Promise<number> {
  const deliveries = await queries.rows<{ readonly id: string; readonly body: string | null }>(
    'SELECT id, delivery_body AS body FROM watches WHERE delivery_id IS NOT NULL',
  );
  const matching = deliveries.filter(({ body }) => traces.in(body));
  for (const { id } of matching) {
    await queries.run('UPDATE watches SET delivery_id = NULL, delivery_body = NULL WHERE id = $1', [id]);
  }
  return matching.length;
}
