import type { Queries } from '../database/queries.js';
import type { Traces } from '../suppressions/traces.js';

/**
 * Removes the cached answers in which the words of the subject stand, be they parts of others: a lost answer costs a
 * fetch. Gives how many they were.
 */
export async function forgetInAnswers(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (const parts of traces.parts) {
    const stand = parts.map((_, at) => `${queries.dialect.position('lower(value)', `$${at + 1}`)} > 0`);
    removed += await queries.run(`DELETE FROM answers WHERE ${stand.join(' AND ')}`, parts);
  }
  return removed;
}
