import type { Database } from 'better-sqlite3';
import { StorageError } from '../../lib/errors/storage-error.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { openSqliteFile } from '../../lib/sqlite/sqlite-file.js';

function quickCheck(db: Database): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new Error(String(found));
}

/** Checks the pages of a database without money in it. Rejects with a storage error that says what is wrong. */
export async function checkPages(file: string): Promise<void> {
  const db = await openSqliteFile(file);
  try {
    quickCheck(db);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError('damaged', `The file ${file} is damaged: ${what}.`, { cause });
  } finally {
    db.close();
  }
}

/**
 * Checks the pages of a ledger's file and the balance of every account. Rejects with a storage error that says what
 * is wrong; the file stays as it is.
 */
export async function checkBooks(file: string): Promise<void> {
  const db = await openSqliteFile(file);
  try {
    quickCheck(db);
    const [wrong] = imbalances(db);
    if (wrong !== undefined) {
      throw new Error(`the balance of ${wrong.account} is ${wrong.balance}, its rows say ${wrong.expected}`);
    }
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError('damaged', `The ledger ${file} is damaged: ${what}.`, { cause });
  } finally {
    db.close();
  }
}
