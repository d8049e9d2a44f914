import { type Database, loadDriver } from '../../../../lib/database/sqlite/driver.js';
import type { StoredBody } from '../exchange-records.js';
import type { IndexEntry } from '../index-line.js';

/** A record of an archive, as its index is asked for it. */
export interface IndexedRecord {
  readonly id: string;
  /** The number of the archive's file, with the position and size in it. */
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
  /** The index line of an answer; null for other records. */
  readonly entry: IndexEntry | null;
  /** The digest of an answer's body where this record has the body; otherwise null. */
  readonly digest: string | null;
  /** The reading that this record describes; null for other records. */
  readonly reading: IndexedReading | null;
}

/** A reading as the index knows it. */
export interface IndexedReading {
  /** The question as one text; equal questions have equal texts. */
  readonly asked: string;
  /** The question of the list's next page; null where none follows. */
  readonly next: string | null;
  /** True where a list, or an object, begins. */
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

/**
 * Where the records of an archive lie. It is a file of SQLite's own that is gone when it is closed, so that an archive of
 * any size takes the same memory.
 */
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
        ...[reading?.asked ?? null, reading?.next ?? null],
        ...[reading && Number(reading.isFirst), reading && Number(reading.failed)],
      );
  }

  /** Where a body of this digest is kept. */
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

  /** The answers in the order of the index. */
  *entries(): Generator<RecordPosition & { readonly entry: IndexEntry }> {
    const query = `SELECT ${position}, entry FROM archive_records WHERE search_key IS NOT NULL ORDER BY search_key, number`;
    for (const row of this.#db.prepare(query).iterate() as Iterable<RecordPosition & { entry: string }>)
      yield { ...row, entry: JSON.parse(row.entry) as IndexEntry };
  }

  /** The next reading after the one of that number, among those that begin something or among all. */
  readingAfter(number: number, firstOnly: boolean): StoredReading | undefined {
    const query = `SELECT ${position} FROM archive_records
      WHERE number > ? AND asked IS NOT NULL AND is_first >= ? ORDER BY number LIMIT 1`;
    return this.#db.prepare(query).get(number, Number(firstOnly)) as StoredReading | undefined;
  }

  /** The reading that goes on with a list, if it was made. One that gave an answer comes before one that failed. */
  nextPage(id: string): StoredReading | undefined {
    const query = `SELECT ${position} FROM archive_records WHERE asked =
        (SELECT next FROM archive_records WHERE id = ?) AND number > (SELECT number FROM archive_records WHERE id = ?)
      ORDER BY failed, number LIMIT 1`;
    return this.#db.prepare(query).get(id, id) as StoredReading | undefined;
  }

  /** True where the same was read again later. */
  isRepeated(id: string): boolean {
    const query = `SELECT 1 FROM archive_records AS one JOIN archive_records AS other
      ON other.asked = one.asked AND other.number > one.number WHERE one.id = ? LIMIT 1`;
    return this.#db.prepare(query).get(id) !== undefined;
  }

  /** Notes that a line of results names the reading. */
  markNamed(id: string): void {
    this.#db.prepare('UPDATE archive_records SET has_line = 1 WHERE id = ?').run(id);
  }

  /** Readings that gave an answer which no line of results names. */
  countUnnamed(): number {
    const query = `SELECT count(*) AS count FROM archive_records
      WHERE asked IS NOT NULL AND failed = 0 AND has_line = 0`;
    return (this.#db.prepare(query).get() as { count: number }).count;
  }

  countRecords(): number {
    return (this.#db.prepare('SELECT count(*) AS count FROM archive_records').get() as { count: number })
      .count;
  }

  close(): void {
    this.#db.close();
  }
}
