import { setImmediate } from 'node:timers/promises';
import { decodeTime } from 'ulid';
import type { Database } from '../../../lib/database/database.js';
import type { PreparedRows, Queries } from '../../../lib/database/queries.js';
import type { JobRow } from './job-row.js';

/*
 * The inputs of jobs; each function is called inside a transaction of its caller. The jobs of a schedule share its
 * inputs, which are stored once. Inputs are written in pieces, as ten thousand rows at once would block the event loop
 * for 60 to 300 ms (measured 2026-11).
 */

/** Inputs, and characters of inputs, of one piece. */
const [maxRows, maxCharacters] = [1000, 128 * 1024];

/** The column that names the owner of a table's inputs. */
const owners = { job_inputs: 'job', schedule_inputs: 'schedule' } as const;

export type InputTable = keyof typeof owners;

const inputColumns = { owner: 'text', place: 'integer', input: 'text' } as const;

const insertInto = (table: InputTable): PreparedRows<typeof inputColumns> => ({
  name: `insert_${table}`,
  columns: inputColumns,
  text: (records) =>
    `INSERT INTO ${table} (${owners[table]}, place, input) SELECT owner, place, input FROM ${records}`,
});

/** Milliseconds for which a job is made at most: inputs without one are left over after that. */
const makingMs = 3_600_000;

/**
 * The inputs of the job `$1`: its own, or those of its schedule. A job that has both was made by an earlier version, or its
 * schedule ended under one.
 */
export const inputsOfJob = `(
  SELECT place, input FROM job_inputs WHERE job = $1
  UNION ALL
  SELECT place, input FROM schedule_inputs
  WHERE schedule = (SELECT schedule FROM jobs WHERE id = $1) AND NOT EXISTS (SELECT 1 FROM job_inputs WHERE job = $1)
)`;

/** Stretches of inputs that are written at once. */
function* pieces(inputs: readonly string[]): Generator<[from: number, to: number], void, undefined> {
  for (let from = 0; from < inputs.length; ) {
    let to = from;
    for (let size = 0; to < inputs.length && to - from < maxRows && size < maxCharacters; to += 1) {
      size += (inputs[to] as string).length;
    }
    yield [from, to];
    from = to;
  }
}

/** Writes the inputs of a job or a schedule. */
export async function insertInputs(
  queries: Queries,
  table: InputTable,
  id: string,
  inputs: readonly string[],
): Promise<void> {
  for (const piece of pieces(inputs)) {
    await insertPiece(queries, table, id, inputs, piece);
    await setImmediate();
  }
}

async function insertPiece(
  queries: Queries,
  table: InputTable,
  id: string,
  inputs: readonly string[],
  [from, to]: readonly [from: number, to: number],
): Promise<void> {
  const rows = inputs.slice(from, to).map((input, at) => ({ owner: id, place: from + at, input }));
  await queries.runAll(insertInto(table), rows);
}

/**
 * Writes the inputs of a job or a schedule that is about to be made, in transactions of their own: the log of one
 * with 15 MB of inputs holds the event loop for 120 ms when it is moved into the file (measured 2026-11).
 */
export async function stageInputs(
  database: Database,
  table: InputTable,
  id: string,
  inputs: readonly string[],
): Promise<void> {
  for (const piece of pieces(inputs)) {
    await database.write((queries) => insertPiece(queries, table, id, inputs, piece));
    await setImmediate();
  }
}

/** Deletes the staged inputs of a job or a schedule that was not made. */
export async function withdrawInputs(database: Database, table: InputTable, id: string): Promise<void> {
  await database.transaction((queries) => deleteInputs(queries, table, id));
}

/** Whether what has this ID, `job_…` or `sched_…`, would have been made by now. */
function isLeftBehind(id: string, now: number): boolean {
  try {
    return now - decodeTime(id.slice(id.indexOf('_') + 1)) > makingMs;
  } catch {
    // An ID that says nothing of its time.
    return true;
  }
}

/** Deletes the staged inputs of killed processes: those of no job and no schedule, an hour after they were begun. */
export async function forgetStagedInputs(database: Database, now: number): Promise<void> {
  for (const [table, made] of [
    ['job_inputs', 'jobs'],
    ['schedule_inputs', 'schedules'],
  ] as const) {
    const owner = owners[table];
    // From owner to owner by the index: a scan of all inputs would hold the event loop.
    const next = `SELECT ${owner} AS id, EXISTS (SELECT 1 FROM ${made} WHERE id = ${owner}) AS made
      FROM ${table} WHERE ${owner} > $1 ORDER BY ${owner} LIMIT 1`;
    for (let id = ''; ; ) {
      const found = await database.read((queries) =>
        queries.first<{ readonly id: string; readonly made: number }>(next, [id]),
      );
      if (found === undefined) break;
      id = found.id;
      if (!found.made && isLeftBehind(id, now)) await withdrawInputs(database, table, id);
    }
  }
}

/** Deletes the inputs of a job or a schedule. */
async function deleteInputs(queries: Queries, table: InputTable, id: string): Promise<void> {
  const owner = owners[table];
  for (;;) {
    const deleted = await queries.run(
      `DELETE FROM ${table} WHERE ${owner} = $1 AND place < $2 + (SELECT min(place) FROM ${table} WHERE ${owner} = $1)`,
      [id, maxRows],
    );
    if (deleted < maxRows) return;
    await setImmediate();
  }
}

/** Deletes the inputs of a job whose last line is there, and those of its schedule where nobody needs them any more. */
export async function forgetInputs(
  queries: Queries,
  { id, schedule }: Pick<JobRow, 'id' | 'schedule'>,
): Promise<void> {
  await deleteInputs(queries, 'job_inputs', id);
  if (schedule !== null) await forgetScheduleInputs(queries, schedule);
}

/** Deletes the inputs of a schedule that has ended, or is gone, once each of its jobs has its last line. */
export async function forgetScheduleInputs(queries: Queries, schedule: string): Promise<void> {
  // Held: the end of a schedule and the end of its last job see each other.
  const row = await queries.first<{ readonly status: string }>(
    `SELECT status FROM schedules WHERE id = $1 ${queries.dialect.forUpdate}`,
    [schedule],
  );
  if (row !== undefined && row.status !== 'ended') return;
  const open = await queries.first(
    'SELECT 1 AS found FROM jobs WHERE schedule = $1 AND lines < total LIMIT 1',
    [schedule],
  );
  if (open === undefined) await deleteInputs(queries, 'schedule_inputs', schedule);
}
