import { detailsWithin, type ErrorDetails, ExtractError } from './extract-error.js';

/**
 * The fault of a store, as far as the operator can fix it. `unreachable`: its server does not answer. `failed`: the
 * cause is unknown.
 */
export type StorageFault =
  | 'full'
  | 'unwritable'
  | 'locked'
  | 'damaged'
  | 'unreadable'
  | 'uninstalled'
  | 'exhausted'
  | 'unreachable'
  | 'failed';

/** The error of an unusable store. The driver's own error is the `cause`, for logs only. */
export class StorageError extends ExtractError {
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, details?: ErrorDetails) {
    super('internal_error', message, details);
    this.fault = fault;
  }

  override within(requestId: string, docsBase: string): StorageError {
    const detailed = new StorageError(this.fault, this.message, detailsWithin(this, requestId, docsBase));
    if (this.stack !== undefined) detailed.stack = this.stack;
    return detailed;
  }
}

export type FileStorageFault = Exclude<StorageFault, 'unreachable'>;

const fileFaults: Readonly<Record<string, FileStorageFault>> = {
  EMFILE: 'exhausted',
  ENFILE: 'exhausted',
  ENOMEM: 'exhausted',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'unwritable',
  EPERM: 'unwritable',
  EROFS: 'unwritable',
  EISDIR: 'unwritable',
  EEXIST: 'unwritable',
  ENOTDIR: 'unwritable',
  ELOOP: 'unwritable',
  EIO: 'unreadable',
};

export function fileFault(cause: unknown): FileStorageFault {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? (fileFaults[code] ?? 'failed') : 'failed';
}

const writeFaults: Readonly<Partial<Record<FileStorageFault, string>>> = {
  full: 'its disk is full; free some space',
  unwritable: 'it is not writable; check the permissions of its folder',
  exhausted: 'this process may open no further files; raise the limit (ulimit -n)',
  unreadable: 'the disk failed; check it',
};

/** Returns the error of a failed write. `what` starts the sentence; the cause and the remedy complete it. */
export function writeFailure(what: string, cause: unknown, fault = fileFault(cause)): StorageError {
  if (cause instanceof StorageError) return cause;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  const writeFault = writeFaults[fault];
  return new StorageError(fault, writeFault === undefined ? `${what}${code}.` : `${what}: ${writeFault}.`, {
    cause,
  });
}

/** Returns a cause's message on one line, without its full stop, to append to the name of what failed. */
export function causeText(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n', 1)[0]?.replace(/\.$/, '').slice(0, 200) ?? '';
}
