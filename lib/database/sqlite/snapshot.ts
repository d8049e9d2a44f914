import { rm, writeFile } from 'node:fs/promises';
import type { Clock } from '../../runtime/clock.js';
import { whenUnlocked } from './lock-wait.js';
import { openSqliteFile } from './sqlite-file.js';

/** Pages copied between two turns of the event loop. */
const pagesAtOnce = 4096;

/**
 * Copies an SQLite file as it stands at one moment, while other processes go on writing to it. `atMoment` runs at
 * that moment, with writers held back. Its work is part of the copy, so it must be quick. Rejects with SQLite's
 * errors, and leaves nothing behind then.
 */
export async function copySnapshot(
  file: string,
  target: string,
  clock: Clock,
  atMoment: () => void,
): Promise<void> {
  const writer = await openSqliteFile(file);
  const reader = await openSqliteFile(file);
  try {
    await whenUnlocked(clock, () => writer.exec('BEGIN IMMEDIATE'));
    // A read transaction begins with its first read, not with BEGIN. The backup copies what that transaction sees.
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    atMoment();
    writer.exec('ROLLBACK');
    // SQLite would make it readable to everybody.
    await writeFile(target, '', { mode: 0o600 });
    await reader.backup(target, { progress: () => pagesAtOnce });
  } catch (cause) {
    await rm(target, { force: true });
    throw cause;
  } finally {
    writer.close();
    reader.close();
  }
}
