import type { KeyvSqlite, SqliteDriver } from '@keyv/sqlite';
import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../runtime/clock.js';
import { whenUnlocked } from '../sqlite/lock-wait.js';
import { openSqliteFile } from '../sqlite/sqlite-file.js';
import { answerFrom, answerText, type CacheEntry } from './cache-entry.js';

const table = 'answers';
/** Milliseconds an operation waits for another process that writes. */
const lockTimeout = 250;
/** Expired entries that a new one removes: more than one, so that they do not pile up. */
const sweptBySet = 2;
/** Entries that one statement removes when the table is emptied. */
const clearedAtOnce = 100;

/**
 * Brings @keyv/sqlite to the file by the SQLite that the ledger stands on. By itself it would take Node's own: a second
 * SQLite in the process. Its driver for ours prepares each statement anew: a get took 24 µs, here 10 (measured 2026-11).
 */
function driverOf(db: Database, clock: Clock): SqliteDriver {
  // Few: each of its operations on one entry has one text.
  const statements = new Map<string, Statement<unknown[], unknown>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare<unknown[], unknown>(sql);
    statements.set(sql, statement);
    return statement;
  };
  const run = (sql: string, values: readonly unknown[]) => {
    const statement = prepared(sql);
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

/** The table of answers in an open file. Rejects with what SQLite threw. */
export class AnswersTable {
  readonly #store: KeyvSqlite;
  #fault: unknown;

  private constructor(store: KeyvSqlite) {
    this.#store = store;
    // What goes wrong with a `set` is reported here alone.
    store.on('error', (cause: unknown) => {
      this.#fault = cause;
    });
  }

  /** Opens the file, making it when it is not there. */
  static async open(file: string, clock: Clock): Promise<AnswersTable> {
    const db = await openSqliteFile(file);
    try {
      await whenUnlocked(clock, () => db.pragma('journal_mode = WAL'), lockTimeout);
      // A cache may lose its last entries in a power cut, so it waits for the disk only when the log is moved.
      db.pragma('synchronous = NORMAL');
      const { KeyvSqlite } = await import('@keyv/sqlite');
      const store = new KeyvSqlite({ uri: `sqlite://${file}`, table, driver: driverOf(db, clock) });
      await store.ready;
      return new AnswersTable(store);
    } catch (cause) {
      db.close();
      throw cause;
    }
  }

  /** The entry of a key, expired or not: whose clock that is held against is the caller's to say. */
  async get(key: string): Promise<CacheEntry | undefined> {
    // The store's own `get` holds `expires` against the machine's clock, and does not return it.
    const rows = await this.#store.query(
      `SELECT value, expires FROM ${table} WHERE key = ? AND namespace = ''`,
      key,
    );
    const [row] = rows as readonly { value: unknown; expires: unknown }[];
    if (typeof row?.value !== 'string' || typeof row.expires !== 'number') return undefined;
    const answer = answerFrom(row.value);
    return answer && { answer, expires: row.expires };
  }

  /** Writes an entry, and removes a few of those that have expired by `now`. */
  async set(key: string, { answer, expires }: CacheEntry, now: number): Promise<void> {
    if (!(await this.#store.set(key, answerText(answer), Math.ceil(expires)))) throw this.#fault;
    await this.#store.query(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE expires <= ? LIMIT ${sweptBySet})`,
      now,
    );
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

  async close(): Promise<void> {
    await this.#store.disconnect();
  }
}
