import type { Queries } from '../../../../lib/database/queries.js';
import { recordObservations } from '../../../lines/memory/database-memory.js';
import { HeldScope } from '../../../lines/memory/memory-rows.js';
import type { EndedInput } from '../job.js';

/*
 * The histories of schedules: each has a scope of its own, named by its ID, from its first job to its end. Each function is
 * to be called inside a transaction of its caller.
 */

/** Begins the history of a schedule that is being made. */
export async function beginHistory(queries: Queries, schedule: string): Promise<void> {
  await HeldScope.hold(queries, schedule);
}

/**
 * Records what inputs of a job saw, in the transaction that keeps their lines: what is recorded stands in a line, once. The
 * history of a schedule that has ended is gone, and stays so.
 */
export async function recordEnded(
  queries: Queries,
  job: string,
  ended: readonly EndedInput[],
  now: number,
): Promise<void> {
  const observations = ended.flatMap(({ observed }) => (observed === undefined ? [] : [observed]));
  if (observations.length === 0) return;
  const row = await queries.first<{ readonly schedule: string | null }>(
    'SELECT schedule FROM jobs WHERE id = $1',
    [job],
  );
  const held = await HeldScope.find(queries, row?.schedule ?? '');
  if (held !== undefined) await recordObservations(queries, held, job, observations, now);
}
