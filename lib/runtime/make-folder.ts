import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileFault, StorageError } from '../errors/storage-error.js';

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names the folder in a fault of the system that has no name of ours: the system allows no such folder there. */
function folderFault(folder: string, cause: unknown): unknown {
  if (cause instanceof StorageError || fileFault(cause) !== 'failed') return cause;
  const { code } = cause as NodeJS.ErrnoException;
  const message = `The folder ${folder} cannot be made (${code}). Name another place: EXTRACT_HOME is the data directory.`;
  return new StorageError('unwritable', message, { cause });
}

/**
 * Makes a folder that its owner alone can use, and those above it. One that is there stays as it is. Node's own
 * `recursive` never ends where the system allows no further folder, as in `/proc` (Node 24, 2026-11).
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
