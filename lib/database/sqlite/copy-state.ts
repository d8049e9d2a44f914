import { ExtractError } from '../../errors/extract-error.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { Database } from './driver.js';
import { copySnapshot } from './snapshot.js';
import { sqliteFault } from './sqlite-fault.js';
import { openSqliteFile } from './sqlite-file.js';

/**
 * Checks the pages of a database, and what `check` checks. Rejects with a storage error that describes the damage.
 */
export async function checkPages(file: string, what = 'file', check = (_db: Database) => {}): Promise<void> {
  const db = await openSqliteFile(file);
  try {
    const problem = db.pragma('quick_check(1)', { simple: true });
    if (problem !== 'ok') throw new Error(String(problem));
    check(db);
  } catch (cause) {
    if (cause instanceof ExtractError && !(cause instanceof StorageError)) throw cause;
    const damage = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError('damaged', `The ${what} ${file} is damaged: ${damage}.`, { cause });
  } finally {
    db.close();
  }
}

/**
 * Copies the state file of commands as of one moment, and checks the copy. Rejects with a storage error that says what
 * to do if the file is damaged, otherwise with SQLite's errors.
 */
export async function copyState(
  file: string,
  target: string,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await copySnapshot(file, target, clock, () => undefined, signal);
    await checkPages(target);
  } catch (cause) {
    if (sqliteFault(cause) !== 'damaged' && !(cause instanceof StorageError)) throw cause;
    throw new StorageError(
      'damaged',
      `The state file ${file} is damaged. Move it away and back up again: items that it remembered are then returned again.`,
      { cause },
    );
  }
}
