import { type Database, loadDriver } from './driver.js';
import { busyTimeout } from './lock-wait.js';
import { sqliteFault } from './sqlite-fault.js';

/** Opens an existing SQLite file read-only. Throws the driver's errors. */
export async function openForInspection(file: string): Promise<Database> {
  const Sqlite = await loadDriver();
  return new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyTimeout });
}

/** Returns the damage that SQLite finds in a file; empty for none. */
export function damageOf(db: Database): readonly string[] {
  const problems = db.pragma('quick_check(3)', { simple: false }) as readonly {
    readonly quick_check: string;
  }[];
  return problems.map(({ quick_check }) => quick_check).filter((text) => text !== 'ok');
}

/**
 * Inspects a file without changing it and returns its damage; empty for none. `isFullCheck` reads the entire file. For
 * a file that cannot be opened, returns the name of the fault.
 */
export async function inspectFile(
  file: string,
  isFullCheck: boolean,
): Promise<{ readonly damage: readonly string[]; readonly fault: string | null }> {
  try {
    const db = await openForInspection(file);
    try {
      return { damage: isFullCheck ? damageOf(db) : [], fault: null };
    } finally {
      db.close();
    }
  } catch (cause) {
    return { damage: [], fault: sqliteFault(cause) };
  }
}

/** Returns true if another process is writing: waits a few milliseconds for its lock. */
export async function isLocked(file: string): Promise<boolean> {
  const Sqlite = await loadDriver();
  const db = new Sqlite(file, { fileMustExist: true, timeout: busyTimeout });
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY'))
      return true;
    throw cause;
  } finally {
    db.close();
  }
}
