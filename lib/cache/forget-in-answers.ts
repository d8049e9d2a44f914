import type { Queries } from '../database/queries.js';
import type { Traces } from '../suppressions/traces.js';

/** Answers in memory at a time. Each may be several megabytes. */
const atOnce = 20;

/**
 * Removes the cached answers that contain the subject's words, even as parts of other words: a lost answer only costs a
 * fetch. Returns their number.
 */
export async function forgetInAnswers(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (const parts of traces.parts.filter(({ length }) => length > 0)) {
    const matches = parts.map((_, at) => `${queries.dialect.position('lower(value)', `$${at + 1}`)} > 0`);
    removed += await queries.run(`DELETE FROM answers WHERE ${matches.join(' AND ')}`, parts);
  }
  return (
    removed + (traces.parts.some(({ length }) => length === 0) ? await readAndRemove(queries, traces) : 0)
  );
}

async function readAndRemove(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (let last = ''; ; ) {
    const rows = await queries.rows<{ readonly key: string; readonly value: string | null }>(
      'SELECT key, value FROM answers WHERE key > $1 ORDER BY key LIMIT $2',
      [last, atOnce],
    );
    const matchingKeys = rows.filter(({ value }) => traces.in(value)).map(({ key }) => key);
    removed += await queries.run(`DELETE FROM answers WHERE key ${queries.dialect.anyOf('$1')}`, [
      matchingKeys,
    ]);
    if (rows.length < atOnce) return removed;
    last = rows.at(-1)?.key ?? '';
  }
}
