import type { Database, Statement } from '../../../../lib/database/sqlite/driver.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import { type ChangeCells, changeRows, changeText } from '../change-columns.js';
import { contentKey } from '../content-key.js';
import { coverageCells } from '../coverage-columns.js';
import {
  type InputAnswer,
  type ResultFileShape,
  type ResultFileWriter,
  recordsChanges,
} from '../result-file.js';
import { sourceValues } from '../source-columns.js';
import { databaseFault, openDatabase } from './open-database.js';
import { endpointTables } from './table-plan.js';
import { TableRows } from './table-rows.js';

export interface SqliteRun {
  /** Globally unique, and the same when the run is repeated. */
  readonly id: string;
  readonly at: string;
}

const fixedTables = `
CREATE TABLE IF NOT EXISTS extract_errors (
  endpoint TEXT NOT NULL, input TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, run TEXT NOT NULL,
  PRIMARY KEY (endpoint, input)) STRICT;
CREATE TABLE IF NOT EXISTS extract_runs (
  run TEXT PRIMARY KEY, endpoint TEXT NOT NULL, inputs INTEGER NOT NULL, items INTEGER NOT NULL,
  failed INTEGER NOT NULL, finished_at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS extract_coverage (
  run TEXT NOT NULL, endpoint TEXT NOT NULL, input TEXT NOT NULL, given INTEGER NOT NULL, total INTEGER,
  ended TEXT NOT NULL, ignored TEXT NOT NULL, rounded TEXT NOT NULL, routes TEXT NOT NULL,
  PRIMARY KEY (run, endpoint, input)) STRICT;
CREATE TABLE IF NOT EXISTS seen (
  item TEXT NOT NULL, input TEXT NOT NULL, position INTEGER NOT NULL, fetched_at TEXT, run TEXT NOT NULL,
  endpoint TEXT NOT NULL, PRIMARY KEY (endpoint, item, run, input, position)) STRICT, WITHOUT ROWID;`;

function openTables(db: Database, shape: ResultFileShape) {
  const { key, items } = endpointTables({ ...shape, onlyNew: recordsChanges(shape) });
  db.exec(fixedTables);
  return { key, items: new TableRows(db, items) };
}

const changeRecord = ([field, before, after]: ChangeCells) => ({
  changed: field,
  before: changeText(before),
  after: changeText(after),
});

/** A database written in one transaction: it contains all of the run, or nothing. */
class SqliteFile implements ResultFileWriter {
  readonly #db: Database;
  readonly #run: SqliteRun;
  readonly #endpoint: string;
  readonly #keyed: string | null;
  readonly #many: boolean;
  readonly #sources: boolean;
  readonly #items: TableRows;
  readonly #addSeen: Statement;
  readonly #addError: Statement;
  readonly #dropError: Statement;
  readonly #addCoverage: Statement;
  #hasErrors: boolean;
  #counts = { inputs: 0, items: 0, failed: 0 };

  constructor(db: Database, shape: ResultFileShape, run: SqliteRun) {
    const { endpoint } = shape;
    this.#db = db;
    this.#run = run;
    this.#endpoint = endpoint.path;
    this.#many = endpoint.many;
    this.#sources = shape.sources === true;
    db.exec('BEGIN IMMEDIATE');
    const { key, items } = openTables(db, shape);
    this.#keyed = key;
    this.#items = items;
    this.#addSeen = db.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?, ?, ?)');
    this.#addError = db.prepare('INSERT OR REPLACE INTO extract_errors VALUES (?, ?, ?, ?, ?)');
    this.#dropError = db.prepare('DELETE FROM extract_errors WHERE endpoint = ? AND input = ?');
    this.#addCoverage = db.prepare(
      'INSERT OR REPLACE INTO extract_coverage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const anyError = db.prepare('SELECT 1 FROM extract_errors WHERE endpoint = ? LIMIT 1');
    this.#hasErrors = anyError.get(endpoint.path) !== undefined;
  }

  add(answer: InputAnswer): void {
    try {
      this.#add(answer);
    } catch (cause) {
      throw databaseFault(cause);
    }
  }

  #add({ input, index, own, items, sources, coverage, from, error, changed }: InputAnswer): void {
    const text = JSON.stringify(input);
    if (from === 0) this.#counts.inputs += 1;
    if (error !== null) {
      this.#counts.failed += 1;
      this.#hasErrors = true;
      this.#addError.run(this.#endpoint, text, error.code, error.message, this.#run.id);
    } else if (this.#hasErrors && from === 0) this.#dropError.run(this.#endpoint, text);
    if (coverage !== undefined)
      this.#addCoverage.run(this.#run.id, this.#endpoint, text, ...coverageCells(coverage));
    this.#counts.items += items.length;
    for (const [at, item] of items.entries()) {
      const source = sources?.[at];
      const key = this.#keyOf(item, source, text);
      const sourceCells = this.#sources ? { source: sourceValues(source, index) } : {};
      const changes = changed == null ? [] : changeRows(changed).map(changeRecord);
      this.#items.write([key], item, { input: text, ...sourceCells, changes, own });
      const position = source?.position ?? from + at + 1;
      this.#addSeen.run(key, text, position, source?.fetched_at ?? null, this.#run.id, this.#endpoint);
    }
  }

  /** Returns the key of an item: its own ID, the platform's, or the key of `--new`. */
  #keyOf(item: unknown, source: ItemSource | undefined, input: string): string {
    if (this.#keyed !== null) return (item as Readonly<Record<string, string>>)[this.#keyed] as string;
    return source?.id ?? (this.#many ? contentKey(item) : input);
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
      throw databaseFault(cause);
    } finally {
      this.#db.close();
    }
  }

  async abort(): Promise<void> {
    this.#db.close();
  }
}

/**
 * Opens a database for a run. With `append` an existing one is changed in one transaction. Otherwise the file is a
 * draft that is not read before it is complete, so a power failure does no harm.
 */
export async function openSqliteFile(
  file: string,
  shape: ResultFileShape,
  run: SqliteRun,
  append: boolean,
): Promise<ResultFileWriter> {
  const db = await openDatabase(file);
  try {
    if (!append) {
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
    }
    return new SqliteFile(db, shape, run);
  } catch (cause) {
    db.close();
    throw databaseFault(cause);
  }
}

/** Creates a database with the empty tables of a run, before its first answer is stored in another part of the file. */
export async function makeTables(file: string, shape: ResultFileShape): Promise<void> {
  const db = await openDatabase(file);
  try {
    db.transaction(() => openTables(db, shape)).immediate();
  } catch (cause) {
    throw databaseFault(cause);
  } finally {
    db.close();
  }
}
