import type { Database } from '../../database/sqlite/driver.js';
import { openSqliteFile } from '../../database/sqlite/sqlite-file.js';
import { ExtractError } from '../../errors/extract-error.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Imbalance } from '../imbalance.js';
import { imbalances } from './integrity.js';
import { migrateLedger } from './migrate-ledger.js';

/** Returns the imbalances of a ledger of any version. Its tables are migrated, summed and rolled back. */
function imbalancesOfAny(db: Database): readonly Imbalance[] {
  if (db.pragma('user_version', { simple: true }) === 0) throw new Error('it holds no ledger');
  db.exec('BEGIN');
  try {
    migrateLedger(db);
    return imbalances(db);
  } finally {
    db.exec('ROLLBACK');
  }
}

/**
 * Checks the pages of a ledger's file and every account's balance. Rejects with a storage error that describes the
 * damage, or with `internal_error` for a file of a later version. Does not change the file.
 */
export async function checkBooks(file: string): Promise<void> {
  const db = await openSqliteFile(file);
  try {
    const problem = db.pragma('quick_check(1)', { simple: true });
    if (problem !== 'ok') throw new Error(String(problem));
    const [wrong] = imbalancesOfAny(db);
    if (wrong !== undefined) {
      throw new Error(`the balance of ${wrong.account} is ${wrong.balance}, its rows say ${wrong.expected}`);
    }
  } catch (cause) {
    if (cause instanceof ExtractError && !(cause instanceof StorageError)) throw cause;
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError('damaged', `The ledger ${file} is damaged: ${what}.`, { cause });
  } finally {
    db.close();
  }
}
