import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { AbsentItem, SeenItemsOfEndpoint } from '../seen-items-store.js';

interface SubjectRow {
  readonly id: number;
  readonly object: string | null;
}

interface NameRow {
  readonly id: number;
  readonly met: number;
}

interface NameSummary {
  readonly name: string;
  readonly lists: number;
  readonly objects: number;
  readonly items: number;
  readonly created_at: number;
  readonly last_at: number;
}

/** The prepared statements on what earlier runs gave. */
export function seenItemsStatements(db: Database) {
  return {
    subject: db.prepare<[string, string, string], SubjectRow>(
      `SELECT news_subjects.id, object FROM news_names JOIN news_subjects ON news_subjects.name = news_names.id
       WHERE news_names.name = ? AND endpoint = ? AND question = ?`,
    ),
    itemsOf: db
      .prepare<[number, string], string>(
        'SELECT item FROM news_items WHERE subject = ? AND item IN (SELECT value FROM json_each(?))',
      )
      .pluck(),
    absent: db.prepare<[number, string], AbsentItem>(
      `SELECT item, id, missing FROM news_items
       WHERE subject = ? AND id IS NOT NULL AND item NOT IN (SELECT value FROM json_each(?)) ORDER BY met DESC`,
    ),
    beginName: db.prepare<[string, number, number]>(
      'INSERT INTO news_names (name, created_at, last_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    name: db.prepare<[string], NameRow>('SELECT id, met FROM news_names WHERE name = ?'),
    endName: db.prepare<[number, number, number, number]>(
      'UPDATE news_names SET met = ?, items = items + ?, last_at = ? WHERE id = ?',
    ),
    countName: db.prepare<[number, number]>('UPDATE news_names SET items = items + ? WHERE id = ?'),
    meet: db.prepare<Record<string, string | number | null>, { readonly id: number }>(
      `INSERT INTO news_subjects (name, endpoint, question, object, met) VALUES (@name, @endpoint, @question, @object, @met)
       ON CONFLICT DO UPDATE SET object = coalesce(excluded.object, object), met = excluded.met RETURNING id`,
    ),
    insertItem: db.prepare<[number, string, number]>(
      'INSERT INTO news_items (subject, item, met) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    meetItem: db.prepare<[number, string | null, number, string]>(
      'UPDATE news_items SET met = ?, id = coalesce(?, id), missing = 0 WHERE subject = ? AND item = ?',
    ),
    missItem: db.prepare<[number, string]>(
      'UPDATE news_items SET missing = missing + 1 WHERE subject = ? AND item = ?',
    ),
    removeItem: db.prepare<[number, string]>('DELETE FROM news_items WHERE subject = ? AND item = ?'),
    countItems: db.prepare<[number, number], { readonly items: number }>(
      'UPDATE news_subjects SET items = items + ? WHERE id = ? RETURNING items',
    ),
    dropItems: db.prepare<[number, number]>(
      `DELETE FROM news_items WHERE (subject, item) IN
         (SELECT subject, item FROM news_items WHERE subject = ? ORDER BY met LIMIT ?)`,
    ),
    sizes: db.prepare<[number, number], { readonly subjects: number; readonly items: number }>(
      `SELECT (SELECT count(*) FROM news_subjects WHERE name = ?) AS subjects, items FROM news_names WHERE id = ?`,
    ),
    oldest: db.prepare<[number, number], { readonly id: number; readonly items: number }>(
      'SELECT id, items FROM news_subjects WHERE name = ? ORDER BY met LIMIT ?',
    ),
    dropItemsOf: db.prepare<[number]>('DELETE FROM news_items WHERE subject = ?'),
    dropSubject: db.prepare<[number]>('DELETE FROM news_subjects WHERE id = ?'),
    names: db.prepare<[], NameSummary>(
      `SELECT news_names.name, news_names.items, created_at, last_at,
         count(news_subjects.id) - count(object) AS lists, count(object) AS objects
       FROM news_names LEFT JOIN news_subjects ON news_subjects.name = news_names.id
       GROUP BY news_names.id ORDER BY news_names.name`,
    ),
    endpoints: db.prepare<[number], SeenItemsOfEndpoint>(
      `SELECT endpoint, count(*) - count(object) AS lists, count(object) AS objects, sum(items) AS items
       FROM news_subjects WHERE name = ? GROUP BY endpoint ORDER BY endpoint`,
    ),
    forgetItems: db.prepare<[number]>(
      'DELETE FROM news_items WHERE subject IN (SELECT id FROM news_subjects WHERE name = ?)',
    ),
    forgetSubjects: db.prepare<[number]>('DELETE FROM news_subjects WHERE name = ?'),
    idleNames: db
      .prepare<[number, number], number>(
        'SELECT id FROM news_names WHERE id <> ? ORDER BY last_at DESC, id DESC LIMIT -1 OFFSET ?',
      )
      .pluck(),
    forgetName: db.prepare<[number]>('DELETE FROM news_names WHERE id = ?'),
  };
}
