import { KeyvSqlite } from '@keyv/sqlite';

/**
 * Looks into a cache's file from beside. By the cache's own SQLite: another copy in the same process would not
 * see its locks.
 */
export async function inFile<T>(file: string, look: (db: KeyvSqlite) => Promise<T>): Promise<T> {
  const db = new KeyvSqlite({ uri: `sqlite://${file}`, table: 'answers', busyTimeout: 1000 });
  try {
    return await look(db);
  } finally {
    await db.disconnect();
  }
}

/** How many entries the file holds, expired ones too. */
export async function entriesIn(file: string): Promise<number> {
  const rows: readonly { n: number }[] = await inFile(file, (db) =>
    db.query('SELECT count(*) AS n FROM answers'),
  );
  return rows[0]?.n ?? Number.NaN;
}
