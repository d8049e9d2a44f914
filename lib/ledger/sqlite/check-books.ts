import { StorageError } from '../../errors/storage-error.js';
import { openSqliteFile } from '../../sqlite/sqlite-file.js';
import { imbalances } from './integrity.js';

/**
 * Checks the pages of a ledger's file and the balance of every account. Rejects with a storage error that says what
 * is wrong; the file stays as it is.
 */
export async function checkBooks(file: string): Promise<void> {
  const db = await openSqliteFile(file);
  try {
    const found = db.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') throw new Error(String(found));
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
