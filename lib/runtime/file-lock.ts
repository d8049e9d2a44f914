import { closeSync, openSync, rmSync, statSync, truncateSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { loadDriver } from '../database/sqlite/driver.js';
import { sqliteFault } from '../database/sqlite/sqlite-fault.js';
import { writeFailure } from '../errors/storage-error.js';

/** A lock that this process holds. */
export interface FileLock {
  /** Lets others take it. */
  release(): void;
  /** The same, and removes the file. */
  remove(): void;
}

/**
 * How often a refused try is made again before the lock counts as held. Two processes that try in the same moment may
 * refuse each other, and neither would have it. Pauses of different length part them.
 */
const maxRefusals = 4;
const minPauseMs = 5;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Makes the file where there is none. One that is there is not opened: closing it again would free its locks. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The identity of the file at a path; null for none. */
function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/** Removes the file of a lock and lets go of it, in the order that the system wants. */
function removeLock(file: string, letGo: () => void, system: NodeJS.Platform): void {
  if (system !== 'win32') {
    // While the lock is held: whoever takes the next one sees that the file is another.
    rmSync(file, { force: true });
    letGo();
    return;
  }
  // Windows deletes no open file: neither this one before it is closed, nor that of whoever has taken it since.
  letGo();
  try {
    rmSync(file, { force: true });
  } catch (error) {
    if (!['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '')) throw error;
  }
}

/**
 * Takes the lock of a file, and makes the file where there is none. Null while another process, or another part of this
 * one, holds it.
 *
 * The lock is an exclusive transaction on an empty SQLite file, into which nothing is written. Node.js itself has no
 * file locks. SQLite takes those of the system, on every system we run on, and is installed anyway. The system frees
 * them when their process ends, however it ends. So no lock is ever stale, and no process has to judge another's. A
 * file that was left behind means nothing.
 */
export async function lockFile(
  file: string,
  system: NodeJS.Platform = process.platform,
): Promise<FileLock | null> {
  const Sqlite = await loadDriver();
  for (let refusals = 0; ; ) {
    createFile(file);
    const opened = identityOf(file);
    // Removed by its last holder a moment ago.
    if (opened === null) continue;
    const db = new Sqlite(file, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      db.close();
      const fault = sqliteFault(cause);
      if (fault === 'locked') {
        if (refusals === maxRefusals) return null;
        refusals += 1;
        await setTimeout(minPauseMs + Math.random() * minPauseMs * 5);
        continue;
      }
      if (fault === 'full') throw writeFailure(`The lock ${file} cannot be taken`, cause, fault);
      if (fault !== 'damaged') throw cause;
      // Earlier versions wrote the name of their process.
      truncateSync(file);
      continue;
    }
    if (identityOf(file) === opened) {
      return {
        release: () => db.close(),
        remove: () => removeLock(file, () => db.close(), system),
      };
    }
    db.close();
  }
}
