import type { Queries, SqlValue } from '../../../lib/database/queries.js';
import { endpoints } from '../../../lib/endpoints.js';
import { volatileFields } from '../../files/result-files/stable-value.js';
import type { ItemEvent } from './compare.js';
import type { Change, ChangePage, ChangeQuery } from './history.js';
import type { Fields } from './observation.js';

interface ChangeRow extends Omit<Change, 'event' | 'before' | 'after' | 'fetched_at' | 'item'> {
  readonly event: ItemEvent | null;
  readonly value_before: string | null;
  readonly value_after: string | null;
  readonly fetched_at: number;
  readonly fields?: string;
}

const value = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

function toChange(row: ChangeRow): Change {
  const { value_before: before, value_after: after, fetched_at: at, fields, event, ...rest } = row;
  return {
    ...rest,
    event: event ?? 'changed',
    before: value(before),
    after: value(after),
    fetched_at: new Date(at).toISOString(),
    ...(fields === undefined ? {} : { item: JSON.parse(fields) as Fields }),
  };
}

function countsOfLists(): { readonly counts: readonly string[]; readonly lists: readonly string[] } {
  const counts = [...volatileFields()].flatMap(([field, how]) =>
    how === 'count' && field.startsWith('.') ? [field.slice(1)] : [],
  );
  return { counts, lists: endpoints.flatMap(({ many, path }) => (many ? [path] : [])) };
}

/** Returns a page of the changes of a scope. */
export async function findChanges(queries: Queries, scope: number, query: ChangeQuery): Promise<ChangePage> {
  const { since, field, subjects, events, quiet = false, newestFirst = false } = query;
  const { after, cursor, limit = 100, items = false } = query;
  const values: SqlValue[] = [scope];
  const bind = (one: SqlValue) => `$${values.push(one)}`;
  const predicates = ['c.scope = $1'];
  if (since !== undefined) {
    const at = bind(since);
    // A run gets its number before its changes do, so changes with lower numbers are older.
    predicates.push(`c.fetched_at >= ${at}`);
    predicates.push(
      `c.number > coalesce((SELECT min(number) FROM history_runs WHERE scope = $1 AND last_at >= ${at}), 0)`,
    );
  }
  if (field !== undefined) predicates.push(`c.field = ${bind(field)}`);
  if (subjects !== undefined) predicates.push(`c.subject ${queries.dialect.anyOf(bind([...subjects]))}`);
  if (events !== undefined) {
    predicates.push(`coalesce(c.event, 'changed') ${queries.dialect.anyOf(bind(events))}`);
  }
  if (quiet) {
    const { counts, lists } = countsOfLists();
    const { anyOf } = queries.dialect;
    predicates.push(
      `(c.field IS NULL OR NOT (c.field ${anyOf(bind(counts))} AND s.endpoint ${anyOf(bind(lists))}))`,
    );
  }
  if (after !== undefined) predicates.push(`c.number > ${bind(after)}`);
  if (cursor != null) predicates.push(`c.number ${newestFirst ? '<' : '>'} ${bind(cursor)}`);
  const rows = await queries.rows<ChangeRow>(
    `SELECT c.number, c.event, o.object, o.id, o.url, s.label AS subject, s.endpoint, c.field,
       c.value_before, c.value_after, c.fetched_at, r.run${items ? ', o.fields' : ''}
     FROM history_changes c
     JOIN history_objects o ON o.scope = c.scope AND o.number = c.object
     JOIN history_subjects s ON s.scope = c.scope AND s.number = c.subject
     JOIN history_runs r ON r.scope = c.scope AND r.number = c.run
     WHERE ${predicates.join(' AND ')}
     ORDER BY c.number ${newestFirst ? 'DESC' : 'ASC'} LIMIT ${Math.trunc(limit) + 1}`,
    values,
  );
  const changes = rows.slice(0, limit).map(toChange);
  return { changes, next: rows.length > limit ? (changes.at(-1)?.number ?? null) : null };
}
