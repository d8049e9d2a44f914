import { DatabaseSync } from 'node:sqlite';

/** Returns the rows of a query, read by a different build of SQLite than the one that wrote the file. */
export function queryFile(file: string, query: string): Readonly<Record<string, unknown>>[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}
