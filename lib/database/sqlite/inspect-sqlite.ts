import { type Database, loadDriver } from './driver.js';
import { busyTimeout } from './lock-wait.js';
import { sqliteFault } from './sqlite-fault.js';

/** Opens an SQLite file that is there, for looking alone. Throws what the driver throws. */
export async function openForLooking(file: string): Promise<Database> {
  const Sqlite = await loadDriver();
  return new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyTimeout });
}

/** The faults that SQLite finds in a file; empty for none. */
export function damageOf(db: Database): readonly string[] {
  const found = db.pragma('quick_check(3)', { simple: false }) as readonly { readonly quick_check: string }[];
  return found.map(({ quick_check }) => quick_check).filter((text) => text !== 'ok');
}

/**
 * Looks at a file, and changes nothing: the damage found, empty for none. `whole` reads all of it. A file that cannot be
 * opened gives its fault's name.
 */
export async function inspectFile(
  file: string,
  whole: boolean,
): Promise<{ readonly damage: readonly string[]; readonly fault: string | null }> {
  try {
    const db = await openForLooking(file);
    try {
      return { damage: whole ? damageOf(db) : [], fault: null };
    } finally {
      db.close();
    }
  } catch (cause) {
    return { damage: [], fault: sqliteFault(cause) };
  }
}

/** True while another process is writing: its lock cannot be had within some milliseconds. */
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
