/** What is wrong with an SQLite file, as far as a user can do something about it. */
export type SqliteFault =
  | 'full'
  | 'unwritable'
  | 'locked'
  | 'damaged'
  | 'unreadable'
  | 'uninstalled'
  | 'unknown';

const faults: Readonly<Record<string, SqliteFault>> = {
  SQLITE_FULL: 'full',
  ENOSPC: 'full',
  EDQUOT: 'full',
  SQLITE_READONLY: 'unwritable',
  SQLITE_CANTOPEN: 'unwritable',
  SQLITE_PERM: 'unwritable',
  SQLITE_AUTH: 'unwritable',
  EACCES: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
  EISDIR: 'unwritable',
  EEXIST: 'unwritable',
  ENOTDIR: 'unwritable',
  SQLITE_BUSY: 'locked',
  SQLITE_LOCKED: 'locked',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  SQLITE_IOERR: 'unreadable',
  EIO: 'unreadable',
  ERR_DLOPEN_FAILED: 'uninstalled',
  MODULE_NOT_FOUND: 'uninstalled',
  ERR_MODULE_NOT_FOUND: 'uninstalled',
};

/** Classifies what SQLite, the file system or the loader threw. Extended codes count as their primary code. */
export function sqliteFault(cause: unknown): SqliteFault {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return 'unknown';
  const primary = cause.code.startsWith('SQLITE_') ? cause.code.split('_', 2).join('_') : cause.code;
  return faults[primary] ?? 'unknown';
}
