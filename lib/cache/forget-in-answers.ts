import type { Queries } from '../database/queries.js';
import type { Traces } from '../suppressions/traces.js';

/** Answers in memory at a time: each may be a list of some megabytes. */
const atOnce = 20;

/**
 * Removes the cached answers in which the words of the subject stand, be they parts of others: a lost answer costs a
 * fetch. Gives how many they were.
 */
export async function forgetInAnswers(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (const parts of traces.parts.filter(({ length }) => length > 0)) {
    const stand = parts.map((_, at) => `${queries.dialect.position('lower(value)', `$${at + 1}`)} > 0`);
    removed += await queries.run(`DELETE FROM answers WHERE ${stand.join(' AND ')}`, parts);
  }
  return (
    removed + (traces.parts.some(({ length }) => length === 0) ? await readAndRemove(queries, traces) : 0)
  );
}

/** Removes answers that name the subject by reading all of them. */
async function readAndRemove(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (let last = ''; ; ) {
    const rows = await queries.rows<{ readonly key: string; readonly value: string | null }>(
      'SELECT key, value FROM answers WHERE key > $1 ORDER BY key LIMIT $2',
      [last, atOnce],
    );
    const named = rows.filter(({ value }) => traces.in(value)).map(({ key }) => key);
    removed += await queries.run(`DELETE FROM answers WHERE key ${queries.dialect.anyOf('$1')}`, [named]);
    if (rows.length < atOnce) return removed;
    last = rows.at(-1)?.key ?? '';
  }
}
