import { setImmediate } from 'node:timers/promises';
import { decodeTime } from 'ulid';
import type { Database } from '../../../lib/database/database.js';
import type { PreparedRows, Queries } from '../../../lib/database/queries.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import type { JobRow } from './job-row.js';

/*
 * The inputs of jobs. Every function runs inside a transaction. The jobs of a schedule share its inputs, which are
 * stored once. Inputs are written in batches, because ten thousand rows in one statement block the event loop for 60 to
 * 300 ms (measured 2026-11).
 */

/** Maximum rows and characters per batch. */
const [maxRows, maxCharacters] = [500, 128 * 1024];
/** Milliseconds to write or delete a batch in its transaction (measured 2026-11). */
const pieceMs = 1;

const owners = { job_inputs: 'job', schedule_inputs: 'schedule' } as const;

export type InputTable = keyof typeof owners;

export type OwnedInputs = readonly [table: InputTable, id: string];

const inputColumns = { owner: 'text', place: 'integer', input: 'text' } as const;

const insertInto = (table: InputTable): PreparedRows<typeof inputColumns> => ({
  name: `insert_${table}`,
  columns: inputColumns,
  text: (records) =>
    `INSERT INTO ${table} (${owners[table]}, place, input) SELECT owner, place, input FROM ${records}`,
});

/** Maximum milliseconds to create a job. Older inputs without one are leftovers. */
const creationMs = 3_600_000;

/**
 * SQL for the inputs of the job `$1`: its own, or its schedule's. A job with both was created by an earlier version, or
 * its schedule ended under one.
 */
const ofJob = (column: string) => `(
  SELECT place, ${column} FROM job_inputs WHERE job = $1
  UNION ALL
  SELECT place, ${column} FROM schedule_inputs
  WHERE schedule = (SELECT schedule FROM jobs WHERE id = $1) AND NOT EXISTS (SELECT 1 FROM job_inputs WHERE job = $1)
)`;
export const inputsOfJob = ofJob('input');

/** The size of an input, computed without reading the text. */
const size = 'octet_length(input) AS bytes';

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
 * Writes the inputs of a job or a schedule before it is created, in separate transactions: the checkpoint of one with
 * 15 MB of inputs blocks the event loop for 120 ms (measured 2026-11).
 */
export async function stageInputs(
  database: Database,
  account: string,
  table: InputTable,
  id: string,
  inputs: readonly string[],
): Promise<void> {
  for (const piece of pieces(inputs)) {
    await accountTurns.next(account, pieceMs);
    await database.write((queries) => insertPiece(queries, table, id, inputs, piece));
  }
}

/** Deletes the inputs of a job or a schedule in separate transactions, each only while the condition holds. */
export async function withdrawInputs(
  database: Database,
  account: string,
  table: InputTable,
  id: string,
  predicate = 'true',
): Promise<void> {
  const owner = owners[table];
  for (;;) {
    await accountTurns.next(account, pieceMs);
    const sizes = `(SELECT place, ${size} FROM ${table} WHERE ${owner} = $1)`;
    const last = await database.read((queries) => endOfPiece(queries, sizes, id, 0));
    if (last === null) return;
    const deleted = await database.write((queries) =>
      queries.run(`DELETE FROM ${table} WHERE ${owner} = $1 AND place <= $2 AND ${predicate}`, [id, last]),
    );
    if (deleted === 0) return;
  }
}

/** Returns true if a job or a schedule being created still has its staged inputs. The first one is deleted first. */
export async function hasInputs(queries: Queries, table: InputTable, id: string): Promise<boolean> {
  const text = `SELECT 1 AS found FROM ${table} WHERE ${owners[table]} = $1 AND place = 0`;
  return (await queries.first(text, [id])) !== undefined;
}

/** Returns the index of the last input of a batch that begins at an index; null if there are none. */
async function endOfPiece(queries: Queries, sizes: string, id: string, from: number): Promise<number | null> {
  const rows = await queries.rows<{ readonly place: number; readonly bytes: number }>(
    `SELECT place, bytes FROM ${sizes} AS sizes WHERE place >= $2 ORDER BY place LIMIT $3`,
    [id, from, maxRows],
  );
  let size = 0;
  const last = rows.find(({ bytes }) => {
    size += bytes;
    return size >= maxCharacters;
  });
  return (last ?? rows.at(-1))?.place ?? null;
}

/** Returns some of a job's inputs from an index, by index. */
export async function readInputs(
  queries: Queries,
  job: string,
  from: number,
): Promise<ReadonlyMap<number, string>> {
  const last = await endOfPiece(queries, ofJob(size), job, from);
  const rows = await queries.rows<{ readonly place: number; readonly input: string }>(
    `SELECT place, input FROM ${inputsOfJob} AS inputs WHERE place >= $2 AND place <= $3`,
    [job, from, last],
  );
  return new Map(rows.map(({ place, input }) => [place, input]));
}

