import type { SchemaSql } from '../../../../lib/database/schema-sql.js';
import type { StateFile } from '../../../../lib/database/sqlite/state-file.js';
import { maxWatches, type WatchState, type WatchStore } from '../watch-store.js';

/** How far each watch has come. Times are milliseconds since 1970. */
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

/** The `WatchStore` of a data directory. */
export class SqliteWatches implements WatchStore {
  readonly #file: StateFile;
  readonly #select;
  readonly #replace;
  readonly #forgetOldest;

  constructor(file: StateFile) {
    this.#file = file;
    this.#select = file.db.prepare<[string], WatchRow>('SELECT * FROM watches WHERE id = ?');
    this.#replace = file.db.prepare<Record<string, string | number | null>>(
      `INSERT OR REPLACE INTO watches (id, anchor, last, run_at, run_output, delivery_id, delivery_body)
       VALUES (@id, @anchor, @last, @runAt, @runOutput, @deliveryId, @deliveryBody)`,
    );
    this.#forgetOldest = file.db.prepare<[string, string, number]>(
      `DELETE FROM watches WHERE id <> ? AND id IN
         (SELECT id FROM watches WHERE id <> ? ORDER BY last DESC, id LIMIT -1 OFFSET ?)`,
    );
  }

  read(id: string): Promise<WatchState | null> {
    return this.#file.read(() => {
      const row = this.#select.get(id);
      if (row === undefined) return null;
      const { anchor, last, run_at, run_output, delivery_id, delivery_body } = row;
      return {
        anchor,
        last,
        run: run_at === null ? null : { at: run_at, output: run_output },
        delivery: delivery_id === null ? null : { id: delivery_id, body: delivery_body ?? '' },
      };
    });
  }

  async write(id: string, { anchor, last, run, delivery }: WatchState): Promise<void> {
    await this.#file.write(() => {
      this.#replace.run({
        id,
        anchor,
        last,
        runAt: run?.at ?? null,
        runOutput: run?.output ?? null,
        deliveryId: delivery?.id ?? null,
        deliveryBody: delivery?.body ?? null,
      });
      this.#forgetOldest.run(id, id, maxWatches - 1);
    });
  }
}
