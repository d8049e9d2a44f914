import type { Database } from 'better-sqlite3';
import { databaseFault, openDatabase } from './open-database.js';

function withRuns<T>(file: string, work: (db: Database) => T, otherwise: T): T {
  const db = openDatabase(file);
  try {
    const made = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'extract_runs'").get() !== undefined;
    return made ? work(db) : otherwise;
  } catch (cause) {
    throw databaseFault(cause);
  } finally {
    db.close();
  }
}

/** True where a database holds all of a run. */
export function hasRun(file: string, id: string): boolean {
  const query = 'SELECT 1 FROM extract_runs WHERE run = ?';
  return withRuns(file, (db) => db.prepare(query).get(id) !== undefined, false);
}

/** Forgets that a database holds a run. Its rows stay. */
export function forgetRun(file: string, id: string): void {
  withRuns(file, (db) => db.prepare('DELETE FROM extract_runs WHERE run = ?').run(id).changes, 0);
}
