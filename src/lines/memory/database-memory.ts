import type { Database } from '../../../lib/database/database.js';
import type { Queries, SqlValue } from '../../../lib/database/queries.js';
import { isoTime } from '../../../lib/read/iso-time.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { type ChangeRule, compare } from './compare.js';
import { findChanges } from './find-changes.js';
import { findSeries } from './find-series.js';
import { findSizes } from './find-sizes.js';
import type { Change, ChangePage, History, HistoryReader, HistorySubject, Series } from './history.js';
import {
  addChanges,
  HeldScope,
  holdRun,
  type KnownRows,
  readKnown,
  scopeOf,
  writeAppearances,
  writeObjects,
  writeSubject,
} from './memory-rows.js';
import type { Observation } from './observation.js';
import type { SeenObservation } from './seen.js';
import { trimList } from './trim.js';

/** Writes the state after an observation; null if nothing is new. */
async function writeObservation(queries: Queries, scope: HeldScope, reading: Observation, rule?: ChangeRule) {
  const { state, subject: before, numbers, observation } = await readKnown(queries, scope.scope, reading);
  const { objects, present, absent, moves } = compare(state, observation, rule);
  if (before !== null && present.length + absent.length === 0 && observation.isCached) return null;
  const subject = await writeSubject(queries, scope, observation, before);
  await writeObjects(queries, scope, observation.object, objects, numbers);
  await writeAppearances(queries, scope, subject, { present, absent }, numbers, observation.at);
  return { subject, moves, numbers, size: state.appearances.size };
}

async function recordOne(
  queries: Queries,
  scope: HeldScope,
  run: { readonly id: string; readonly number: number },
  observation: Observation,
): Promise<readonly Change[]> {
  const result = await writeObservation(queries, scope, observation);
  if (result === null) return [];
  const { subject, moves, numbers } = result;
  const rows = moves.map((move) => ({
    ...{ event: move.event, field: move.field, before: move.before, after: move.after },
    ...{ number: scope.next(), object: numbers.get(move.key) ?? 0, at: move.fetchedAt, key: move.key },
  }));
  await addChanges(queries, scope, run.number, subject, rows);
  const items = await itemsOf(queries, scope, rows);
  return rows.map(({ number, event, object, field, before: from, after, at }) => ({
    ...{ number, event, object: observation.object },
    ...{ id: '', url: null, ...items.get(object) },
    ...{ subject: observation.label, endpoint: observation.endpoint, field, before: from, after },
    ...{ fetched_at: isoTime(at), run: run.id },
  }));
}

interface ItemRow {
  readonly number: number;
  readonly id: string;
  readonly url: string | null;
  readonly fields: string;
}

async function itemsOf(
  queries: Queries,
  { scope }: HeldScope,
  changes: readonly { readonly object: number }[],
): Promise<ReadonlyMap<number, Pick<Change, 'id' | 'url' | 'item'>>> {
  const numbers = [...new Set(changes.map(({ object }) => object))];
  if (numbers.length === 0) return new Map();
  const rows = await queries.rows<ItemRow>(
    `SELECT number, id, url, fields FROM history_objects WHERE scope = $1 AND number ${queries.dialect.anyOf('$2')}`,
    [scope, numbers],
  );
  return new Map(
    rows.map(({ number, id, url, fields }) => [
      number,
      { id, url, item: JSON.parse(fields) as NonNullable<Change['item']> },
    ]),
  );
}

/**
 * Records observations inside the caller's transaction, as `History.record` does. A server stores its result lines in
 * the same transaction, so that everything in a line is recorded.
 */
export async function recordObservations(
  queries: Queries,
  scope: HeldScope,
  run: string,
  observations: readonly Observation[],
  now: number,
): Promise<readonly Change[]> {
  if (observations.length === 0) return [];
  const number = await holdRun(queries, scope, run, now);
  const changes: Change[] = [];
  for (const observation of observations) {
    changes.push(...(await recordOne(queries, scope, { id: run, number }, observation)));
  }
  await scope.keep(queries);
  return changes;
}

/** The single run of a memory of seen items, for which only the time of use matters. */
const seenRun = 'seen';

/**
 * Remembers observations inside the caller's transaction: the state after them, without changes. A list far beyond
 * `itemsOfList` forgets the items seen longest ago.
 */
export async function rememberObservations(
  queries: Queries,
  scope: HeldScope,
  observations: readonly SeenObservation[],
  itemsOfList: number,
  now: number,
): Promise<void> {
  await holdRun(queries, scope, seenRun, now);
  for (const { observation, rule } of observations) {
    const result = await writeObservation(queries, scope, observation, rule);
    if (result !== null && result.size > 2 * itemsOfList)
      await trimList(queries, scope.scope, result.subject, itemsOfList);
  }
  await scope.keep(queries);
}

async function findSubjects(queries: Queries, scope: number): Promise<readonly HistorySubject[]> {
  const rows = await queries.rows<
    Omit<HistorySubject, 'first_at' | 'own'> & { readonly first_at: number; readonly own: string | null }
  >('SELECT number, endpoint, label, first_at, own FROM history_subjects WHERE scope = $1 ORDER BY number', [
    scope,
  ]);
  return rows.map(({ own, ...row }) => ({
    ...row,
    first_at: isoTime(row.first_at),
    ...(own === null ? {} : { own: JSON.parse(own) as NonNullable<HistorySubject['own']> }),
  }));
}

