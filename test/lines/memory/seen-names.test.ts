import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fingerprint } from '../../../lib/call/cursor.js';
import { DatabaseFile } from '../../../lib/database/sqlite/database-file.js';
import { sqliteSchema } from '../../../lib/database/sqlite/migration.js';
import { compare } from '../../../src/lines/memory/compare.js';
import { memorySchema } from '../../../src/lines/memory/memory-schema.js';
import { seenObservation, unseenItemsOf } from '../../../src/lines/memory/seen.js';
import { SeenNames } from '../../../src/lines/memory/seen-names.js';
import { takeOverNames } from '../../../src/lines/memory/sqlite/take-over-names.js';
import type { SeenBounds } from '../../../src/lines/memory/trim.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { aHarbour, harbourOne as harbour, harbours, sourcesOf } from '../../support/invented-rows.js';
import { newFiles } from '../../support/new-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newFile = newFiles(temporaryFolder());

function openNames(bounds: Partial<SeenBounds> = {}, file = newFile('db')) {
  const clock = new FakeClock();
  const schemas = [sqliteSchema(memorySchema)];
  const database = new DatabaseFile({ file, clock, schemas, pageSize: 4096, remedy: '' });
  return { database, clock, names: new SeenNames(database, clock, bounds) };
}

const start = Date.parse('2026-01-01T00:00:00Z');

/** A reading of a list whose items have IDs. */
const aList = (query: string, ids: readonly string[], more: object = {}, at = start) =>
  seenObservation(
    harbours,
    { query },
    false,
    {
      json: JSON.stringify(ids.map((name) => aHarbour({ name, ...more }))),
      sources: sourcesOf(ids, () => ({ route: null, fetched_at: new Date(at).toISOString() })),
      ...{ source: 'platform' as const, calls: 1, isWhole: true },
    },
    { counts: false, now: at },
  );

const anObject = (id: string, fields: object) =>
  seenObservation(
    harbour,
    { id },
    false,
    { json: JSON.stringify(aHarbour({ name: id, ...fields })), source: 'platform', calls: 1 },
    { counts: false, now: start },
  );

type SeenList = ReturnType<typeof aList>;

async function look(names: SeenNames, { observation, rule }: SeenList) {
  const { state: known, observation: named } = await names.lookUp('daily', observation);
  return unseenItemsOf(named, compare(known, named, rule));
}

async function run(names: SeenNames, seen: SeenList) {
  const news = await look(names, seen);
  await names.remember('daily', [seen]);
  return news;
}

describe('what was seen under a name', () => {
  test('is new once, and counted as new, changed, unchanged and removed', async () => {
    const { names } = openNames();
    assert.deepEqual((await run(names, aList('x', ['a', 'b', 'a']))).isNew, [true, true, false]);
    const again = await run(names, aList('x', ['c', 'a'], { open: false }));
    assert.deepEqual([again.isNew, again.removed], [[true, false], ['b']]);
    assert.deepEqual(again.counts, { new: 1, changed: 1, unchanged: 0, removed: 1 });
    const back = await run(names, aList('x', ['b', 'c', 'a'], { open: false }));
    assert.deepEqual([back.isNew, back.counts.unchanged], [[true, false, false], 2]);
    assert.deepEqual((await look(names, aList('y', ['a']))).isNew, [true]);
  });

  test('tells the fields of an object that changed, whole, a value that went away too', async () => {
    const { names } = openNames();
    assert.equal((await run(names, anObject('a', { note: 'Open.' }))).changed, null);
    assert.deepEqual((await run(names, anObject('a', { note: null }))).changed, { note: ['Open.', null] });
    assert.deepEqual((await run(names, anObject('a', { note: null }))).counts.unchanged, 1);
  });

  test('is listed, shown and forgotten by name', async () => {
    const { names } = openNames();
    await run(names, aList('x', ['a', 'b']));
    await run(names, anObject('a', {}));
    const [daily, ...others] = await names.listNames();
    assert.partialDeepStrictEqual(daily, { name: 'daily', lists: 1, objects: 1, items: 2 });
    assert.deepEqual(others, []);
    assert.deepEqual(await names.listEndpoints('daily'), [
      { endpoint: 'maps/harbour', lists: 0, objects: 1, items: 0 },
      { endpoint: 'maps/harbours', lists: 1, objects: 0, items: 2 },
    ]);
    await names.forget('daily');
    assert.deepEqual([await names.listNames(), await names.hasName('daily')], [[], false]);
    for (const missing of [() => names.listEndpoints('daily'), () => names.forget('daily')])
      await assert.rejects(missing, refusal('invalid_parameter', /extract history new list/));
  });

  test('loses what was met longest ago beyond the bounds, never the top of a list', async () => {
    const { names } = openNames({ itemsOfList: 3, subjectsOfName: 2 });
    const list = aList('x', ['5', '4', '3', '2', '1']);
    await run(names, list);
    await names.trim('daily');
    assert.deepEqual((await look(names, list)).isNew, [false, false, false, true, true]);
    await run(names, aList('y', ['1'], {}, start + 1));
    await run(names, aList('z', ['1'], {}, start + 2));
    await names.trim('daily');
    assert.deepEqual((await look(names, aList('x', ['5']))).isNew, [true]);
    assert.deepEqual((await look(names, aList('z', ['1']))).isNew, [false]);
  });
});

