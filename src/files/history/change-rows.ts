import * as z from 'zod';
import type { Change, ChangePage, ChangeQuery, HistoryReader } from '../../lines/memory/history.js';

/** A change for programs, with its columns in order. */
export const changeRow = z.strictObject({
  fetched_at: z.iso.datetime(),
  endpoint: z.string(),
  subject: z.string(),
  object: z.string(),
  id: z.string(),
  url: z.string().nullable(),
  event: z.string(),
  field: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  run: z.string(),
});

const toRow = (change: Change) =>
  Object.fromEntries(Object.keys(changeRow.shape).map((name) => [name, change[name as keyof Change]]));

const pageSize = 1_000;

/** Yields all changes of a selection as rows, oldest first, page by page. */
export async function* changeRows(
  history: Pick<HistoryReader, 'changes'>,
  query: Omit<ChangeQuery, 'cursor' | 'limit'>,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[], void, undefined> {
  let cursor: number | null = null;
  do {
    const page: ChangePage = await history.changes({ ...query, cursor, limit: pageSize });
    yield page.changes.map(toRow);
    cursor = page.next;
  } while (cursor !== null);
}
