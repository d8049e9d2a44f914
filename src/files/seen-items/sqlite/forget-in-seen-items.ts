import { fingerprint } from '../../../../lib/call/cursor.js';
import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';

interface Counted {
  readonly subject: number;
  readonly name: number;
}

/**
 * Takes a subject out of what `--new` remembers: objects that name it, and the fingerprints of its own IDs. Gives how many they
 * were. To be called in a transaction.
 */
export function forgetInSeenItems(db: Database, traces: Traces): number {
  let removed = 0;
  const objects = db.prepare<[], { readonly id: number; readonly object: string }>(
    'SELECT id, object FROM news_subjects WHERE object IS NOT NULL',
  );
  const drop = db.prepare<[number]>('DELETE FROM news_subjects WHERE id = ?');
  for (const { id, object } of objects.all()) if (traces.in(object)) removed += drop.run(id).changes;
  const holders = db.prepare<[string], Counted>(
    `SELECT news_items.subject, news_subjects.name FROM news_items
     JOIN news_subjects ON news_subjects.id = news_items.subject WHERE item = ?`,
  );
  const dropItem = db.prepare<[string, number]>('DELETE FROM news_items WHERE item = ? AND subject = ?');
  const countSubject = db.prepare<[number]>('UPDATE news_subjects SET items = items - 1 WHERE id = ?');
  const countName = db.prepare<[number]>('UPDATE news_names SET items = items - 1 WHERE id = ?');
  for (const item of traces.ids.map(fingerprint)) {
    for (const { subject, name } of holders.all(item)) {
      removed += dropItem.run(item, subject).changes;
      countSubject.run(subject);
      countName.run(name);
    }
  }
  return removed;
}
