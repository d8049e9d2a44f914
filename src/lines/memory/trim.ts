import type { Queries } from '../../../lib/database/queries.js';

/** Limits on seen items. Beyond them the items seen longest ago are forgotten, and count as new again. */
export interface SeenBounds {
  readonly names: number;
  readonly itemsOfList: number;
  readonly subjectsOfName: number;
  readonly itemsOfName: number;
}

export const seenBounds: SeenBounds = {
  names: 1_000,
  itemsOfList: 10_000,
  subjectsOfName: 1_000_000,
  itemsOfName: 5_000_000,
};

const dropObjects = (queries: Queries, scope: number) =>
  queries.run(
    `DELETE FROM history_objects WHERE scope = $1
       AND number NOT IN (SELECT object FROM history_appearances WHERE scope = $1)`,
    [scope],
  );

/** Trims a list to its limit: keeps the items at its top when it was last read, then those seen most recently. */
export async function trimList(
  queries: Queries,
  scope: number,
  subject: number,
  items: number,
): Promise<void> {
  await queries.run(
    `DELETE FROM history_appearances WHERE scope = $1 AND subject = $2 AND object IN (
       SELECT object FROM history_appearances WHERE scope = $1 AND subject = $2
       ORDER BY CASE WHEN removed_at IS NULL THEN 0 ELSE 1 END, last_at DESC, position LIMIT 1000000000 OFFSET $3)`,
    [scope, subject, items],
  );
  await dropObjects(queries, scope);
}

async function dropSubjects(queries: Queries, scope: number, count: number): Promise<void> {
  const oldest = `SELECT number FROM history_subjects WHERE scope = $1 ORDER BY last_at, number LIMIT $2`;
  for (const [table, column] of [
    ['history_appearances', 'subject'],
    ['history_subjects', 'number'],
  ] as const)
    await queries.run(`DELETE FROM ${table} WHERE scope = $1 AND ${column} IN (${oldest})`, [scope, count]);
}

/** Trims a scope of seen items to its limits. Must run in a transaction. */
export async function trimScope(queries: Queries, scope: number, bounds: SeenBounds): Promise<void> {
  const lists = await queries.rows<{ readonly subject: number; readonly count: number }>(
    'SELECT subject, count(*) AS count FROM history_appearances WHERE scope = $1 GROUP BY subject',
    [scope],
  );
  for (const { subject, count } of lists) {
    if (count > bounds.itemsOfList) await trimList(queries, scope, subject, bounds.itemsOfList);
  }
  const subjects = await queries.first<{ readonly count: number }>(
    'SELECT count(*) AS count FROM history_subjects WHERE scope = $1',
    [scope],
  );
  let items = lists.reduce((sum, { count }) => sum + Math.min(count, bounds.itemsOfList), 0);
  let beyond = (subjects?.count ?? 0) - bounds.subjectsOfName;
  if (items > bounds.itemsOfName) {
    const sizes = new Map(lists.map(({ subject, count }) => [subject, Math.min(count, bounds.itemsOfList)]));
    const byAge = await queries.rows<{ readonly number: number }>(
      'SELECT number FROM history_subjects WHERE scope = $1 ORDER BY last_at, number',
      [scope],
    );
    let oldest = 0;
    for (const { number } of byAge) {
      if (items <= bounds.itemsOfName) break;
      items -= sizes.get(number) ?? 0;
      oldest += 1;
    }
    beyond = Math.max(beyond, oldest);
  }
  if (beyond <= 0) return;
  await dropSubjects(queries, scope, beyond);
  await dropObjects(queries, scope);
}
