import { fingerprint } from '../../../lib/call/cursor.js';
import type { Queries } from '../../../lib/database/queries.js';
import type { Traces } from '../../../lib/suppressions/traces.js';

const pageSize = 500;

interface Numbered {
  readonly scope: number;
  readonly number: number;
}

async function matchingRows(
  queries: Queries,
  table: string,
  columns: readonly string[],
  traces: Traces,
): Promise<Numbered[]> {
  const matches: Numbered[] = [];
  for (let last: Numbered = { scope: -1, number: -1 }; ; ) {
    const rows = await queries.rows<Numbered & Readonly<Record<string, unknown>>>(
      `SELECT scope, number, ${columns.join(', ')} FROM ${table}
       WHERE scope > $1 OR (scope = $1 AND number > $2) ORDER BY scope, number LIMIT ${pageSize}`,
      [last.scope, last.number],
    );
    for (const { scope, number, ...texts } of rows) {
      if (Object.values(texts).some((text) => typeof text === 'string' && traces.in(text)))
        matches.push({ scope, number });
    }
    const end = rows.at(-1);
    if (end === undefined) return matches;
    last = end;
  }
}

/**
 * Removes a subject from histories: its objects with all their changes, the queries about it, and other changes that
 * mention it. Returns the number of rows. Must run in a transaction.
 */
export async function forgetInMemory(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  const remove = async (table: string, column: string, rows: readonly Numbered[]) => {
    for (const { scope, number } of rows)
      removed += await queries.run(`DELETE FROM ${table} WHERE scope = $1 AND ${column} = $2`, [
        scope,
        number,
      ]);
  };
  const objects = await matchingRows(queries, 'history_objects', ['id', 'url', 'key', 'fields'], traces);
  // Items that an earlier version remembered by fingerprints of their IDs.
  objects.push(
    ...(await queries.rows<Numbered>(
      `SELECT scope, number FROM history_objects WHERE key ${queries.dialect.anyOf('$1')}`,
      [traces.ids.map(fingerprint)],
    )),
  );
  await remove('history_appearances', 'object', objects);
  await remove('history_changes', 'object', objects);
  await remove('history_objects', 'number', objects);
  const subjects = await matchingRows(queries, 'history_subjects', ['label'], traces);
  await remove('history_appearances', 'subject', subjects);
  await remove('history_changes', 'subject', subjects);
  await remove('history_subjects', 'number', subjects);
  const changes = await matchingRows(queries, 'history_changes', ['value_before', 'value_after'], traces);
  await remove('history_changes', 'number', changes);
  return removed;
}