/** A file as builds before 2026-12 wrote it. */
async function earlierFile(count: number) {
  const under = openNames();
  const list = aList('x', ['a', 'b', 'c']).observation;
  const object = anObject('a', { note: 'Open.' }).observation;
  await under.database.transaction(async (queries) => {
    for (const statement of [
      `CREATE TABLE news_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, met INTEGER NOT NULL DEFAULT 0,
         items INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, last_at INTEGER NOT NULL) STRICT`,
      `CREATE TABLE news_subjects (id INTEGER PRIMARY KEY, name INTEGER NOT NULL, endpoint TEXT NOT NULL,
         question TEXT NOT NULL, object TEXT, items INTEGER NOT NULL DEFAULT 0, met INTEGER NOT NULL,
         UNIQUE (name, endpoint, question)) STRICT`,
      `CREATE TABLE news_items (subject INTEGER NOT NULL, item TEXT NOT NULL, met INTEGER NOT NULL, id TEXT,
         missing INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (subject, item)) STRICT, WITHOUT ROWID`,
      `INSERT INTO news_names VALUES (1, 'daily', 9, 3, 1000, 2000)`,
    ])
      await queries.run(statement);
    const subject = 'INSERT INTO news_subjects VALUES ($1, 1, $2, $3, $4, 0, $1)';
    await queries.run(subject, [1, list.endpoint, list.question, null]);
    const text = JSON.stringify(object.items[0]?.fields);
    await queries.run(subject, [2, object.endpoint, object.question, text]);
    for (let at = 3; at < count; at += 1) await queries.run(subject, [at, 'maps/harbours', `q${at}`, null]);
    // One with its ID, one of an older build without, and one named by what it holds.
    const item = 'INSERT INTO news_items VALUES (1, $1, 1, $2, 0)';
    await queries.run(item, [fingerprint('a'), 'a']);
    await queries.run(item, [fingerprint('b'), null]);
  });
  return under;
}

const objectOf = () => harbour.returns.meta()?.id ?? '';

describe('what an earlier build remembered', () => {
  test('is taken over: nothing that was seen is new, and what is gone is told', async () => {
    const { names, database } = await earlierFile(3);
    await takeOverNames(database, objectOf);
    const list = await run(names, aList('x', ['c', 'b', 'a']));
    assert.deepEqual(list.isNew, [true, false, false]);
    assert.deepEqual(list.counts, { new: 1, changed: 0, unchanged: 2, removed: 0 });
    assert.equal((await run(names, anObject('a', { note: 'Open.' }))).counts.unchanged, 1);
    const { changed } = await run(names, anObject('a', { note: 'Shut.' }));
    assert.deepEqual(changed, { note: ['Open.', 'Shut.'] });
    // Which item without an ID was removed is ambiguous: b now has an ID, under its old key.
    assert.ok((await run(names, aList('x', ['c']))).removed.includes('a'));
    const left = "SELECT name FROM sqlite_master WHERE name LIKE 'news%'";
    assert.deepEqual(await database.read((queries) => queries.rows(left)), []);
  });

  test('is taken over from where a killed process left it', async () => {
    const { names, database } = await earlierFile(50);
    let stepsLeft = 20;
    const killed = {
      dialect: database.dialect,
      isRemote: false,
      read: database.read.bind(database),
      write: database.write.bind(database),
      transaction: <T>(work: Parameters<typeof database.transaction<T>>[0]) => {
        stepsLeft -= 1;
        if (stepsLeft < 0) return Promise.reject(new Error('killed'));
        return database.transaction(work);
      },
    };
    await assert.rejects(takeOverNames(killed, objectOf), /killed/);
    const open = openNames({}, database.file);
    await takeOverNames(open.database, objectOf);
    assert.deepEqual((await look(names, aList('x', ['a', 'b', 'c']))).isNew, [false, false, true]);
    assert.equal((await names.listNames())[0]?.lists, 48);
    await open.database.close();
  });
});