async function findOrigin(queries: Queries, scope: number): Promise<string | null> {
  const text = 'SELECT run FROM history_runs WHERE scope = $1 ORDER BY number LIMIT 1';
  return (await queries.first<{ readonly run: string }>(text, [scope]))?.run ?? null;
}

/**
 * Ends a history, inside the caller's transaction: it can no longer be found, and nothing is recorded. `removeEnded`
 * deletes its content.
 */
export async function endScope(queries: Queries, name: string): Promise<void> {
  // Waits for runs that are recording in the scope.
  await queries.run(`UPDATE history_scopes SET name = 'ended:' || scope WHERE name = $1`, [name]);
}

/** SQL for a scope that has ended but still has content: a process may be killed before it deletes it. */
export const isEnded = `name >= 'ended:' AND name < 'ended;'`;

/** Maximum rows deleted per statement, because a history of years has millions, and calls wait for each statement. */
const atOnce = 500;
const pieceMs = 2;

/** Deletes rows in batches, with the batch size as the statement's last value. Resolves with the count. */
async function removeRows(
  database: Database,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  let removed = 0;
  for (let last = 1; last > 0; removed += last) {
    await accountTurns.next('', pieceMs);
    last = await database.write((queries) => queries.run(statement, [...values, atOnce]));
  }
  return removed;
}

const firstRows = (table: string, predicate: string, most: string) =>
  `DELETE FROM history_${table} WHERE scope = $1 AND ${predicate}
     AND number < ${most} + (SELECT min(number) FROM history_${table} WHERE scope = $1)`;

const firstAppearances = (predicate: string, most: string) => {
  const first = (column: string) =>
    `(SELECT ${column} FROM history_appearances WHERE scope = $1 ORDER BY subject, object LIMIT 1)`;
  return `DELETE FROM history_appearances WHERE scope = $1 AND ${predicate}
     AND subject = ${first('subject')} AND object < ${most} + ${first('object')}`;
};

async function pruneRuns(database: Database, scope: number, before: number): Promise<number> {
  // Changes of later runs have higher numbers, so only lower ones are examined.
  const younger = await database.read((queries) =>
    queries.first<{ readonly number: number }>(
      'SELECT number FROM history_runs WHERE scope = $1 AND last_at >= $2 ORDER BY number LIMIT 1',
      [scope, before],
    ),
  );
  const below = younger?.number ?? Number.MAX_SAFE_INTEGER;
  return removeRows(database, firstRows('changes', 'number < $2', '$3'), [scope, below]);
}

/** Histories and seen items in a database. */
export class DatabaseMemory implements History {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  record(scope: string, run: string, observations: readonly Observation[]): Promise<readonly Change[]> {
    return this.#database.transaction(async (queries) =>
      recordObservations(queries, await HeldScope.hold(queries, scope), run, observations, this.#clock.now()),
    );
  }

  /** Returns the stored state of an observation, and the observation under its known keys. */
  async lookUp(scope: string, observation: Observation): Promise<Pick<KnownRows, 'state' | 'observation'>> {
    return this.#database.read(async (queries) =>
      readKnown(queries, (await scopeOf(queries, scope)) ?? 0, observation),
    );
  }

  remember(scope: string, observations: readonly SeenObservation[], itemsOfList: number): Promise<void> {
    return this.#database.transaction(async (queries) =>
      rememberObservations(
        queries,
        await HeldScope.hold(queries, scope),
        observations,
        itemsOfList,
        this.#clock.now(),
      ),
    );
  }

  reader(scope: string): HistoryReader {
    const readScope = <T>(nothing: T, find: (queries: Queries, scope: number) => Promise<T>): Promise<T> =>
      this.#database.read(async (queries) => {
        const number = await scopeOf(queries, scope);
        return number === undefined ? nothing : find(queries, number);
      });
    return {
      changes: (query = {}) =>
        readScope<ChangePage>({ changes: [], next: null }, (queries, number) =>
          findChanges(queries, number, query),
        ),
      series: (query = {}) =>
        readScope<readonly Series[]>([], (queries, number) => findSeries(queries, number, query)),
      sizes: (query = {}) =>
        readScope<readonly Series[]>([], (queries, number) => findSizes(queries, number, query)),
      origin: () => readScope(null, findOrigin),
      subjects: () => readScope([], findSubjects),
    };
  }

  async prune(before: number): Promise<number> {
    const scopes = await this.#database.read((queries) =>
      queries.rows<{ readonly scope: number }>('SELECT scope FROM history_scopes ORDER BY scope'),
    );
    let deleted = 0;
    for (const { scope } of scopes) {
      deleted += await pruneRuns(this.#database, scope, before);
    }
    return deleted;
  }

  /** Deletes the content of ended histories. Several processes may do so concurrently. */
  async removeEnded(): Promise<void> {
    const database = this.#database;
    const endedScopes = await database.read((queries) =>
      queries.rows<{ readonly scope: number }>(`SELECT scope FROM history_scopes WHERE ${isEnded}`),
    );
    // Another process may have removed the scope, and its number may belong to a new history.
    const isStill = `EXISTS (SELECT 1 FROM history_scopes WHERE scope = $1 AND ${isEnded})`;
    for (const { scope } of endedScopes) {
      for (const table of ['changes', 'objects', 'subjects', 'runs'])
        await removeRows(database, firstRows(table, isStill, '$2'), [scope]);
      await removeRows(database, firstAppearances(isStill, '$2'), [scope]);
      await database.write((queries) =>
        queries.run(`DELETE FROM history_scopes WHERE scope = $1 AND ${isEnded}`, [scope]),
      );
    }
  }
}
