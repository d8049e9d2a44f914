import type { Queries } from '../../../lib/database/queries.js';
import type { Compared, KnownAppearance, KnownObject, KnownState, Move } from './compare.js';
import type { Fields, Observation, ObservedItem } from './observation.js';

/* The rows of a history. Every function runs inside a transaction of its caller that holds the scope. */

/** The scope locked by a transaction, and the numbers that it assigns. */
export class HeldScope {
  readonly scope: number;
  #last: number;

  private constructor(scope: number, last: number) {
    this.scope = scope;
    this.#last = last;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Locks a scope until the transaction ends; undefined if there is none. */
  static async find(queries: Queries, name: string): Promise<HeldScope | undefined> {
    const row = await queries.first<{ readonly scope: number; readonly last_number: number }>(
      `SELECT scope, last_number FROM history_scopes WHERE name = $1 ${queries.dialect.forUpdate}`,
      [name],
    );
    return row === undefined ? undefined : new HeldScope(row.scope, row.last_number);
  }

  /** Locks a scope until the transaction ends, creating it if there is none. */
  static async hold(queries: Queries, name: string): Promise<HeldScope> {
    const existing = await HeldScope.find(queries, name);
    if (existing !== undefined) return existing;
    await queries.lockTable('history_scopes');
    await queries.run(
      `INSERT INTO history_scopes (name, scope, last_number)
       SELECT $1, coalesce(max(scope), 0) + 1, 0 FROM history_scopes WHERE true ON CONFLICT DO NOTHING`,
      [name],
    );
    return (await HeldScope.find(queries, name)) ?? new HeldScope(0, 0);
  }

  async keep(queries: Queries): Promise<void> {
    await queries.run('UPDATE history_scopes SET last_number = $2 WHERE scope = $1', [
      this.scope,
      this.#last,
    ]);
  }
}

/** Returns the number of a scope; undefined if nothing was ever recorded in it. */
export async function scopeOf(queries: Queries, name: string): Promise<number | undefined> {
  const row = await queries.first<{ readonly scope: number }>(
    'SELECT scope FROM history_scopes WHERE name = $1',
    [name],
  );
  return row?.scope;
}

/** Returns the number of a run, which may continue after an interruption. */
export async function holdRun(queries: Queries, scope: HeldScope, run: string, at: number): Promise<number> {
  const row = await queries.first<{ readonly number: number; readonly last_at: number }>(
    'SELECT number, last_at FROM history_runs WHERE scope = $1 AND run = $2',
    [scope.scope, run],
  );
  if (row !== undefined) {
    if (row.last_at < at) {
      await queries.run('UPDATE history_runs SET last_at = $3 WHERE scope = $1 AND number = $2', [
        ...[scope.scope, row.number, at],
      ]);
    }
    return row.number;
  }
  const number = scope.next();
  await queries.run(
    'INSERT INTO history_runs (scope, number, run, first_at, last_at) VALUES ($1, $2, $3, $4, $4)',
    [scope.scope, number, run, at],
  );
  return number;
}

interface SubjectRow {
  readonly number: number;
  readonly last_at: number;
  readonly whole_at: number | null;
}

function findSubject(
  queries: Queries,
  scope: number,
  { endpoint, question }: Observation,
): Promise<SubjectRow | undefined> {
  return queries.first<SubjectRow>(
    'SELECT number, last_at, whole_at FROM history_subjects WHERE scope = $1 AND endpoint = $2 AND question = $3',
    [scope, endpoint, question],
  );
}

interface AppearanceRow {
  readonly object: number;
  readonly key: string;
  readonly id: string;
  readonly missing: number;
  readonly removed_at: number | null;
}

interface ObjectRow {
  readonly number: number;
  readonly key: string;
  readonly fields: string;
  readonly last_at: number;
}

export interface KnownRows {
  readonly state: KnownState;
  readonly subject: number | null;
  readonly numbers: Map<string, number>;
  /** The observation, with its items under their known keys. */
  readonly observation: Observation;
}

/** Returns the observation with its items under an earlier version's keys, if they are stored under them. */
function withKnownKeys(observation: Observation, appeared: readonly AppearanceRow[]): Observation {
  const keys = new Set(appeared.map(({ key }) => key));
  const items = observation.items.map((item) => {
    const { key, earlierKeys = [] } = item;
    return keys.has(key) ? item : { ...item, key: earlierKeys.find((one) => keys.has(one)) ?? key };
  });
  return { ...observation, items };
}

export async function readKnown(queries: Queries, scope: number, reading: Observation): Promise<KnownRows> {
  const subject = await findSubject(queries, scope, reading);
  const appeared =
    subject === undefined
      ? []
      : await queries.rows<AppearanceRow>(
          `SELECT a.object, o.key, o.id, a.missing, a.removed_at FROM history_appearances a
           JOIN history_objects o ON o.scope = a.scope AND o.number = a.object
           WHERE a.scope = $1 AND a.subject = $2 ORDER BY a.last_at DESC, a.position`,
          [scope, subject.number],
        );
  const observation = withKnownKeys(reading, appeared);
  // In this order SQLite looks up each key; with a list of keys it would read all objects of the scope.
  const rows = await queries.rows<ObjectRow>(
    `SELECT o.number, o.key, o.fields, o.last_at
     FROM ${queries.dialect.records('$3', { key: 'text' })} CROSS JOIN history_objects o
     WHERE o.scope = $1 AND o.object = $2 AND o.key = records.key`,
    [scope, observation.object, JSON.stringify(observation.items.map(({ key }) => ({ key })))],
  );
  const numbers = new Map(appeared.map(({ key, object }) => [key, object]));
  const objects = new Map<string, KnownObject>();
  for (const { number, key, fields, last_at: fetchedAt } of rows) {
    numbers.set(key, number);
    const values = JSON.parse(fields) as Fields | null;
    if (values !== null) objects.set(key, { fields: values, fetchedAt });
  }
  const appearances = new Map(
    appeared.map(({ key, id, missing, removed_at }): [string, KnownAppearance] => [
      key,
      { id, missing, isRemoved: removed_at !== null },
    ]),
  );
  const state: KnownState = {
    subject: subject === undefined ? null : { at: subject.last_at, wasWhole: subject.whole_at !== null },
    objects,
    appearances,
  };
  return { state, subject: subject?.number ?? null, numbers, observation };
}

export async function writeSubject(
  queries: Queries,
  scope: HeldScope,
  { endpoint, question, own, label, at, isWhole }: Observation,
  subject: number | null,
): Promise<number> {
  const number = subject ?? scope.next();
  await queries.run(
    `INSERT INTO history_subjects (scope, number, endpoint, question, label, first_at, last_at, whole_at, own, readings)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, 1)
     ON CONFLICT (scope, number) DO UPDATE SET label = excluded.label, last_at = excluded.last_at,
       whole_at = coalesce(excluded.whole_at, history_subjects.whole_at),
       own = coalesce(excluded.own, history_subjects.own), readings = history_subjects.readings + 1`,
    [
      ...[scope.scope, number, endpoint, question, label, at, isWhole ? at : null],
      own === undefined ? null : JSON.stringify(own),
    ],
  );
  return number;
}

export async function writeObjects(
  queries: Queries,
  scope: HeldScope,
  object: string,
  objects: Compared['objects'],
  numbers: Map<string, number>,
): Promise<void> {
  const rows = objects.map(({ item: { key, id, url, fetchedAt }, fields }) => {
    const number = numbers.get(key) ?? scope.next();
    numbers.set(key, number);
    return { number, key, id, url, fields: JSON.stringify(fields), at: fetchedAt };
  });
  if (rows.length === 0) return;
  const texts = { key: 'text', id: 'text', url: 'text', fields: 'text' } as const;
  const records = queries.dialect.records('$3', { number: 'integer', ...texts, at: 'integer' });
  await queries.run(
    `INSERT INTO history_objects (scope, number, object, key, id, url, fields, first_at, last_at)
     SELECT $1, number, $2, key, id, url, fields, at, at FROM ${records} WHERE true
     ON CONFLICT (scope, number) DO UPDATE SET id = excluded.id, url = coalesce(excluded.url, history_objects.url),
       fields = excluded.fields, last_at = excluded.last_at`,
    [scope.scope, object, JSON.stringify(rows)],
  );
}

export async function writeAppearances(
  queries: Queries,
  { scope }: HeldScope,
  subject: number,
  { present, absent }: Pick<Compared, 'present' | 'absent'>,
  numbers: ReadonlyMap<string, number>,
  at: number,
): Promise<void> {
  const there = present.map(({ key, position, fetchedAt }: ObservedItem) => ({
    ...{ object: numbers.get(key), position, at: fetchedAt },
  }));
  if (there.length > 0) {
    const records = queries.dialect.records('$3', { object: 'integer', position: 'integer', at: 'integer' });
    await queries.run(
      `INSERT INTO history_appearances (scope, subject, object, position, first_at, last_at, missing)
       SELECT $1, $2, object, position, at, at, 0 FROM ${records} WHERE true
       ON CONFLICT (scope, subject, object) DO UPDATE SET position = excluded.position,
         last_at = excluded.last_at, missing = 0, removed_at = NULL`,
      [scope, subject, JSON.stringify(there)],
    );
  }
  for (const removes of [false, true]) {
    const objects = absent
      .filter(({ isRemoved }) => isRemoved === removes)
      .map(({ key }) => numbers.get(key) ?? 0);
    if (objects.length === 0) continue;
    await queries.run(
      `UPDATE history_appearances SET missing = missing + 1${removes ? ', removed_at = $4' : ''}
       WHERE scope = $1 AND subject = $2 AND object ${queries.dialect.anyOf('$3')}`,
      [scope, subject, objects, ...(removes ? [at] : [])],
    );
  }
}

export interface NewChange extends Pick<Move, 'event' | 'field' | 'before' | 'after'> {
  readonly number: number;
  readonly object: number;
  readonly at: number;
}

export async function addChanges(
  queries: Queries,
  { scope }: HeldScope,
  run: number,
  subject: number,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ number, object, event, field, before, after, at }) => ({
    ...{ number, object, field, at },
    event: event === 'changed' ? null : event,
    before_text: event === 'changed' ? JSON.stringify(before) : null,
    after_text: event === 'changed' ? JSON.stringify(after) : null,
  }));
  const texts = { event: 'text', field: 'text', before_text: 'text', after_text: 'text' } as const;
  const records = queries.dialect.records('$4', {
    number: 'integer',
    object: 'integer',
    ...texts,
    at: 'integer',
  });
  await queries.run(
    `INSERT INTO history_changes
       (scope, number, run, subject, object, event, field, value_before, value_after, fetched_at)
     SELECT $1, number, $2, $3, object, event, field, before_text, after_text, at FROM ${records}`,
    [scope, run, subject, JSON.stringify(rows)],
  );
}
