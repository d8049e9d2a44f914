import type { Queries } from '../../../../lib/database/queries.js';
import type { EndedInput, Given } from '../job.js';

/** Maximum number of items of one list that are remembered: the newest. */
const maxItems = 1000;

const inputOfJob = 'schedule = (SELECT schedule FROM jobs WHERE id = $1) AND place = $2';

/** Resolves with the items that earlier jobs of the job's schedule gave for an input; null for none. */
export async function readGiven(queries: Queries, job: string, place: number): Promise<Given | null> {
  const row = await queries.first<{ readonly given: string | null }>(
    `SELECT given FROM schedule_inputs WHERE ${inputOfJob}`,
    [job, place],
  );
  return typeof row?.given === 'string' ? (JSON.parse(row.given) as Given) : null;
}

/** Both, the later one first, without what is gone: two jobs of a schedule may run at once. */
function together(before: Given | null, after: Given): Given {
  if (!('items' in after)) return after;
  const { removed = [], ...known } = after;
  if (before === null || !('items' in before)) return known;
  const gone = new Set(removed);
  const items = [...new Set([...after.items, ...before.items])].filter((item) => !gone.has(item));
  const all = { ...before.ids, ...after.ids };
  const newest = items.slice(0, maxItems);
  const ids = newest.flatMap((item): [string, string][] =>
    all[item] === undefined ? [] : [[item, all[item]]],
  );
  return { items: newest, ids: Object.fromEntries(ids) };
}

/**
 * Remembers what inputs of a job gave, in the transaction that keeps their lines: an item that is remembered stands in a line.
 */
export async function rememberGiven(
  queries: Queries,
  job: string,
  ended: readonly EndedInput[],
): Promise<void> {
  for (const { index, given } of ended) {
    if (given === undefined) continue;
    const all = together(await readGiven(queries, job, index), given);
    await queries.run(`UPDATE schedule_inputs SET given = $3 WHERE ${inputOfJob}`, [
      ...[job, index, JSON.stringify(all)],
    ]);
  }
}
