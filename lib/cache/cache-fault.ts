import { StorageError, type StorageFault } from '../errors/storage-error.js';
import { nativeModuleFault } from '../runtime/native-module.js';
import { sqliteFault } from '../sqlite/sqlite-fault.js';

const reasons: Readonly<Record<Exclude<StorageFault, 'uninstalled'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged: 'It is damaged or is not a cache; “extract cache clear” begins a new one.',
  unreadable: 'Its disk failed; check the disk.',
  failed: 'It failed.',
};

/** The port's error for a cache file that cannot be used. */
export function cacheFault(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = sqliteFault(cause);
  const reason = fault === 'uninstalled' ? nativeModuleFault(cause) : reasons[fault];
  return new StorageError(fault, `The cache file is left aside for now. ${reason}`, { cause });
}
