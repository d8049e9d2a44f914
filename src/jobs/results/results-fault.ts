import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';

/**
 * What the file system says of a file of the jobs, with the file's name and what to do: whoever reads the log can mend
 * it. Any other error stays as it is.
 */
export function namedFileFault(cause: unknown, remedy: string): unknown {
  const { code, path } = cause as NodeJS.ErrnoException;
  if (!(cause instanceof Error) || code === undefined || path === undefined) return cause;
  const fault = fileFault(cause);
  // Those pass by themselves.
  if (fault === 'full' || fault === 'exhausted') return cause;
  return new StorageError(fault, `The file ${path} cannot be used (${code}). ${remedy}`, { cause });
}
