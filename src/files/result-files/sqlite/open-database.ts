import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Database, loadDriver, nativeModuleFault } from '../../../../lib/database/sqlite/driver.js';
import { ExtractError, invalidParameter } from '../../../../lib/errors/extract-error.js';

/** How long another program may lock the database. */
const busyMs = 10_000;

/** Opens a database, creating it if necessary. Its folder must exist. */
export async function openDatabase(file: string): Promise<Database> {
  // The driver's error does not distinguish this from a module that cannot be loaded.
  if (!existsSync(path.dirname(file))) throw unusable(cannotOpen);
  try {
    const Sqlite = await loadDriver();
    return new Sqlite(file, { timeout: busyMs });
  } catch (cause) {
    if ((cause as { code?: string }).code?.startsWith('SQLITE') === true) throw databaseFault(cause);
    throw new ExtractError('internal_error', nativeModuleFault(cause), { cause });
  }
}

const cannotOpen = 'it is a folder, its folder does not exist, or one of them cannot be opened';

const unusable = (what: string, cause?: unknown) =>
  invalidParameter(`The database cannot be used: ${what}.`, { cause });

/** What is wrong with a file, by the prefix of SQLite's code. */
const reasons = [
  ['SQLITE_NOTADB', 'it is not an SQLite database'],
  ['SQLITE_BUSY', 'another program is writing it; close that first'],
  ['SQLITE_CANTOPEN', cannotOpen],
] as const;

/** Converts SQLite's error about a file to one of the catalogue; returns any other error unchanged. */
export function databaseFault(cause: unknown): Error {
  if (!(cause instanceof Error)) return new ExtractError('internal_error', String(cause));
  const { code = '', message } = cause as Error & { code?: string };
  if (!code.startsWith('SQLITE')) return cause;
  if (code.startsWith('SQLITE_FULL')) {
    return new ExtractError(
      'internal_error',
      'The database cannot be written: its disk is full; free some space.',
      {
        cause,
      },
    );
  }
  const [, what = `${message}. If a table with that name has other columns, write to another file`] =
    reasons.find(([beginning]) => code.startsWith(beginning)) ?? [];
  return unusable(what, cause);
}
