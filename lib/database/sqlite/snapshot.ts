import { rm, writeFile } from 'node:fs/promises';
import type { Clock } from '../../runtime/clock.js';
import { whenUnlocked } from './lock-wait.js';
import { openSqliteFile } from './sqlite-file.js';

/** Pages copied per turn of the event loop. */
const pagesAtOnce = 4096;

/** An SQLite file as of one moment, while other processes write to it. */
export interface Snapshot {
  begin(): void;
  /** Copies the file. Rejects with SQLite's errors or the signal's reason, and removes the partial copy. */
  copyTo(target: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

export async function openSnapshot(file: string): Promise<Snapshot> {
  const reader = await openSqliteFile(file);
  return {
    begin() {
      // A read transaction starts with its first read, not with BEGIN. The backup copies what that transaction sees.
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    },
    async copyTo(target, signal) {
      try {
        // SQLite would create it readable by everyone.
        await writeFile(target, '', { mode: 0o600 });
        await reader.backup(target, {
          progress() {
            signal?.throwIfAborted();
            return pagesAtOnce;
          },
        });
      } catch (cause) {
        await rm(target, { force: true });
        throw cause;
      }
    },
    close: () => void reader.close(),
  };
}

/**
 * Copies an SQLite file as of one moment, while other processes write to it. `atMoment` runs at that moment with
 * writers blocked, so it must be fast; its work is part of the copy. Rejects with SQLite's errors or the signal's
 * reason, and removes the partial copy.
 */
export async function copySnapshot(
  file: string,
  target: string,
  clock: Clock,
  atMoment: () => void,
  signal?: AbortSignal,
): Promise<void> {
  const writer = await openSqliteFile(file);
  const snapshot = await openSnapshot(file);
  try {
    await whenUnlocked(clock, () => writer.exec('BEGIN IMMEDIATE'));
    snapshot.begin();
    atMoment();
    writer.exec('ROLLBACK');
    await snapshot.copyTo(target, signal);
  } finally {
    writer.close();
    snapshot.close();
  }
}
