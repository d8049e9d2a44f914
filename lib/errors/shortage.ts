import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { detailsWithin, type ErrorDetails, ExtractError } from './extract-error.js';
import { StorageError } from './storage-error.js';

const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
/** Messages of the resolver, the database and the loader that may mean that no file could be opened. */
const ambiguous: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ENOTFOUND',
  'EAI_SYSTEM',
  'EAI_MEMORY',
  'SQLITE_CANTOPEN',
  'ERR_INVALID_PACKAGE_CONFIG',
]);

/** Descriptors needed to open a database: the file, its log and their shared index. A single free one is too few. */
const filesAtOnce = 4;

/** Returns true if this process cannot open further files now. */
function cannotOpen(): boolean {
  const files: number[] = [];
  try {
    while (files.length < filesAtOnce) files.push(openSync(devNull, 'r'));
    return false;
  } catch (cause) {
    return codes.has((cause as NodeJS.ErrnoException).code);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Returns true if the error, or its cause, is a shortage of descriptors or memory. */
export function isShortageCause(cause: unknown): boolean {
  for (let one = cause, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    const code = 'code' in one ? one.code : undefined;
    if (codes.has(code) || (ambiguous.has(code) && cannotOpen())) return true;
  }
  return false;
}

/** The machine lacks a descriptor or memory for a call. This passes, and the call can be repeated. */
export class ShortageError extends ExtractError {
  constructor(details: ErrorDetails) {
    super(
      'internal_error',
      'This machine ran out of file descriptors or memory for the call. Try again in a moment; a higher limit (ulimit -n) prevents it.',
      { retryAfter: 1, ...details },
    );
  }

  override within(requestId: string, docsBase: string): ShortageError {
    const detailed = new ShortageError(detailsWithin(this, requestId, docsBase));
    if (this.stack !== undefined) detailed.stack = this.stack;
    return detailed;
  }
}

/** Returns true for an error caused by a shortage of this machine's resources, whichever part noticed. */
export function isShortage(error: unknown): boolean {
  return error instanceof ShortageError || (error instanceof StorageError && error.fault === 'exhausted');
}
