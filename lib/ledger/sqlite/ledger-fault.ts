import { nativeModuleFault } from '../../database/sqlite/driver.js';
import { sqliteFault } from '../../database/sqlite/sqlite-fault.js';
import { ExtractError } from '../../errors/extract-error.js';
import { causeText, type FileStorageFault, StorageError } from '../../errors/storage-error.js';

const advice: Readonly<Record<Exclude<FileStorageFault, 'uninstalled' | 'failed'>, string>> = {
  full: 'The disk of the credit ledger is full. Free some space and call again.',
  unwritable:
    'The credit ledger cannot be opened for writing. Check the permissions of the data directory, or name another one with EXTRACT_HOME.',
  locked: 'Another program keeps the credit ledger locked. Close it and call again.',
  damaged:
    'The file of the credit ledger, ledger.db in the data directory, is damaged or is not a ledger. Put a backup in its place, or move it away to start a new one.',
  unreadable: 'The disk failed while the credit ledger was read or written. Check the disk and call again.',
  exhausted:
    'The credit ledger cannot be opened: this machine ran out of file descriptors or memory. Call again in a moment; a higher limit (ulimit -n) prevents it.',
};

/**
 * Converts a failed operation on the ledger's file to the port's error. Nothing was written, unless the disk failed at
 * the very end.
 */
export function ledgerFault(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  const fault = sqliteFault(cause);
  const message =
    fault === 'uninstalled'
      ? nativeModuleFault(cause)
      : fault === 'failed'
        ? `Could not use the credit ledger: ${causeText(cause)}.`
        : advice[fault];
  return new StorageError(fault, message, { cause });
}
