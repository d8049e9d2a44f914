import type { Database } from '../../../lib/database/database.js';
import type { Queries, SqlValue } from '../../../lib/database/queries.js';
import type { SchemaSql } from '../../../lib/database/schema-sql.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import type { Notice } from './notice.js';
import type { NoticePart } from './notice-collector.js';
import type { UnsentAlert, UnsentLine, UnsentRun } from './unsent-alert.js';

export const unsentSchema: SchemaSql = {
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

interface UnsentAlertRow {
  readonly run: string;
  readonly saved: number;
  readonly notice: string | null;
}

interface LineRow {
  readonly input: number;
  readonly part: string;
}

const dropLines = 'DELETE FROM untold_lines WHERE key = $1';

export class StoredUnsentAlerts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  read(key: string): Promise<UnsentAlert | null> {
    return this.#database.read(async (queries) => {
      const row = await queries.first<UnsentAlertRow>(
        'SELECT run, saved, notice FROM untold WHERE key = $1',
        [key],
      );
      if (row === undefined) return null;
      const lines = await queries.rows<LineRow>(
        'SELECT input, part FROM untold_lines WHERE key = $1 ORDER BY id',
        [key],
      );
      return {
        run: JSON.parse(row.run) as UnsentRun,
        saved: row.saved,
        notice: row.notice === null ? null : (JSON.parse(row.notice) as Notice),
        lines: lines.map(({ input, part }) => ({ input, part: JSON.parse(part) as NoticePart })),
      };
    });
  }

  /** Starts the alert of a run, replacing what is stored under the key. */
  begin(key: string, run: UnsentRun): Promise<void> {
    return this.#change(
      key,
      'INSERT OR REPLACE INTO untold (key, run, saved, notice) VALUES ($1, $2, 0, NULL)',
      [JSON.stringify(run)],
    );
  }

  /** Adds a line before it is written to the output. */
  async add(key: string, { input, part }: UnsentLine): Promise<void> {
    await this.#database.write((queries) =>
      queries.run('INSERT INTO untold_lines (key, input, part) VALUES ($1, $2, $3)', [
        ...[key, input, JSON.stringify(part)],
      ]),
    );
  }

  /** Records that the lines of all inputs before this index are safe. */
  async save(key: string, before: number): Promise<void> {
    await this.#database.write((queries) =>
      queries.run('UPDATE untold SET saved = $2 WHERE key = $1', [key, before]),
    );
  }

  /** Stores the notice being sent, replacing the lines. */
  seal(key: string, notice: Notice): Promise<void> {
    return this.#change(key, 'UPDATE untold SET notice = $2 WHERE key = $1', [JSON.stringify(notice)]);
  }

  drop(key: string): Promise<void> {
    return this.#change(key, 'DELETE FROM untold WHERE key = $1', []);
  }

  /** Changes an alert and drops its lines. */
  async #change(key: string, text: string, values: readonly SqlValue[]): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.run(dropLines, [key]);
      await queries.run(text, [key, ...values]);
    });
  }
}

/** Removes lines and alerts that name a subject, inside a transaction. Returns their number. */
export async function forgetInUnsentAlerts(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (const [table, key, column] of [
    ['untold_lines', 'id', 'part'],
    ['untold', 'key', 'notice'],
  ] as const) {
    const rows = await queries.rows<{ readonly key: string | number; readonly text: string | null }>(
      `SELECT ${key} AS key, ${column} AS text FROM ${table}`,
    );
    for (const { key: value } of rows.filter(({ text }) => traces.in(text))) {
      removed += await queries.run(`DELETE FROM ${table} WHERE ${key} = $1`, [value]);
    }
  }
  return removed;
}
