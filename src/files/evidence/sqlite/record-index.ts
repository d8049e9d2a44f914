import { type Database, loadDriver } from '../../../../lib/database/sqlite/driver.js';
import type { StoredBody } from '../exchange-records.js';
import type { IndexEntry } from '../index-line.js';

export interface IndexedRecord {
  readonly id: string;
  /** Number of the segment, with position and size in it. */
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  /** The index line of a response; otherwise null. */
  readonly entry: IndexEntry | null;
  /** Digest of the body if this record stores it; otherwise null. */
  readonly digest: string | null;
  /** The reading that this record describes; otherwise null. */
  readonly reading: IndexedReading | null;
}

export interface IndexedReading {
  /** The query as a string; equal queries have equal strings. */
  readonly query: string;
  /** The query of the list's next page; null if there is none. */
  readonly next: string | null;
  /** False for a page that continues a list. */
  readonly isFirst: boolean;
  readonly failed: boolean;
}

export type RecordPosition = Pick<IndexedRecord, 'id' | 'segment' | 'offset' | 'length'>;
type StoredReading = RecordPosition & { readonly number: number };

const tables = `
CREATE TABLE archive_records (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, segment INTEGER NOT NULL, start INTEGER NOT NULL,
  size INTEGER NOT NULL, digest TEXT, search_key TEXT, entry TEXT,
  asked TEXT, next TEXT, is_first INTEGER, failed INTEGER, has_line INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX archive_records_digest ON archive_records (digest) WHERE digest IS NOT NULL;
CREATE INDEX archive_records_key ON archive_records (search_key) WHERE search_key IS NOT NULL;
CREATE INDEX archive_records_asked ON archive_records (asked, number) WHERE asked IS NOT NULL;`;

const position = 'number, id, segment, start AS "offset", size AS "length"';

/** Locates the records of an archive. Uses a temporary SQLite file, so that memory does not grow with the archive. */
export class RecordIndex {
  readonly #db: Database;

  private constructor(db: Database) {
    this.#db = db;
  }

  static async open(): Promise<RecordIndex> {
    const Sqlite = await loadDriver();
    const db = new Sqlite('');
    db.pragma('journal_mode = OFF');
    db.exec(tables);
    return new RecordIndex(db);
  }

  add({ id, segment, offset, length, entry, digest, reading }: IndexedRecord): void {
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO archive_records
          (id, segment, start, size, digest, search_key, entry, asked, next, is_first, failed)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[id, segment, offset, length, digest, entry?.key ?? null, entry && JSON.stringify(entry)],
        ...[reading?.query ?? null, reading?.next ?? null],
        ...[reading && Number(reading.isFirst), reading && Number(reading.failed)],
      );
  }

  bodyOf(digest: string): StoredBody | undefined {
    const row = this.#db.prepare('SELECT id, entry FROM archive_records WHERE digest = ?').get(digest) as
      | { id: string; entry: string }
      | undefined;
    if (row === undefined) return undefined;
    const { url, date } = JSON.parse(row.entry) as IndexEntry;
    return { id: row.id, url, date };
  }

  positionOf(id: string): RecordPosition | undefined {
    const query = `SELECT ${position} FROM archive_records WHERE id = ?`;
    return this.#db.prepare(query).get(id) as RecordPosition | undefined;
  }

  *entries(): Generator<RecordPosition & { readonly entry: IndexEntry }> {
    const query = `SELECT ${position}, entry FROM archive_records WHERE search_key IS NOT NULL ORDER BY search_key, number`;
    for (const row of this.#db.prepare(query).iterate() as Iterable<RecordPosition & { entry: string }>)
      yield { ...row, entry: JSON.parse(row.entry) as IndexEntry };
  }

  /** Returns the reading that follows a number; with `firstOnly`, the next that does not continue a list. */
  readingAfter(number: number, firstOnly: boolean): StoredReading | undefined {
    const query = `SELECT ${position} FROM archive_records
      WHERE number > ? AND asked IS NOT NULL AND is_first >= ? ORDER BY number LIMIT 1`;
    return this.#db.prepare(query).get(number, Number(firstOnly)) as StoredReading | undefined;
  }

  /** Returns the reading of a list's next page, preferring an answer to a failure. */
  nextPage(id: string): StoredReading | undefined {
    const query = `SELECT ${position} FROM archive_records WHERE asked =
        (SELECT next FROM archive_records WHERE id = ?) AND number > (SELECT number FROM archive_records WHERE id = ?)
      ORDER BY failed, number LIMIT 1`;
    return this.#db.prepare(query).get(id, id) as StoredReading | undefined;
  }

  /** True if the same query was read again later. */
  isRepeated(id: string): boolean {
    const query = `SELECT 1 FROM archive_records AS one JOIN archive_records AS other
      ON other.asked = one.asked AND other.number > one.number WHERE one.id = ? LIMIT 1`;
    return this.#db.prepare(query).get(id) !== undefined;
  }

  /** Records that a line of results refers to the reading. */
  markNamed(id: string): void {
    this.#db.prepare('UPDATE archive_records SET has_line = 1 WHERE id = ?').run(id);
  }

  /** Counts answers that no line of results refers to. */
  countUnnamed(): number {
    const query = `SELECT count(*) AS count FROM archive_records
      WHERE asked IS NOT NULL AND failed = 0 AND has_line = 0`;
    return (this.#db.prepare(query).get() as { count: number }).count;
  }

  close(): void {
    this.#db.close();
  }
}
