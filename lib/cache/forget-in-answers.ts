import type { Queries } from '../database/queries.js';
import type { Traces } from '../suppressions/traces.js';

/**
 * Removes the cached answers in which a word of the subject stands, be it a part of another one: a lost answer costs a
 * fetch. Gives how many they were.
 */
export async function forgetInAnswers(queries: Queries, traces: Traces): Promise<number> {
  let removed = 0;
  for (const part of traces.parts) {
    const stands = queries.dialect.position('lower(value)', '$1');
    removed += await queries.run(`DELETE FROM answers WHERE ${stands} > 0`, [part]);
  }
  return removed;
}
