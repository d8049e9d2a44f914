import { statfsSync } from 'node:fs';

/** Returns the free space of a folder's file system; infinite if it does not report it. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
