import type { SchemaSql } from '../../../../lib/database/schema-sql.js';
import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { StateFile } from '../../../../lib/database/sqlite/state-file.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import type { Notice } from '../notice.js';
import type { NoticePart } from '../notice-collector.js';
import type { Untold, UntoldLine, UntoldRun, UntoldStore } from '../untold.js';

/** Unsent alerts and their lines. */
export const untoldSchema: SchemaSql = {
  name: 'untold',
  tables: `
    CREATE TABLE untold (
      key TEXT PRIMARY KEY,
      run TEXT NOT NULL,
      saved INTEGER NOT NULL,
      notice TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE untold_lines (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      input INTEGER NOT NULL,
      part TEXT NOT NULL
    ) STRICT;
    CREATE INDEX untold_lines_key ON untold_lines (key, id);
  `,
  steps: [],
};

interface UntoldRow {
  readonly run: string;
  readonly saved: number;
  readonly notice: string | null;
}

/** The `UntoldStore` of a data directory. */
export class SqliteUntold implements UntoldStore {
  readonly #file: StateFile;
  readonly #sql;

  constructor(file: StateFile) {
    const { db } = file;
    this.#file = file;
    this.#sql = {
      select: db.prepare<[string], UntoldRow>('SELECT run, saved, notice FROM untold WHERE key = ?'),
      lines: db.prepare<[string], { readonly input: number; readonly part: string }>(
        'SELECT input, part FROM untold_lines WHERE key = ? ORDER BY id',
      ),
      begin: db.prepare<[string, string]>(
        'INSERT OR REPLACE INTO untold (key, run, saved, notice) VALUES (?, ?, 0, NULL)',
      ),
      add: db.prepare<[string, number, string]>(
        'INSERT INTO untold_lines (key, input, part) VALUES (?, ?, ?)',
      ),
      save: db.prepare<[number, string]>('UPDATE untold SET saved = ? WHERE key = ?'),
      seal: db.prepare<[string, string]>('UPDATE untold SET notice = ? WHERE key = ?'),
      drop: db.prepare<[string]>('DELETE FROM untold WHERE key = ?'),
      dropLines: db.prepare<[string]>('DELETE FROM untold_lines WHERE key = ?'),
    };
  }

  read(key: string): Promise<Untold | null> {
    return this.#file.read(() => {
      const row = this.#sql.select.get(key);
      if (row === undefined) return null;
      return {
        run: JSON.parse(row.run) as UntoldRun,
        saved: row.saved,
        notice: row.notice === null ? null : (JSON.parse(row.notice) as Notice),
        lines: this.#sql.lines
          .all(key)
          .map(({ input, part }) => ({ input, part: JSON.parse(part) as NoticePart })),
      };
    });
  }

  async begin(key: string, run: UntoldRun): Promise<void> {
    await this.#file.write(() => {
      this.#sql.dropLines.run(key);
      this.#sql.begin.run(key, JSON.stringify(run));
    });
  }

  async add(key: string, { input, part }: UntoldLine): Promise<void> {
    await this.#file.write(() => this.#sql.add.run(key, input, JSON.stringify(part)));
  }

  async save(key: string, before: number): Promise<void> {
    await this.#file.write(() => this.#sql.save.run(before, key));
  }

  async seal(key: string, notice: Notice): Promise<void> {
    await this.#file.write(() => {
      this.#sql.dropLines.run(key);
      this.#sql.seal.run(JSON.stringify(notice), key);
    });
  }

  async drop(key: string): Promise<void> {
    await this.#file.write(() => {
      this.#sql.dropLines.run(key);
      this.#sql.drop.run(key);
    });
  }
}

/** Removes lines and alerts that name a subject, inside a transaction. Returns their number. */
export function forgetInUntold(db: Database, traces: Traces): number {
  const dropLine = db.prepare<[number]>('DELETE FROM untold_lines WHERE id = ?');
  const dropAlert = db.prepare<[string]>('DELETE FROM untold WHERE key = ?');
  const lines = db.prepare<[], { id: number; part: string }>('SELECT id, part FROM untold_lines').all();
  const alerts = db
    .prepare<[], { key: string; notice: string | null }>('SELECT key, notice FROM untold')
    .all();
  let removed = 0;
  for (const { id, part } of lines) if (traces.in(part)) removed += dropLine.run(id).changes;
  for (const { key, notice } of alerts) if (traces.in(notice)) removed += dropAlert.run(key).changes;
  return removed;
}
