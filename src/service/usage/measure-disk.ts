import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { DiskSpace } from './usage-queries.js';

/** Bytes of a file; 0 where it is not there. */
export async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw cause;
  }
}

/** Measures the disk that holds a data directory, and the cache on it. Rejects where they cannot be measured. */
export async function measureDisk(home: string): Promise<Omit<DiskSpace, 'ledger'>> {
  const { bavail, blocks, bsize } = await statfs(home);
  return {
    free: bavail * bsize,
    size: blocks * bsize,
    cache: await bytesOf(path.join(home, 'answers.db')),
  };
}
