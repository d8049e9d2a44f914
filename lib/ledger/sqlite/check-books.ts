import { checkPages } from '../../database/sqlite/copy-state.js';
import type { Database } from '../../database/sqlite/driver.js';
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
export const checkBooks = (file: string): Promise<void> =>
  checkPages(file, 'ledger', (db) => {
    const [wrong] = imbalancesOfAny(db);
    if (wrong === undefined) return;
    throw new Error(`the balance of ${wrong.account} is ${wrong.balance}, its rows say ${wrong.expected}`);
  });
