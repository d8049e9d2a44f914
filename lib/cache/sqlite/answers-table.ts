import type { KeyvSqlite, SqliteDriver } from '@keyv/sqlite';
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
export interface AnswersTable extends AnswerStore {
  /** Frees the space of the write-ahead log. Returns false if that is not possible now. */
  truncateLog(): boolean;
}

function tableOver(db: Database, store: KeyvSqlite, clock: Clock, limit: () => TableLimit): AnswersTable {
  const count = (name: string) => {
    const statement = db.prepare<[], number>(`PRAGMA ${name}`).pluck();
    return () => statement.get() ?? 0;
  };
  const [pages, freePages, pageSize] = [count('page_count'), count('freelist_count'), count('page_size')()];
  // The store's own `get` compares `expires` with the machine's clock.
  const select = db
    .prepare<[string, string], string>(`SELECT value FROM ${table} WHERE key = ? AND namespace = ?`)
    .pluck();
  const deleteOldest = db.prepare(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} ORDER BY rowid LIMIT ${oldestAtOnce})`,
  );
  // The store's own `set` would keep the row's position. A new row keeps rows in the order of writing.
  const insert = db.prepare<[string, string, string, number]>(
    `INSERT OR REPLACE INTO ${table} (key, namespace, value, expires) VALUES (?, ?, ?, ?)`,
  );
  const sweep = db.prepare<[number, number]>(
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires <= ? LIMIT ?)`,
  );
  const write = db.transaction((writes: readonly Write[]) => {
    const { bytes, spare } = limit();
    for (const { key, text, expires } of writes) {
      // Without space to spare, an entry goes into freed pages and the file does not grow.
      const most = spare > 0 ? bytes : Math.min(bytes, pages() * pageSize - 2 * text.length);
      // Freed pages are reused before the file grows.
      for (let tries = maxOldest; tries > 0 && (pages() - freePages()) * pageSize > most; tries -= 1)
        deleteOldest.run();
      insert.run(key, namespace, text, expires);
    }
    sweep.run(clock.now(), sweptBySet * writes.length);
  });
  /** Grouped: a transaction per answer would cost a batch a fifth of its time (2026-11). */
  const writes = new GroupQueue<Write>(async (group) => {
    await whenUnlocked(clock, () => write.immediate(group), lockTimeout);
    return group.map(() => ({ value: true }));
  });
  const readKeys = db.transaction((keys: readonly string[]) =>
    keys.map((key) => ({ value: select.get(key, namespace) })),
  );
  /** Grouped: reading answers one by one would cost a batch a seventh of its time (2026-11). */
  const reads = new GroupQueue<string>((keys) =>
    whenUnlocked(clock, () => readKeys.deferred(keys), lockTimeout),
  );
  return {
    /** Returns the text of a key, expired or not. The caller's clock decides. */
    get: (key) => reads.add(key),
    /**
     * Writes a text and removes a few others, in a transaction with concurrent writes. Expired entries go first, then
     * the oldest ones while the table exceeds its `bytes` or the disk is full.
     */
    set: (key: string, text: string, expires = 0) => writes.add({ key, text, expires }),
    truncateLog: () => truncateLog(db),
    /** Removes every entry, in batches so that no caller waits long, and frees the space. */
    async clear() {
      const some = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${clearedAtOnce}) RETURNING 1`;
      while ((await store.query(some)).length > 0) {
        await new Promise<void>((turn) => setImmediate(turn));
      }
      // While another process uses the file, its size does not change.
      await store.query('VACUUM').catch(() => undefined);
    },
    async disconnect() {
      await Promise.all([reads.idle(), writes.idle()]);
      await store.disconnect();
    },
  };
}

/** Opens the file, creating it if necessary. `limit` returns its current size limit. */
export async function openAnswersTable(
  file: string,
  clock: Clock,
  limit: () => TableLimit,
): Promise<AnswersTable> {
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
    return tableOver(db, store, clock, limit);
  } catch (cause) {
    db.close();
    throw cause;
  }
}
