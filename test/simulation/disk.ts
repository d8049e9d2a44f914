import fs, { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import { currentProcess, later, machine } from './machine.js';

/*
 * The disk of the machine: files in memory, of which a power failure keeps what was synced. SQLite is the real one. Its
 * connections end with their process, and its commits meet the disk's faults.
 */

interface Faults {
  /** The disk is full, and every commit fails. */
  isFull: boolean;
  /** Number of the next syncs that fail, although the file has their data. */
  failingSyncs: number;
  /** Failed syncs. After two of them, a commit cannot be verified. */
  failedSyncs: number;
  /** Milliseconds that a sync takes. */
  syncMs: number;
}

const well: Faults = { isFull: false, failingSyncs: 0, failedSyncs: 0, syncMs: 0 };

export const disk: Faults = { ...well };

/** Bytes of each log that are on the disk, by inode. */
const synced = new Map<number, number>();
const opened = new WeakSet<Database>();
/** Connections of each file that belong to no process. The last connection to close a file would checkpoint its log. */
const keepers = new Map<string, Database>();

export function resetDisk(logs: readonly (readonly [number, number])[] = []): void {
  for (const keeper of keepers.values()) close.call(keeper);
  keepers.clear();
  synced.clear();
  for (const [inode, length] of logs) synced.set(inode, length);
  Object.assign(disk, well);
}

/** A connection of the simulation itself, which reads the committed state. */
export function keeperOf(file: string): Database {
  const existing = keepers.get(file);
  if (existing !== undefined) return existing;
  const keeper = new Sqlite(file, { timeout: 0 });
  opened.add(keeper);
  // Prepared statements are reused, because the invariants repeat them after each step.
  const statements = new Map<string, Statement>();
  const prepareOnce = (source: string) => {
    const statement = statements.get(source) ?? prepare.call(keeper, source);
    statements.set(source, statement);
    return statement;
  };
  keeper.prepare = prepareOnce as Database['prepare'];
  keepers.set(file, keeper);
  return keeper;
}

/** Copies a folder as a power failure would leave it. Returns the bytes of each copied log, by inode. */
export function copySynced(from: string, to: string): (readonly [number, number])[] {
  mkdirSync(to, { recursive: true });
  const onDisk: (readonly [number, number])[] = [];
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) onDisk.push(...copySynced(source, target));
    else if (!entry.name.endsWith('-shm')) {
      copyFileSync(source, target);
      const { ino, size } = statSync(source);
      const length = Math.min(synced.get(ino) ?? 0, size);
      if (!entry.name.endsWith('-wal')) continue;
      if (length === 0) rmSync(target);
      else {
        truncateSync(target, length);
        onDisk.push([statSync(target).ino, length]);
      }
    }
  }
  return onDisk;
}

const failure = (message: string, code: string) => Object.assign(new Error(message), { code });

function syncNow(file: number): void {
  const owner = currentProcess();
  owner?.burn();
  if (owner?.isDead === true) throw failure('The process was killed.', 'KILLED');
  machine.busyMs += disk.syncMs;
  if (disk.failingSyncs > 0) {
    disk.failingSyncs -= 1;
    disk.failedSyncs += 1;
    throw failure('The disk failed.', 'EIO');
  }
  const { ino, size } = fs.fstatSync(file);
  synced.set(ino, size);
}

/** The same disk function in a separate turn; it never completes in a killed process. */
const inTurn =
  <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
  (...args: Args): Promise<Result> => {
    const owner = currentProcess();
    if (owner?.isDead === true) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        if (owner?.isDead === true) return;
        try {
          resolve(work(...args));
        } catch (cause) {
          reject(cause);
        }
      });
    });
  };

const realRead = fs.readFileSync;
const readFileSync = (file: unknown, ...rest: unknown[]) => {
  const [, pid] = /^\/proc\/(\d{8,})\/stat$/.exec(String(file)) ?? [];
  if (pid === undefined) return (realRead as (...args: unknown[]) => unknown)(file, ...rest);
  if (machine.processes.get(Number(pid))?.isDead !== false) throw failure('There is no such file.', 'ENOENT');
  return `${pid} (node) S ${Array.from({ length: 18 }, () => 0).join(' ')} ${pid} 0`;
};
const fdatasync = (file: number, done: (cause: unknown) => void) =>
  void later(disk.syncMs, () => {
    try {
      syncNow(file);
      done(null);
    } catch (cause) {
      done(cause);
    }
  });
Object.assign(fs, { readFileSync, fdatasync, fdatasyncSync: syncNow });
const { rmSync: remove, linkSync, renameSync, writeFileSync, mkdirSync: makeFolder, unlinkSync } = fs;
Object.assign(fsPromises, {
  ...{ readFile: inTurn(readFileSync), writeFile: inTurn(writeFileSync), rm: inTurn(remove) },
  ...{
    link: inTurn(linkSync),
    rename: inTurn(renameSync),
    mkdir: inTurn(makeFolder),
    stat: inTurn(statSync),
  },
  ...{ readdir: inTurn(readdirSync), unlink: inTurn(unlinkSync) },
});
syncBuiltinESMExports();

const driver = Sqlite.prototype as Database;
const { prepare, pragma, exec, close } = driver;

/** Assigns a connection to its process. */
function enter(db: Database): void {
  const owner = currentProcess();
  if (owner === undefined || opened.has(db)) return;
  opened.add(db);
  const end = () => void close.call(db);
  if (owner.isDead) end();
  else {
    owner.onKill(end);
    pragma.call(db, 'busy_timeout = 0');
    if (db.name.endsWith('.db') && !db.readonly) keeperOf(db.name);
  }
}

driver.prepare = function enterPrepare(this: Database, source: string) {
  enter(this);
  return prepare.call(this, source);
} as Database['prepare'];
driver.pragma = function enterPragma(this: Database, ...args: Parameters<Database['pragma']>) {
  enter(this);
  return pragma.apply(this, args);
};
driver.exec = function enterExec(this: Database, source: string) {
  enter(this);
  return exec.call(this, source);
};

const sample = new Sqlite(':memory:');
const statements = Object.getPrototypeOf(prepare.call(sample, 'SELECT 1')) as Statement;
sample.close();
const { run, get, all } = statements;
/** The process of a statement, if it is still alive before it. */
function alive(): boolean {
  const owner = currentProcess();
  owner?.burn();
  if (owner?.isDead === true) throw failure('The process was killed.', 'KILLED');
  return owner !== undefined;
}
/** A full disk refuses the commit, after which SQLite has undone the transaction. */
statements.run = function runOnDisk(this: Statement, ...args: unknown[]) {
  if (alive() && disk.isFull && this.source === 'COMMIT') {
    exec.call(this.database, 'ROLLBACK');
    throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
  }
  return run.apply(this, args);
} as Statement['run'];
statements.get = function getAlive(this: Statement, ...args: unknown[]) {
  alive();
  return get.apply(this, args);
} as Statement['get'];
statements.all = function allAlive(this: Statement, ...args: unknown[]) {
  alive();
  return all.apply(this, args);
} as Statement['all'];
