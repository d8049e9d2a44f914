import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { fileFault, writeFailure } from '../../../lib/errors/storage-error.js';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EEXIST: 'a file with that name exists',
  EACCES: 'it is not writable',
  EPERM: 'it is not writable',
  EROFS: 'its disk is read-only',
};

/** Converts the error of opening an output to one of the catalogue; rethrows anything else. */
export function openFault(file: string, error: unknown): ExtractError {
  if (error instanceof ExtractError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  // No other value of the parameter would help.
  if (fileFault(error) === 'full') return writeFailure(`The output ${file} cannot be written`, error);
  return invalidParameter(`The output ${file} cannot be written: ${reasons[code] ?? code}.`, {
    cause: error,
  });
}

/** Converts the error of a failed write to one of the catalogue. */
export function writeFault(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  return writeFailure('The output cannot be written', cause);
}

/** Like `writeFault`, but returns other errors unchanged. */
export const outputFault = (cause: unknown): unknown =>
  (cause as NodeJS.ErrnoException).code === undefined ? cause : writeFault(cause);
