import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { KeyvSqlite } from '@keyv/sqlite';
import type Keyv from 'keyv';
import type { Clock } from '../clock.js';
import { ExtractError } from '../errors.js';
import { gathered } from '../gathered.js';
import { sqliteFault } from '../sqlite-fault.js';
import { cacheFault } from './cache-fault.js';
import { expiryDigits, expiryText, type Kept, keptFrom, keptText } from './kept.js';

interface Opened {
  readonly entries: Keyv<Kept>;
  readonly store: KeyvSqlite;
}

/** Keys that are looked up together, and what is found of them, in their order. */
interface Lookup {
  readonly keys: string[];
  readonly found: Promise<readonly (Kept | undefined)[] | undefined>;
}

/** Entries that are written together, and when they are. */
interface Group {
  readonly entries: Map<string, Kept>;
  readonly written: Promise<void>;
}

const table = 'answers';
const expiry = `substr(value, 1, ${expiryDigits})`;
/** Milliseconds the file is left aside after a fault. */
const rest = 30_000;
/** Milliseconds a call waits for another process that writes. */
const busyTimeout = 250;
/** Entries of one statement: bounds what stands in memory twice. */
const rowsOfStatement = 200;
/** Sets from one removal of expired entries to the next, and how many are removed at most. */
const sweepEvery = 100;
const sweepAtMost = 200;

/**
 * The far tier: a Keyv over @keyv/sqlite, loaded and opened when it is first asked. A file that cannot be used
 * is a miss: `onFault` hears of it once, and it is tried again after half a minute.
 *
 * Nothing else in a process may open this file: @keyv/sqlite brings an SQLite of its own beside the ledger's, and
 * two copies of SQLite in one process do not see each other's locks.
 */
export class SqliteTier {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #onFault: (fault: Error) => void;
  #opening: Promise<Opened> | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #told = false;
  #closed = false;
  #sets = sweepEvery;
  #lookup: Lookup | undefined;
  #lastLookup: Promise<unknown> = Promise.resolve();
  #group: Group | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(file: string, clock: Clock, onFault: (fault: Error) => void) {
    this.#file = path.resolve(file);
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** What is asked for at about the same time, or while others are looked up, is looked up together. */
  async get(key: string): Promise<Kept | undefined> {
    this.#lookup ??= this.#lookUp();
    const { keys, found } = this.#lookup;
    const at = keys.push(key) - 1;
    return (await found)?.[at];
  }

  /** What is set at about the same time, or while other entries are being written, is written together. */
  async set(key: string, kept: Kept): Promise<void> {
    this.#group ??= this.#gatherGroup();
    const { entries, written } = this.#group;
    entries.set(key, kept);
    await written;
  }

