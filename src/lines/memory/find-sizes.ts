import type { Queries, SqlValue } from '../../../lib/database/queries.js';
import type { ItemEvent } from './compare.js';
import { type Point, pointsBetween } from './find-series.js';
import type { Series, SizeQuery } from './history.js';

interface EventRow {
  readonly subject: number;
  readonly object: string;
  readonly label: string;
  readonly endpoint: string;
  readonly last_at: number;
  readonly event: Exclude<ItemEvent, 'changed'>;
  readonly fetched_at: number;
}

/** Returns the number of items in the lists of a scope, over time. */
export async function findSizes(
  queries: Queries,
  scope: number,
  { subjects, since = Number.NEGATIVE_INFINITY }: SizeQuery,
): Promise<readonly Series[]> {
  const values: SqlValue[] = [scope, ...(subjects === undefined ? [] : [[...subjects]])];
  const rows = await queries.rows<EventRow>(
    `SELECT c.subject, o.object, s.label, s.endpoint, s.last_at, c.event, c.fetched_at
     FROM history_changes c
     JOIN history_subjects s ON s.scope = c.scope AND s.number = c.subject
     JOIN history_objects o ON o.scope = c.scope AND o.number = c.object
     WHERE c.scope = $1 AND c.event IS NOT NULL
       ${subjects === undefined ? '' : `AND c.subject ${queries.dialect.anyOf('$2')}`}
     ORDER BY c.subject, c.number`,
    values,
  );
  const lists = new Map<number, { readonly row: EventRow; readonly points: Point[] }>();
  for (const row of rows) {
    const list = lists.get(row.subject) ?? { row, points: [] };
    lists.set(row.subject, list);
    const before = list.points.at(-1);
    const value = ((before?.value as number | undefined) ?? 0) + (row.event === 'removed' ? -1 : 1);
    if (before?.at === row.fetched_at) list.points.pop();
    list.points.push({ at: row.fetched_at, value });
  }
  return [...lists.values()].flatMap(({ row, points }): Series[] => {
    const series = pointsBetween(points, since, row.last_at);
    if (series.length === 0) return [];
    const { label: subject, endpoint, object } = row;
    return [{ ...{ subject, endpoint, object, id: '', url: null, field: 'items' }, points: series }];
  });
}
