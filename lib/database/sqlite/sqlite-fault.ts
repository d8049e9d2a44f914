import { isShortageCause } from '../../errors/shortage.js';
import { type FileStorageFault, fileFault } from '../../errors/storage-error.js';
import { isBundled } from './driver.js';

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
