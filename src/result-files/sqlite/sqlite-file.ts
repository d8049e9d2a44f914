import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { nativeModuleFault } from '../../../lib/runtime/missing-module.js';
import type { InputAnswer, ResultFileShape, ResultFileWriter } from '../result-file.js';
import { endpointTables } from './table-plan.js';
import { TableRows } from './table-rows.js';

/** The run that writes into a database. */
export interface SqliteRun {
  /** Unique for ever, and the same when the run is repeated. */
  readonly id: string;
  readonly at: string;
}

const ownTables = `
CREATE TABLE IF NOT EXISTS extract_errors (
  endpoint TEXT NOT NULL, input TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, run TEXT NOT NULL,
  PRIMARY KEY (endpoint, input)) STRICT;
CREATE TABLE IF NOT EXISTS extract_runs (
  run TEXT PRIMARY KEY, endpoint TEXT NOT NULL, inputs INTEGER NOT NULL, items INTEGER NOT NULL,
  failed INTEGER NOT NULL, finished_at TEXT NOT NULL) STRICT;`;

/** How long another program may hold the database. */
const busyMs = 10_000;

function open(file: string): Database {
  try {
    return new Sqlite(file, { timeout: busyMs });
  } catch (cause) {
    if ((cause as { code?: string }).code?.startsWith('SQLITE') === true) throw fault(cause);
    throw new ExtractError('internal_error', nativeModuleFault(cause), { cause });
  }
}

/** What SQLite says against a file, as an error of the catalogue. */
function fault(cause: unknown): unknown {
  const { code = '', message } = cause as { code?: string; message?: string };
  if (!code.startsWith('SQLITE')) return cause;
  if (code.startsWith('SQLITE_FULL')) {
    return new ExtractError(
      'internal_error',
      'The database cannot be written: its disk is full; free some space.',
      {
        cause,
      },
    );
  }
  const what =
    code === 'SQLITE_NOTADB'
      ? 'it is no SQLite database'
      : code.startsWith('SQLITE_BUSY')
        ? 'another program is writing it; end that first'
        : `${message}. Where a table of that name is of another shape, write to another file`;
  return new ExtractError('invalid_parameter', `The database cannot be written: ${what}.`, { cause });
}

/** A database in one transaction: all of the run is in it, or nothing. */
class SqliteFile implements ResultFileWriter {
  readonly #db: Database;
  readonly #run: SqliteRun;
  readonly #endpoint: string;
  readonly #keyed: string | null;
  readonly #items: TableRows;
  readonly #addError: Statement;
  readonly #dropError: Statement;
  #hasErrors: boolean;
  #counts = { inputs: 0, items: 0, failed: 0 };

  constructor(db: Database, { endpoint }: ResultFileShape, run: SqliteRun) {
    const { key, items } = endpointTables(endpoint);
    this.#db = db;
    this.#run = run;
    this.#endpoint = endpoint.path;
    this.#keyed = key;
    db.exec('BEGIN IMMEDIATE');
    db.exec(ownTables);
    this.#items = new TableRows(db, items);
    this.#addError = db.prepare('INSERT OR REPLACE INTO extract_errors VALUES (?, ?, ?, ?, ?)');
    this.#dropError = db.prepare('DELETE FROM extract_errors WHERE endpoint = ? AND input = ?');
    const known = db.prepare('SELECT 1 FROM extract_errors WHERE endpoint = ? LIMIT 1');
    this.#hasErrors = known.get(endpoint.path) !== undefined;
  }

  add(answer: InputAnswer): void {
    try {
      this.#add(answer);
    } catch (cause) {
      throw fault(cause);
    }
  }

  #add({ input, items, from, error }: InputAnswer): void {
    const text = JSON.stringify(input);
    if (from === 0) this.#counts.inputs += 1;
    if (error !== null) {
      this.#counts.failed += 1;
      this.#hasErrors = true;
      this.#addError.run(this.#endpoint, text, error.code, error.message, this.#run.id);
      return;
    }
    if (this.#hasErrors && from === 0) this.#dropError.run(this.#endpoint, text);
    this.#counts.items += items.length;
    if (this.#keyed === null) {
      // A new answer to an input takes the place of the one before: its items have no identifiers to be found by.
      if (from === 0 && this.#items.has(text)) this.#items.delete(text);
      for (const [at, item] of items.entries()) this.#items.write([text, from + at], item);
      return;
    }
    for (const item of items) {
      this.#items.write([(item as Readonly<Record<string, string>>)[this.#keyed] as string], item, text);
    }
  }

  async end(): Promise<void> {
    try {
      const { inputs, items, failed } = this.#counts;
      const { id, at } = this.#run;
      this.#db
        .prepare('INSERT OR REPLACE INTO extract_runs VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, this.#endpoint, inputs, items, failed, at);
      this.#db.exec('COMMIT');
      this.#db.exec('PRAGMA optimize');
    } catch (cause) {
      throw fault(cause);
    } finally {
      this.#db.close();
    }
  }

  async abort(): Promise<void> {
    this.#db.close();
  }
}

/**
 * Opens a database for a run. With `append` an existing one is changed, in one transaction; without, the file is a draft
 * that nobody reads before it is complete, and what a loss of power would leave of it is not looked at.
 */
export function openSqliteFile(
  file: string,
  shape: ResultFileShape,
  run: SqliteRun,
  append: boolean,
): ResultFileWriter {
  const db = open(file);
  try {
    if (!append) {
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
    }
    return new SqliteFile(db, shape, run);
  } catch (cause) {
    db.close();
    throw fault(cause);
  }
}

/** True where a database holds a finished run. */
export function hasRun(file: string, id: string): boolean {
  const db = open(file);
  try {
    const tables = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'extract_runs'").get();
    return (
      tables !== undefined && db.prepare('SELECT 1 FROM extract_runs WHERE run = ?').get(id) !== undefined
    );
  } catch (cause) {
    throw fault(cause);
  } finally {
    db.close();
  }
}
