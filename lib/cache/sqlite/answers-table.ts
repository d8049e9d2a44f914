import type { KeyvSqlite, SqliteDriver } from '@keyv/sqlite';
import type { KeyvStorageGetResult } from 'keyv';
import { GroupQueue } from '../../database/group-queue.js';
import type { Database } from '../../database/sqlite/driver.js';
import { whenUnlocked } from '../../database/sqlite/lock-wait.js';
import { openSqliteFile } from '../../database/sqlite/sqlite-file.js';
import { boundLog, truncateLog } from '../../database/sqlite/wal-pages.js';
import type { Clock } from '../../runtime/clock.js';
import type { AnswerStore } from '../careful-store.js';
import { namespace } from '../tier.js';

const table = 'answers';
/** Milliseconds an operation waits for another process that writes. */
const lockTimeout = 250;
/** Expired entries that a new one removes: more than one, so that they do not pile up. */
const sweptBySet = 2;
/** Entries that one statement removes of a table that is too large. A new entry waits for so many such statements. */
const [oldestAtOnce, maxOldest] = [8, 4];
/** Pages of the write-ahead log, at most. */
const logPages = 1000;
/**
 * KiB of pages that the connection keeps. Keys are digests, whose pages lie anywhere: the driver's 16 MB would make a batch of
 * 100,000 larger by 12 MB and no faster (2026-11).
 */
const pageCacheKiB = 2000;
/** Entries that one statement removes when the table is emptied. */
const clearedAtOnce = 100;

/** The size that the table may take. */
export interface TableLimit {
  /** Bytes of its entries. */
  readonly bytes: number;
  /** Bytes by which the file may grow. */
  readonly spare: number;
}

/**
 * Brings @keyv/sqlite to the file by the SQLite that the ledger stands on. By itself it would take Node's own: a second
 * SQLite in the process.
 */
function driverOf(db: Database, clock: Clock): SqliteDriver {
  const run = (sql: string, values: readonly unknown[]) => {
    const statement = db.prepare<unknown[], unknown>(sql);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  };
  return {
    name: 'better-sqlite3',
    connect: async () => ({
      query: (sql, ...values) => whenUnlocked(clock, () => run(sql, values), lockTimeout),
      close: async () => void db.close(),
    }),
  };
}

/** A text that is to be written. */
interface Write {
  readonly key: string;
  readonly text: string;
  readonly expires: number;
}

/** The table of answers in an open file. Rejects with what SQLite threw. */
export class AnswersTable implements AnswerStore {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #limit: () => TableLimit;
  readonly #pages: () => number;
  readonly #freePages: () => number;
  readonly #pageSize: number;
  readonly #select;
  readonly #deleteOldest;
  readonly #insert;
  readonly #sweep;
  readonly #store: KeyvSqlite;
  /** A transaction of its own for each answer would cost a batch a fifth of its time (2026-11). */
  readonly #writes: GroupQueue<Write>;
  /** Read one by one, answers that a batch asks for at about the same time would take a seventh of its time (2026-11). */
  readonly #reads: GroupQueue<string>;