  /** Empties the file; a damaged one is replaced. Rejects `internal_error` when the entries are still there. */
  async clear(): Promise<void> {
    await this.#lastWrite;
    try {
      const { entries, store } = await this.#open();
      await entries.clear();
      // Gives the space back; while somebody else uses the file it stays as large as it is.
      await store.query('VACUUM').catch(() => undefined);
    } catch (cause) {
      if (sqliteFault(cause) !== 'damaged') {
        throw new ExtractError('internal_error', cacheFault(cause).message, { cause });
      }
      await this.#drop(this.#opening);
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file + suffix, { force: true });
    }
    this.#restsUntil = Number.NEGATIVE_INFINITY;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    this.#closed = true;
    await this.#drop(this.#opening);
  }

  async #attempt<T>(work: (opened: Opened) => Promise<T>): Promise<T | undefined> {
    if (this.#closed || this.#clock.now() < this.#restsUntil) return undefined;
    const opening = this.#open();
    try {
      return await work(await opening);
    } catch (cause) {
      if (this.#closed) return undefined;
      this.#restsUntil = this.#clock.now() + rest;
      await this.#drop(opening);
      if (!this.#told) this.#onFault(cacheFault(cause));
      this.#told = true;
      return undefined;
    }
  }

  #lookUp(): Lookup {
    const keys: string[] = [];
    const found = this.#lastLookup
      .then(() => gathered(() => keys.length))
      .then(() => {
        this.#lookup = undefined;
        return this.#attempt(({ entries }) => entries.getMany<Kept>(keys));
      });
    this.#lastLookup = found;
    return { keys, found };
  }

  #gatherGroup(): Group {
    const entries = new Map<string, Kept>();
    const written = this.#lastWrite
      .then(() => gathered(() => entries.size))
      .then(async () => {
        this.#group = undefined;
        await this.#attempt((opened) => this.#write(opened, [...entries]));
      });
    this.#lastWrite = written;
    return { entries, written };
  }

  async #write({ store }: Opened, group: readonly (readonly [string, Kept])[]): Promise<void> {
    for (let from = 0; from < group.length; from += rowsOfStatement) {
      const part = group.slice(from, from + rowsOfStatement);
      const texts = part.map(([key, kept]) => `${JSON.stringify(key)}:${JSON.stringify(keptText(kept))}`);
      // One JSON text, taken apart where SQLite works, costs this thread less than a parameter for each value.
      await store.query(
        `INSERT INTO ${table} (key, value) SELECT key, value FROM json_each(?) WHERE true
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        `{${texts.join(',')}}`,
      );
    }
    this.#sets += group.length;
    if (this.#sets < sweepEvery) return;
    this.#sets = 0;
    await this.#sweep(store);
  }

  #open(): Promise<Opened> {
    this.#opening ??= openEntries(this.#file, this.#clock);
    return this.#opening;
  }

  /** Lets go of a connection, whatever state it is in; the next call opens another. */
  async #drop(opening: Promise<Opened> | undefined): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    await opening?.then(({ store }) => store.disconnect()).catch(() => undefined);
  }

  async #sweep(store: KeyvSqlite): Promise<void> {
    await store.query(
      `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE ${expiry} <= ? LIMIT ${sweepAtMost})`,
      expiryText(this.#clock.now()),
    );
  }
}

/** Tries to open a file that another process is making at the same moment: SQLite does not wait for its lock then. */
const mostTries = 4;

async function openEntries(file: string, clock: Clock): Promise<Opened> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openOnce(file);
    } catch (cause) {
      if (tries === mostTries || sqliteFault(cause) !== 'locked') throw cause;
      await clock.sleep(20 * tries);
    }
  }
}

async function openOnce(file: string): Promise<Opened> {
  const [{ KeyvSqlite }, { default: Keyv }] = await Promise.all([import('@keyv/sqlite'), import('keyv')]);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // SQLite would make the file with the umask's mode; its -wal and -shm files take over the mode of the file.
  closeSync(openSync(file, 'a', 0o600));
  const store = new KeyvSqlite({ uri: `sqlite://${file}`, table, busyTimeout });
  const entries = new Keyv<Kept>({
    store,
    namespace: '',
    throwOnErrors: true,
    serialize: ({ value }: { value: unknown }) => keptText(value as Kept),
    // Text that is no entry of ours is a miss, and the answer that is fetched then takes its place.
    deserialize: <Value>(text: string) => {
      const value = keptFrom(text);
      return value && { value: value as Value };
    },
  });
  try {
    await store.query('PRAGMA journal_mode = WAL');
    // A cache may lose its last entries in a power cut, so it does not wait for the disk.
    await store.query('PRAGMA synchronous = NORMAL');
    // Keys are digests: each lands on another page, which is the cheaper to move into the file the more it gathered.
    await store.query('PRAGMA wal_autocheckpoint = 4000');
    await store.query(`CREATE INDEX IF NOT EXISTS ${table}_expiry ON ${table} (${expiry})`);
    return { entries, store };
  } catch (cause) {
    await store.disconnect().catch(() => undefined);
    throw cause;
  }
}
