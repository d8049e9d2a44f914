import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { KnownState } from '../../../lines/memory/compare.js';
import {
  DatabaseMemory,
  endScope,
  recordObservations,
  rememberObservations,
} from '../../../lines/memory/database-memory.js';
import { HeldScope } from '../../../lines/memory/memory-rows.js';
import type { Observation } from '../../../lines/memory/observation.js';
import type { EndedInput } from '../job.js';

/*
 * A schedule's memory lasts from its first job to its end. The scope named by its ID is its history; `seen:` and the ID
 * is what its jobs have returned.
 */

const seenScope = (schedule: string) => `seen:${schedule}`;

/** Minimum returned items remembered per list. */
const itemsOfList = 1000;

/** Locks a schedule before its memory; undefined if it has ended, and its memory with it. */
async function lockSchedule(queries: Queries, id: string, column: string): Promise<string | undefined> {
  const row = await queries.first<{ readonly id: string; readonly status: string }>(
    `SELECT id, status FROM schedules WHERE id = ${column} ${queries.dialect.forUpdate}`,
    [id],
  );
  return row === undefined || row.status === 'ended' ? undefined : row.id;
}

/** Returns an observation as a schedule's jobs remember it: equal inputs have separate lists and objects. */
export function ofInput(observation: Observation, index: number): Observation {
  const question = String(index);
  const items = observation.items.map((item) =>
    item.key === observation.question ? { ...item, key: question } : item,
  );
  return { ...observation, question, items };
}

/** What builds before 2026-12 remembered of an input: its items' keys, or its object. */
type EarlierSeen =
  | { readonly items: readonly string[]; readonly ids?: Readonly<Record<string, string>> }
  | { readonly object: Readonly<Record<string, unknown>> | null };

function earlierObservation(earlier: EarlierSeen, observation: Observation): Observation {
  const { question } = observation;
  const rows =
    'items' in earlier
      ? earlier.items.map((key) => ({ key, id: earlier.ids?.[key] ?? '', fields: null }))
      : [{ key: question, id: '', fields: earlier.object }];
  const items = rows.map((row, index) => ({ ...row, url: null, position: index + 1, fetchedAt: 0 }));
  const reading = { at: 0, pages: 1, isWhole: false, isBrief: false, isCached: false };
  return { ...observation, ...reading, items };
}

/** Moves an earlier build's memory of one input, and deletes the original. */
async function takeOver(queries: Queries, schedule: string, observation: Observation): Promise<void> {
  const id = await lockSchedule(queries, schedule, '$1');
  const input = [schedule, Number(observation.question)];
  const row = await queries.first<{ readonly given: string | null }>(
    'SELECT given FROM schedule_inputs WHERE schedule = $1 AND place = $2',
    input,
  );
  if (id === undefined || row === undefined || row.given === null) return;
  const scope = await HeldScope.hold(queries, seenScope(id));
  const earlier = earlierObservation(JSON.parse(row.given) as EarlierSeen, observation);
  const rule = { counts: false, nulls: false };
  await rememberObservations(queries, scope, [{ observation: earlier, rule }], itemsOfList, 0);
  await queries.run('UPDATE schedule_inputs SET given = NULL WHERE schedule = $1 AND place = $2', input);
}

/** What a schedule remembers of an input, and its observation under the known keys. */
export interface KnownInput {
  readonly state: KnownState;
  readonly observation: Observation;
}

export interface InputMemory {
  /** Resolves with what earlier jobs of a schedule saw of an input's list or object. */
  lookUp(schedule: string, observation: Observation): Promise<KnownInput>;
}

/** Returns what earlier jobs of a schedule saw of an input. */
export async function stateOfInput(
  database: Database,
  clock: Clock,
  schedule: string,
  observation: Observation,
): Promise<KnownInput> {
  const earlier = await database.read((queries) =>
    queries.first(
      'SELECT 1 AS found FROM schedule_inputs WHERE schedule = $1 AND place = $2 AND given IS NOT NULL',
      [schedule, Number(observation.question)],
    ),
  );
  if (earlier !== undefined)
    await database.transaction((queries) => takeOver(queries, schedule, observation));
  return new DatabaseMemory(database, clock).lookUp(seenScope(schedule), observation);
}

/**
 * Records and remembers what a job's inputs saw, in the transaction that stores their lines, so that everything
 * remembered is in exactly one line. Never restores the deleted memory of an ended schedule.
 */
export async function recordEnded(
  queries: Queries,
  job: string,
  inputs: readonly EndedInput[],
  now: number,
): Promise<void> {
  const observed = inputs.flatMap((input) => input.observed ?? []);
  const seenObservations = inputs.flatMap((input) => input.seen ?? []);
  if (observed.length + seenObservations.length === 0) return;
  const schedule = await lockSchedule(queries, job, '(SELECT schedule FROM jobs WHERE id = $1)');
  if (schedule === undefined) return;
  if (observed.length > 0)
    await recordObservations(queries, await HeldScope.hold(queries, schedule), job, observed, now);
  if (seenObservations.length > 0)
    await rememberObservations(
      queries,
      await HeldScope.hold(queries, seenScope(schedule)),
      seenObservations,
      itemsOfList,
      now,
    );
}

/** Ends a schedule's memory, inside a transaction that has locked its row. */
export async function endMemory(queries: Queries, schedule: string): Promise<void> {
  await endScope(queries, schedule);
  await endScope(queries, seenScope(schedule));
}
