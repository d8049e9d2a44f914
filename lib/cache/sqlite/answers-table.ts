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
/** Milliseconds to wait for another process that writes. */
const lockTimeout = 250;
/** Expired entries removed with each new one: more than one, so that they do not accumulate. */
const sweptBySet = 2;
/** Entries that one statement removes from an oversized table, and maximum statements per new entry. */
const [oldestAtOnce, maxOldest] = [8, 4];
const logPages = 1000;
/**
 * KiB of cached pages. Keys are digests, so their pages are scattered: the driver's 16 MB would make a batch of 100,000
 * larger by 12 MB and no faster (2026-11).
 */
const pageCacheKiB = 2000;
/** Entries removed per statement when the table is emptied. */
const clearedAtOnce = 100;

export interface TableLimit {
  /** Maximum bytes of entries. */
  readonly bytes: number;
  /** Bytes by which the file may grow. */
  readonly spare: number;
}

/**
 * Connects @keyv/sqlite to the ledger's SQLite. By default it would load Node's own, a second SQLite in the process.
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

interface Write {
  readonly key: string;
  readonly text: string;
  readonly expires: number;
}

/** The answers in an open file. Rejects with SQLite's errors. */
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
  /** Grouped: a transaction per answer would cost a batch a fifth of its time (2026-11). */
  readonly #writes: GroupQueue<Write>;
  /** Grouped: reading answers one by one would cost a batch a seventh of its time (2026-11). */
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
    // The store's own `get` compares `expires` with the machine's clock.
    this.#select = db
      .prepare<[string, string], string>(`SELECT value FROM ${table} WHERE key = ? AND namespace = ?`)
      .pluck();
    this.#deleteOldest = db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${oldestAtOnce})`,
    );
    // The store's own `set` would keep the row's position. A new row keeps rows in the order of writing.
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
    const readKeys = db.transaction((keys: readonly string[]) =>
      keys.map((key) => ({ value: this.#select.get(key, namespace) })),
    );
    this.#reads = new GroupQueue((keys) => whenUnlocked(clock, () => readKeys.deferred(keys), lockTimeout));
  }

  /** Opens the file, creating it if necessary. `limit` returns its current size limit. */
  static async open(file: string, clock: Clock, limit: () => TableLimit): Promise<AnswersTable> {
    const db = await openSqliteFile(file);
    try {
      await whenUnlocked(clock, () => db.pragma('journal_mode = WAL'), lockTimeout);
      // A cache may lose its latest entries in a power cut, so it waits for the disk only at checkpoints.
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

  /** Returns the text of a key, expired or not. The caller's clock decides. */
  get<Value>(key: string): Promise<KeyvStorageGetResult<Value>> {
    return this.#reads.add(key);
  }

  /**
   * Writes a text and removes a few others, in a transaction with concurrent writes. Expired entries go first, then the
   * oldest ones while the table exceeds its `bytes` or the disk is full.
   */
  set(key: string, text: string, expires = 0): Promise<boolean> {
    return this.#writes.add({ key, text, expires });
  }

  #write({ key, text, expires }: Write, { bytes, spare }: TableLimit): void {
    // Without space to spare, an entry goes into freed pages and the file does not grow.
    const most = spare > 0 ? bytes : Math.min(bytes, this.#fileBytes() - 2 * text.length);
    for (let tries = maxOldest; tries > 0 && this.#usedBytes() > most; tries -= 1) this.#deleteOldest.run();
    this.#insert.run(key, namespace, text, expires);
  }

  #fileBytes(): number {
    return this.#pages() * this.#pageSize;
  }

  /** Returns the bytes of pages in use. Freed pages are reused before the file grows. */
  #usedBytes(): number {
    return this.#fileBytes() - this.#freePages() * this.#pageSize;
  }

  /** Frees the space of the write-ahead log. Returns false if that is not possible now. */
  truncateLog(): boolean {
    return truncateLog(this.#db);
  }

  /** Removes every entry, in batches so that no caller waits long, and frees the space. */
  async clear(): Promise<void> {
    const some = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${clearedAtOnce}) RETURNING 1`;
    while ((await this.#store.query(some)).length > 0) {
      await new Promise<void>((turn) => setImmediate(turn));
    }
    // While another process uses the file, its size does not change.
    await this.#store.query('VACUUM').catch(() => undefined);
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.#reads.idle(), this.#writes.idle()]);
    await this.#store.disconnect();
  }
}
