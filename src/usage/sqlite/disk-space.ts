import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { DiskSpace } from '../usage-queries.js';

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw cause;
  }
}

/** Measures the files of a data directory and the disk that holds it. Rejects where they cannot be measured. */
export async function diskSpace(home: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(home);
  const [ledger, cache] = await Promise.all(
    ['ledger.db', 'answers.db'].map((name) => bytesOf(path.join(home, name))),
  );
  return { free: bavail * bsize, size: blocks * bsize, ledger: ledger ?? 0, cache: cache ?? 0 };
}
