import { type FaultReasons, sqliteError } from '../../database/sqlite/sqlite-fault.js';
import { ExtractError } from '../../errors/extract-error.js';
import { StorageError } from '../../errors/storage-error.js';

const advice: FaultReasons = {
  full: 'The disk of the credit ledger is full. Free some space and try again.',
  unwritable:
    'The credit ledger cannot be opened for writing. Check the permissions of the data directory, or set EXTRACT_HOME to another one.',
  locked: 'Another program has locked the credit ledger. Close it and try again.',
  damaged:
    'The file of the credit ledger, ledger.db in the data directory, is damaged or is not a ledger. Restore a backup, or move it away to start a new one.',
  unreadable: 'The disk failed while reading or writing the credit ledger. Check the disk and try again.',
  exhausted:
    'The credit ledger cannot be opened: this machine ran out of file descriptors or memory. Try again in a moment; a higher limit (ulimit -n) prevents it.',
};

/** The error of a ledger whose disk is full. */
export const diskFull = () => new StorageError('full', advice.full);

/**
 * Converts a failed operation on the ledger's file to the port's error. Nothing was written, unless the disk failed at
 * the very end.
 */
export const ledgerFault = (cause: unknown): ExtractError =>
  cause instanceof ExtractError ? cause : sqliteError(cause, 'Could not use the credit ledger', advice);
