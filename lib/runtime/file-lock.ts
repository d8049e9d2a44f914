import { closeSync, openSync, rmSync, truncateSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { loadDriver } from '../database/sqlite/driver.js';
import { sqliteFault } from '../database/sqlite/sqlite-fault.js';
import { writeFailure } from '../errors/storage-error.js';
import { fileIdentity } from './file-identity.js';

export interface FileLock {
  release(): void;
  remove(): void;
}

export interface LockOptions {
  /** Pauses before another attempt, given the number of those made; false gives up. */
  readonly pause?: (attempts: number) => Promise<boolean>;
  readonly system?: NodeJS.Platform;
}

const minPauseMs = 5;
const maxAttempts = 5;

/** Two processes that try at the same moment may refuse each other; pauses of different lengths separate them. */
async function pauseBriefly(attempts: number): Promise<boolean> {
  if (attempts === maxAttempts) return false;
  await setTimeout(minPauseMs + Math.random() * minPauseMs * 5);
  return true;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Creates a missing file. An existing one is not opened, because closing it would release its locks. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Removes the file of a lock and releases it, in the order that the system requires. */
function removeLock(file: string, letGo: () => void, system: NodeJS.Platform): void {
  if (system !== 'win32') {
    // Under the lock: the next process to lock the file notices that it is a different one.
    rmSync(file, { force: true });
    letGo();
    return;
  }
  // Windows cannot delete open files: neither this one before it is closed, nor one that another process has locked
  // since.
  letGo();
  try {
    rmSync(file, { force: true });
  } catch (error) {
    if (!['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '')) throw error;
  }
}

/**
 * Locks a file, creating it if necessary. Null while another process, or another part of this one, holds the lock.
 *
 * The lock is an exclusive transaction on an empty SQLite file. Node.js itself has no file locks; SQLite uses the
 * system's, and is installed anyway. The system releases them when their process ends, even if killed. So no lock is
 * ever stale, no process has to judge another's, and a leftover file means nothing.
 */
export async function lockFile(
  file: string,
  { pause = pauseBriefly, system = process.platform }: LockOptions = {},
): Promise<FileLock | null> {
  const Sqlite = await loadDriver();
  let attempts = 0;
  for (;;) {
    createFile(file);
    const identity = fileIdentity(file);
    // Its last holder just removed it.
    if (identity === undefined) continue;
    const db = new Sqlite(file, { timeout: 0 });
    // A waiting process keeps its connection, as long as the file is the same.
    do {
      try {
        db.exec('BEGIN EXCLUSIVE');
      } catch (cause) {
        const fault = sqliteFault(cause);
        if (fault === 'locked') {
          attempts += 1;
          if (await pause(attempts)) continue;
          db.close();
          return null;
        }
        db.close();
        if (fault === 'full') throw writeFailure(`The lock ${file} cannot be taken`, cause, fault);
        if (fault !== 'damaged') throw cause;
        // Earlier versions wrote the name of their process.
        truncateSync(file);
        break;
      }
      if (fileIdentity(file) === identity) {
        return {
          release: () => db.close(),
          remove: () => removeLock(file, () => db.close(), system),
        };
      }
    } while (fileIdentity(file) === identity);
    db.close();
  }
}