  private constructor(db: Database, store: KeyvSqlite, clock: Clock, limit: () => TableLimit) {
    const count = (name: string) => {
      const statement = db.prepare<[], number>(`PRAGMA ${name}`).pluck();
      return () => statement.get() ?? 0;
    };
    this.#db = db;
    this.#clock = clock;
    this.#limit = limit;
    this.#pages = count('page_count');
    this.#freePages = count('freelist_count');
    this.#pageSize = count('page_size')();
    // The store's own `get` holds `expires` against the machine's clock.
    this.#select = db
      .prepare<[string, string], string>(`SELECT value FROM ${table} WHERE key = ? AND namespace = ?`)
      .pluck();
    this.#deleteOldest = db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${oldestAtOnce})`,
    );
    // The store's own `set` would keep the row's place. A new row keeps the order of rows that of writing.
    this.#insert = db.prepare<[string, string, string, number]>(
      `INSERT OR REPLACE INTO ${table} (key, namespace, value, expires) VALUES (?, ?, ?, ?)`,
    );
    this.#sweep = db.prepare<[number, number]>(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires <= ? LIMIT ?)`,
    );
    this.#store = store;
    const write = db.transaction((writes: readonly Write[]) => {
      const most = this.#limit();
      for (const one of writes) this.#write(one, most);
      this.#sweep.run(this.#clock.now(), sweptBySet * writes.length);
    });
    this.#writes = new GroupQueue(async (writes) => {
      await whenUnlocked(clock, () => write.immediate(writes), lockTimeout);
      return writes.map(() => ({ value: true }));
    });
    const read = db.transaction((keys: readonly string[]) =>
      keys.map((key) => ({ value: this.#select.get(key, namespace) })),
    );
    this.#reads = new GroupQueue((keys) => whenUnlocked(clock, () => read.deferred(keys), lockTimeout));
  }

  /** Opens the file, making it when it is not there. `limit`: the size that it may have now. */
  static async open(file: string, clock: Clock, limit: () => TableLimit): Promise<AnswersTable> {
    const db = await openSqliteFile(file);
    try {
      await whenUnlocked(clock, () => db.pragma('journal_mode = WAL'), lockTimeout);
      // A cache may lose its last entries in a power cut. So it waits for the disk only when the log is moved.
      db.pragma('synchronous = NORMAL');
      db.pragma(`cache_size = -${pageCacheKiB}`);
      boundLog(db, logPages);
      const { KeyvSqlite } = await import('@keyv/sqlite');
      const store = new KeyvSqlite({ uri: `sqlite://${file}`, table, driver: driverOf(db, clock) });
      await store.ready;
      return new AnswersTable(db, store, clock, limit);
    } catch (cause) {
      db.close();
      throw cause;
    }
  }

  /** The text of a key, expired or not: whose clock that is held against is the caller's to say. */
  get<Value>(key: string): Promise<KeyvStorageGetResult<Value>> {
    return this.#reads.add(key);
  }

  /**
   * Writes a text and removes a few others, in a transaction with those that come at about the same time. Those that have
   * expired go first. The oldest ones go while the table takes more than its `bytes` or the disk is full.
   */
  set(key: string, text: string, expires = 0): Promise<boolean> {
    return this.#writes.add({ key, text, expires });
  }

  #write({ key, text, expires }: Write, { bytes, spare }: TableLimit): void {
    // Where the disk has nothing to spare, an entry goes into pages that others have left. The file does not grow.
    const most = spare > 0 ? bytes : Math.min(bytes, this.#fileBytes() - 2 * text.length);
    for (let tries = maxOldest; tries > 0 && this.#usedBytes() > most; tries -= 1) this.#deleteOldest.run();
    this.#insert.run(key, namespace, text, expires);
  }

  #fileBytes(): number {
    return this.#pages() * this.#pageSize;
  }

  /** Bytes of the pages that hold something. Pages that were emptied are used again before the file grows. */
  #usedBytes(): number {
    return this.#fileBytes() - this.#freePages() * this.#pageSize;
  }

  /** Gives the space of the write-ahead log back. False where that is not possible now. */
  truncateLog(): boolean {
    return truncateLog(this.#db);
  }

  /** Removes every entry, some at a time so that nobody waits long, and gives the space back. */
  async clear(): Promise<void> {
    const some = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${clearedAtOnce}) RETURNING 1`;
    while ((await this.#store.query(some)).length > 0) {
      await new Promise<void>((turn) => setImmediate(turn));
    }
    // While somebody else uses the file it stays as large as it is.
    await this.#store.query('VACUUM').catch(() => undefined);
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.#reads.idle(), this.#writes.idle()]);
    await this.#store.disconnect();
  }
}
