import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault, StorageError } from '../errors/storage-error.js';

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Adds the folder to a system error without a name in our catalogue: the system permits no such folder there. */
function folderFault(folder: string, cause: unknown): unknown {
  if (cause instanceof StorageError || fileFault(cause) !== 'failed') return cause;
  const { code } = cause as NodeJS.ErrnoException;
  const message = `The folder ${folder} cannot be created (${code}). Set EXTRACT_HOME to another data directory.`;
  return new StorageError('unwritable', message, { cause });
}

/**
 * Creates a folder, and its parents, that only its owner can use. An existing folder is not changed. Node's own
 * `recursive` never returns if the system permits no further folder, as in `/proc` (Node 24, 2026-11).
 */
export function makeFolder(folder: string): void {
  const absolutePath = path.resolve(folder);
  try {
    mkdirSync(absolutePath, { mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && isFolder(absolutePath)) return;
    const parent = path.dirname(absolutePath);
    if (code !== 'ENOENT' || parent === absolutePath || isFolder(parent))
      throw folderFault(absolutePath, cause);
    makeFolder(parent);
    makeFolder(absolutePath);
  }
}