/** Returns true if the job or schedule with this ID, `job_…` or `sched_…`, would have been created by now. */
function isLeftBehind(id: string, now: number): boolean {
  try {
    return now - decodeTime(id.slice(id.indexOf('_') + 1)) > creationMs;
  } catch {
    // An ID without a time.
    return true;
  }
}

/** SQL for the jobs and schedules that still need inputs of a table, whose owner is `id`. */
const needing = (table: InputTable, id: string) =>
  table === 'job_inputs'
    ? `EXISTS (SELECT 1 FROM jobs WHERE lines < total AND jobs.id = ${id})`
    : `EXISTS (SELECT 1 FROM schedules WHERE status <> 'ended' AND schedules.id = ${id})
       OR EXISTS (SELECT 1 FROM jobs WHERE lines < total AND jobs.schedule = ${id})`;

/**
 * Deletes the inputs that killed processes left behind: inputs without a job or schedule after an hour, and inputs of
 * jobs and schedules that have ended.
 */
export async function forgetStagedInputs(database: Database, now: number): Promise<void> {
  for (const table of ['job_inputs', 'schedule_inputs'] as const) {
    const owner = owners[table];
    // From owner to owner by the index: a scan of all inputs would block the event loop.
    const next = `SELECT ${owner} AS id, ${needing(table, `${table}.${owner}`)} AS needed
      FROM ${table} WHERE ${owner} > $1 ORDER BY ${owner} LIMIT 1`;
    for (let id = ''; ; ) {
      const candidate = await database.read((queries) =>
        queries.first<{ readonly id: string; readonly needed: number }>(next, [id]),
      );
      if (candidate === undefined) break;
      id = candidate.id;
      // Rechecked, because the job may be created meanwhile: after a leap of the clock its inputs look old.
      if (!candidate.needed && isLeftBehind(id, now)) await withdrawUnneeded(database, '', [table, id]);
    }
  }
}

/** Deletes inputs that a deletion left behind, unless the deletion was rolled back. */
export async function withdrawUnneeded(
  database: Database,
  account: string,
  [table, id]: OwnedInputs,
): Promise<void> {
  await withdrawInputs(database, account, table, id, `NOT (${needing(table, '$1')})`);
}

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

/**
 * Deletes unneeded inputs. With `inPieces`, for a transaction that others wait for, returns them instead if there are
 * many, to be deleted afterwards.
 */
export async function deleteUnlessMany(
  queries: Queries,
  owned: OwnedInputs,
  bytes: number,
  inPieces = false,
): Promise<readonly OwnedInputs[]> {
  if (inPieces && bytes > maxCharacters) return [owned];
  await deleteInputs(queries, ...owned);
  return [];
}

/**
 * Deletes the inputs of a job with all its lines, and its schedule's if unneeded. Returns the inputs still to be
 * deleted in batches.
 */
export async function forgetInputs(
  queries: Queries,
  { id, schedule, input_bytes: bytes }: Pick<JobRow, 'id' | 'schedule' | 'input_bytes'>,
  inPieces = false,
): Promise<readonly OwnedInputs[]> {
  const inputs = await deleteUnlessMany(queries, ['job_inputs', id], bytes, inPieces);
  return schedule === null
    ? inputs
    : [...inputs, ...(await forgetScheduleInputs(queries, schedule, inPieces))];
}

/**
 * Deletes the inputs of a schedule that has ended or no longer exists, once each of its jobs has all its lines; like
 * `forgetInputs`.
 */
export async function forgetScheduleInputs(
  queries: Queries,
  schedule: string,
  inPieces = false,
): Promise<readonly OwnedInputs[]> {
  // Locked, so that the end of a schedule and the end of its last job see each other.
  const row = await queries.first<{ readonly status: string; readonly input_bytes: number }>(
    `SELECT status, input_bytes FROM schedules WHERE id = $1 ${queries.dialect.forUpdate}`,
    [schedule],
  );
  if (row !== undefined && row.status !== 'ended') return [];
  const open = await queries.first(
    'SELECT 1 AS found FROM jobs WHERE schedule = $1 AND lines < total LIMIT 1',
    [schedule],
  );
  if (open !== undefined) return [];
  // The size of a deleted schedule's inputs is unknown.
  const bytes = row?.input_bytes ?? Number.POSITIVE_INFINITY;
  return deleteUnlessMany(queries, ['schedule_inputs', schedule], bytes, inPieces);
}
