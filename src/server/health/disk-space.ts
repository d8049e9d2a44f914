import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';

/** What the data directory takes and what is left where it lies, in bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly size: number;
  readonly ledger: number;
  /** 0 where no answers are kept on the disk. */
  readonly cache: number;
}

async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw cause;
  }
}

/** Looks at the disk of a data directory. Rejects where it cannot be looked at. */
export async function diskSpace(home: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(home);
  const [ledger, cache] = await Promise.all(
    ['ledger.db', 'answers.db'].map((name) => bytesOf(path.join(home, name))),
  );
  return { free: bavail * bsize, size: blocks * bsize, ledger: ledger ?? 0, cache: cache ?? 0 };
}
