import type { Database } from '../../database/sqlite/driver.js';
import { StorageError } from '../../errors/storage-error.js';
import { type Imbalance, selectImbalances } from '../imbalance.js';

/** Adds up every account's rows and returns those whose balance is another number or below zero. */
export function imbalances(db: Database): Imbalance[] {
  return db.prepare<[], Imbalance>(selectImbalances).all();
}

/** Bytes of a ledger whose indexes are checked row by row: about a million calls. */
const maxCheckedBytes = 256 * 1024 * 1024;

/** Checks a ledger before a program relies on it: the file's pages and indexes, and that the books add up. Throws the ledger's `damaged`. */
export function checkLedger(db: Database): void {
  const bytes =
    Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  // Looking each row up in each index takes twice as long. A server with a long history is not held up by it.
  const check = bytes <= maxCheckedBytes ? 'integrity_check(1)' : 'quick_check(1)';
  const found = db.pragma(check, { simple: true });
  const remedy = 'Put a backup in its place, or move it away to start a new one.';
  if (found !== 'ok') {
    throw new StorageError('damaged', `The credit ledger ${db.name} is damaged: ${found}. ${remedy}`);
  }
  const [wrong] = imbalances(db);
  if (wrong === undefined) return;
  throw new StorageError(
    'damaged',
    `The books of the credit ledger ${db.name} do not add up: the account ${wrong.account} has a balance of ${wrong.balance}, and its entries make ${wrong.expected}. ${remedy}`,
  );
}

/** Whether calls are open whose processes have not ended: those of jobs are not among them. */
export function hasOpenCalls(db: Database): boolean {
  return (
    db.prepare(`SELECT 1 FROM usage WHERE status = 'pending' AND job_id IS NULL LIMIT 1`).get() !== undefined
  );
}
