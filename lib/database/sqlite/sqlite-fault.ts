import { isShortageCause } from '../../errors/shortage.js';
import { causeText, type FileStorageFault, fileFault, StorageError } from '../../errors/storage-error.js';
import { isBundled, nativeModuleFault } from './driver.js';

/** What a fault of a file means for the operator. */
export type FaultReasons = Readonly<Record<Exclude<FileStorageFault, 'uninstalled' | 'failed'>, string>>;

const faults: Readonly<Record<string, FileStorageFault>> = {
  SQLITE_FULL: 'full',
  // The log's shared index could not grow. SQLite has no other code for a full disk there.
  SQLITE_IOERR_SHMSIZE: 'full',
  SQLITE_NOMEM: 'exhausted',
  SQLITE_READONLY: 'unwritable',
  SQLITE_CANTOPEN: 'unwritable',
  SQLITE_PERM: 'unwritable',
  SQLITE_AUTH: 'unwritable',
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  SQLITE_IOERR: 'unreadable',
  ERR_DLOPEN_FAILED: 'uninstalled',
  MODULE_NOT_FOUND: 'uninstalled',
  ERR_MODULE_NOT_FOUND: 'uninstalled',
};

/** Classifies an error of SQLite, the file system or the loader. Extended codes count as their primary code. */
export function sqliteFault(cause: unknown): FileStorageFault {
  if (isBundled(cause)) return 'uninstalled';
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return 'failed';
  const primary = cause.code.startsWith('SQLITE_') ? cause.code.split('_', 2).join('_') : cause.code;
  if (isShortageCause(Object.assign(new Error(), { code: primary }))) return 'exhausted';
  return faults[cause.code] ?? faults[primary] ?? fileFault(cause);
}

/** Returns the error of a failed operation. `failed` begins the sentence about a cause that is unknown. */
export function sqliteError(
  cause: unknown,
  failed: string,
  reasons: FaultReasons,
  word = (reason: string, _fault: FileStorageFault) => reason,
): StorageError {
  const fault = sqliteFault(cause);
  const known = fault === 'uninstalled' ? nativeModuleFault(cause) : reasons[fault as keyof FaultReasons];
  return new StorageError(fault, word(known ?? `${failed}: ${causeText(cause)}.`, fault), { cause });
}
