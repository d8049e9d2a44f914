import type { Database } from '../../database/sqlite/driver.js';
import { StorageError } from '../../errors/storage-error.js';
import { type Imbalance, selectImbalances } from '../imbalance.js';

export function imbalances(db: Database): Imbalance[] {
  return db.prepare<[], Imbalance>(selectImbalances).all();
}

/** Maximum bytes of a ledger whose indexes are checked row by row: about a million calls. */
const maxCheckedBytes = 256 * 1024 * 1024;

/**
 * Checks a ledger before a program relies on it: the file's pages and indexes, and that the books balance. Throws the
 * ledger's `damaged`.
 */
export function checkLedger(db: Database): void {
  const bytes =
    Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  // Looking up every row in every index takes twice as long, which would delay a server with a long history.
  const check = bytes <= maxCheckedBytes ? 'integrity_check(1)' : 'quick_check(1)';
  const problem = db.pragma(check, { simple: true });
  const remedy = 'Restore a backup, or move it away to start a new one.';
  if (problem !== 'ok') {
    throw new StorageError('damaged', `The credit ledger ${db.name} is damaged: ${problem}. ${remedy}`);
  }
  const [wrong] = imbalances(db);
  if (wrong === undefined) return;
  throw new StorageError(
    'damaged',
    `The credit ledger ${db.name} does not add up: the account ${wrong.account} has a balance of ${wrong.balance}, but its entries sum to ${wrong.expected}. ${remedy}`,
  );
}

/** Returns true if running processes have open calls other than jobs'. */
export function hasOpenCalls(db: Database): boolean {
  return (
    db.prepare(`SELECT 1 FROM usage WHERE status = 'pending' AND job_id IS NULL LIMIT 1`).get() !== undefined
  );
}
