import type { Queries, SqlValue } from '../../../lib/database/queries.js';
import type { Series, SeriesQuery } from './history.js';
import type { Fields } from './observation.js';

interface ObjectRow extends Pick<Series, 'subject' | 'endpoint' | 'object' | 'id' | 'url'> {
  readonly number: number;
  readonly fields: string;
  readonly first_at: number;
  readonly last_at: number;
}

interface PointRow {
  readonly object: number;
  readonly field: string;
  readonly value_before: string;
  readonly value_after: string;
  readonly fetched_at: number;
}

export interface Point {
  readonly at: number;
  readonly value: unknown;
}

export function pointsBetween(all: readonly Point[], since: number, lastAt: number): Series['points'] {
  const last = all.at(-1);
  const points = last !== undefined && lastAt > last.at ? [...all, { at: lastAt, value: last.value }] : all;
  const later = points.filter(({ at }) => at >= since);
  const current = points.findLast(({ at }) => at < since);
  const series =
    current === undefined || later.length === 0 ? later : [{ at: since, value: current.value }, ...later];
  return series.map(({ at, value }) => ({ at: new Date(at).toISOString(), value }));
}

/** Returns a field's values: the first reading, then each change. */
const pointsOf = (
  { first_at: at }: ObjectRow,
  now: unknown,
  changes: readonly PointRow[],
): readonly Point[] => [
  { at, value: changes[0] === undefined ? now : JSON.parse(changes[0].value_before) },
  ...changes.map(({ fetched_at, value_after: after }) => ({
    at: fetched_at,
    value: JSON.parse(after) as unknown,
  })),
];

const isNumber = (value: unknown) => typeof value === 'number';

/** Returns the values of fields over time for the objects of a scope. */
export async function findSeries(
  queries: Queries,
  scope: number,
  { subjects, field, since = Number.NEGATIVE_INFINITY, items = false }: SeriesQuery,
): Promise<readonly Series[]> {
  const values: SqlValue[] = [scope];
  const bind = (one: SqlValue) => `$${values.push(one)}`;
  const ofSubjects =
    subjects === undefined ? '' : `AND a.subject ${queries.dialect.anyOf(bind([...subjects]))}`;
  // An item of several lists is attributed to the first of them.
  const objects = await queries.rows<ObjectRow>(
    `SELECT o.number, o.object, o.id, o.url, o.fields, o.first_at, o.last_at, s.label AS subject, s.endpoint
     FROM history_objects o
     JOIN (SELECT a.object, min(a.subject) AS subject FROM history_appearances a
           WHERE a.scope = $1 ${ofSubjects} GROUP BY a.object) f ON f.object = o.number
     JOIN history_subjects s ON s.scope = o.scope AND s.number = f.subject
     WHERE o.scope = $1 ORDER BY f.subject, o.number`,
    values,
  );
  const fieldPredicate = field === undefined ? 'c.field IS NOT NULL' : `c.field = ${bind(field)}`;
  // Ordered by object, SQLite looks up the changes of each; ordered by number it would read the entire scope.
  const ofObjects =
    subjects === undefined
      ? 'ORDER BY c.number'
      : `AND c.object IN (SELECT a.object FROM history_appearances a WHERE a.scope = $1 ${ofSubjects})
         ORDER BY c.object, c.number`;
  const changeRows = await queries.rows<PointRow>(
    `SELECT c.object, c.field, c.value_before, c.value_after, c.fetched_at FROM history_changes c
     WHERE c.scope = $1 AND ${fieldPredicate} ${ofObjects}`,
    values,
  );
  const byField = new Map<string, PointRow[]>();
  for (const change of changeRows) {
    const key = `${change.object} ${change.field}`;
    const list = byField.get(key);
    if (list === undefined) byField.set(key, [change]);
    else list.push(change);
  }
  return objects.flatMap((row) => {
    const fields = JSON.parse(row.fields) as Fields;
    const names =
      field === undefined ? Object.keys(fields).filter((name) => isNumber(fields[name])) : [field];
    return names.flatMap((name): Series[] => {
      if (!Object.hasOwn(fields, name)) return [];
      const changes = byField.get(`${row.number} ${name}`) ?? [];
      const points = pointsBetween(pointsOf(row, fields[name], changes), since, row.last_at);
      if (points.length === 0) return [];
      const { subject, endpoint, object, id, url } = row;
      return [
        {
          ...{ subject, endpoint, object, id, url, field: name },
          points,
          ...(items ? { item: fields } : {}),
        },
      ];
    });
  });
}
