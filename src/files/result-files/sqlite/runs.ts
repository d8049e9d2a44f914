import { existsSync } from 'node:fs';
import type { Database } from '../../../../lib/database/sqlite/driver.js';
import { databaseFault, openDatabase } from './open-database.js';

async function withRuns<T>(file: string, work: (db: Database) => T, otherwise: T): Promise<T> {
  // Opening would create a file, and a database must be complete or absent.
  if (!existsSync(file)) return otherwise;
  const db = await openDatabase(file);
  try {
    const hasRuns = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'extract_runs'").get() !== undefined;
    return hasRuns ? work(db) : otherwise;
  } catch (cause) {
    throw databaseFault(cause);
  } finally {
    db.close();
  }
}

/** True if a database contains all of a run. */
export async function hasRun(file: string, id: string): Promise<boolean> {
  const query = 'SELECT 1 FROM extract_runs WHERE run = ?';
  return withRuns(file, (db) => db.prepare(query).get(id) !== undefined, false);
}

/** Deletes the record that a database contains a run. Its rows stay. */
export async function forgetRun(file: string, id: string): Promise<void> {
  await withRuns(file, (db) => db.prepare('DELETE FROM extract_runs WHERE run = ?').run(id).changes, 0);
}

export async function countRuns(file: string): Promise<number> {
  const query = 'SELECT count(*) AS count FROM extract_runs';
  return withRuns(file, (db) => (db.prepare(query).get() as { readonly count: number }).count, 0);
}
