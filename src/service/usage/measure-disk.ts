import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../../lib/database/database.js';
import type { DiskSpace } from './usage-queries.js';

/** Returns the size of a file in bytes; 0 if it does not exist. */
async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw cause;
  }
}

/** Measures the disk of a data directory, and the cache on it. Rejects if that fails. */
async function measureDisk(home: string): Promise<Omit<DiskSpace, 'ledger'>> {
  const { bavail, blocks, bsize } = await statfs(home);
  return {
    free: bavail * bsize,
    size: blocks * bsize,
    cache: await bytesOf(path.join(home, 'answers.db')),
  };
}

/** Measures a data directory: its ledger's file, and the disk. */
export async function measureDirectory(home: string): Promise<DiskSpace> {
  const [disk, ledger] = await Promise.all([measureDisk(home), bytesOf(path.join(home, 'ledger.db'))]);
  return { ...disk, ledger };
}

/**
 * Measures a PostgreSQL database, and the disk of this machine, because the database does not report its own free
 * space.
 */
export async function measureDatabase(database: Database, home: string): Promise<DiskSpace> {
  const size = 'SELECT pg_database_size(current_database()) AS bytes';
  const [disk, ledgerSize] = await Promise.all([
    measureDisk(home),
    database.read((queries) => queries.first<{ readonly bytes: number }>(size)),
  ]);
  return { ...disk, ledger: ledgerSize?.bytes ?? 0 };
}
