import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../lib/database/database.js';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import type { Queries } from '../../lib/database/queries.js';
import type { SchemaSql } from '../../lib/database/schema-sql.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import type { TableSchema } from '../../lib/database/table-schema.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { refusal } from '../ledger/ledger-port.js';
import { databaseKinds } from '../support/databases.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A table with a column of each type. */
const notesSchema: TableSchema = {
  name: 'notes',
  tables: ({ id, text, integer, real, flag, bytes, end, unlogged }) => `
    CREATE TABLE notes (
      id ${id} PRIMARY KEY,
      body ${text},
      number ${integer} NOT NULL DEFAULT 0 CHECK (number >= 0),
      share ${real},
      done ${flag} NOT NULL DEFAULT false,
      digest ${bytes},
      added ${integer} NOT NULL DEFAULT 7
    ) ${end};
    CREATE ${unlogged} TABLE drafts (id ${id} PRIMARY KEY) ${end};
  `,
  steps: [({ integer }) => `ALTER TABLE notes ADD COLUMN added ${integer} NOT NULL DEFAULT 7;`],
};

const add = (queries: Queries, id: string, number = 0) =>
  queries.run('INSERT INTO notes (id, number) VALUES ($1, $2)', [id, number]);

async function ids(queries: Queries): Promise<string[]> {
  const rows = await queries.rows<{ readonly id: string }>('SELECT id FROM notes ORDER BY id');
  return rows.map(({ id }) => id);
}

for (const { name, skip, make } of databaseKinds) {
  describe(`a database in ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await (await make(notesSchema))();
    });
    beforeEach(async () => {
      await database.write((queries) => queries.run('DELETE FROM notes'));
    });
    const listed = () => database.read(ids);

    test('returns the stored value of each column type', async () => {
      const digest = Buffer.from([0, 1, 255]);
      await database.write((queries) =>
        queries.run(
          'INSERT INTO notes (id, body, number, share, done, digest) VALUES ($1, $2, $3, $4, $5, $6)',
          ['ä', null, Number.MAX_SAFE_INTEGER, 0.25, true, digest],
        ),
      );
      const row = await database.read((queries) =>
        queries.first<{ readonly done: unknown }>('SELECT * FROM notes'),
      );
      assert.deepEqual(
        { ...row, done: Boolean(row?.done) },
        {
          ...{ id: 'ä', body: null, number: Number.MAX_SAFE_INTEGER, share: 0.25 },
          ...{ done: true, digest, added: 7 },
        },
      );
    });

    test('returns the number of rows written, and the rows of a change', async () => {
      const result = await database.transaction(async (queries) => {
        await add(queries, 'a', 1);
        await add(queries, 'b', 2);
        const changed = await queries.run('UPDATE notes SET number = number + 1');
        const deleted = await queries.rows('DELETE FROM notes WHERE number > $1 RETURNING id, number', [2]);
        const missing = await queries.first('SELECT id FROM notes WHERE id = $1', ['c']);
        return { changed, deleted, missing };
      });
      assert.deepEqual(result, { changed: 2, deleted: [{ id: 'b', number: 3 }], missing: undefined });
    });

    test('undoes a transaction that throws, with the error of its work', async () => {
      const refusal = new ExtractError('invalid_parameter', 'Not this one.');
      const work = database.transaction(async (queries) => {
        await add(queries, 'a');
        throw refusal;
      });
      await assert.rejects(work, refusal);
      assert.deepEqual(await listed(), []);
    });

    test('undoes of transactions at the same moment those alone that fail', async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          database.transaction(async (queries) => {
            await add(queries, `n${index % 10}`);
            await add(queries, `m${index}`, index === 5 ? -1 : 1);
          }),
        ),
      );
      assert.deepEqual(all.filter(({ status }) => status === 'rejected').length, 3);
      for (const one of all) assert.ok(one.status === 'fulfilled' || one.reason instanceof StorageError);
      assert.equal((await listed()).length, 18);
    });

    test('shows a part of a transaction to itself alone, between two of its statements either', async () => {
      const lists: string[][] = [];
      await database.transaction(async (queries) => {
        await add(queries, 'a');
        lists.push(await listed(), await ids(queries));
        await turn();
        await add(queries, 'b');
        lists.push(await listed(), await ids(queries));
      });
      assert.deepEqual(lists, [[], ['a'], [], ['a', 'b']]);
      assert.deepEqual(await listed(), ['a', 'b']);
    });

    test('lets transactions that take the same lock look and write one after the other', async () => {
      const count = (queries: Queries) =>
        queries.first<{ readonly count: number }>('SELECT count(*) AS count FROM notes');
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          database.transaction(async (queries) => {
            await queries.lock(7, 'notes');
            if ((await count(queries))?.count === 0) await add(queries, `n${index}`);
          }),
        ),
      );
      assert.equal((await listed()).length, 1);
    });

    test('lets transactions that lock the table look and write one after the other', async () => {
      await Promise.all(
        ['a', 'b', 'c'].map((id) =>
          database.transaction(async (queries) => {
            await queries.lockTable('notes');
            await queries.run('DELETE FROM notes');
            await add(queries, id);
          }),
        ),
      );
      assert.equal((await listed()).length, 1);
    });

    test('has the words of its dialect for lists, texts, records and locks', async () => {
      const { anyOf, position, greatest, records, forUpdate, forUpdateSkipLocked } = database.dialect;
      const rows = [
        { id: 'a', number: 1, done: true },
        { id: 'it’s "b"', number: 2, done: false },
        { id: 'c', number: 3, done: null },
      ];
      await database.transaction(async (queries) => {
        const columns = { id: 'text', number: 'integer', done: 'flag' } as const;
        const insert = (from: string) =>
          `INSERT INTO notes (id, number, done) SELECT id, number, coalesce(done, false) FROM ${from}`;
        await queries.run(insert(records('$1', columns)), [JSON.stringify(rows)]);
        await queries.run('DELETE FROM notes');
        assert.equal(await queries.runAll({ name: 'insert_notes', columns, text: insert }, rows), 3);
        for (const lock of [forUpdate, forUpdateSkipLocked]) {
          const rows = await queries.rows(
            `SELECT id FROM notes WHERE id ${anyOf('$1')} ORDER BY id ${lock}`,
            [['a', 'c', 'x']],
          );
          assert.deepEqual(rows, [{ id: 'a' }, { id: 'c' }]);
        }
        const matches = await queries.rows(
          `SELECT id, ${greatest('number', '$1')} AS number FROM notes WHERE ${position('id', '$2')} > 0`,
          [2, '"'],
        );
        assert.deepEqual(matches, [{ id: 'it’s "b"', number: 2 }]);
        assert.deepEqual(await queries.rows('SELECT id FROM notes WHERE done'), [{ id: 'a' }]);
      });
    });

    test('runs a statement over any number of rows', async () => {
      const columns = { id: 'text', number: 'integer' } as const;
      const insert = {
        ...{ name: 'insert_rows', columns },
        text: (records: string) => `INSERT INTO notes (id, number) SELECT id, number FROM ${records}`,
      };
      const add = {
        ...{ name: 'add_rows', columns },
        text: (records: string) =>
          `UPDATE notes SET number = notes.number + records.number FROM ${records} WHERE notes.id = records.id`,
      };
      for (const count of [1, 7, 8, 9, 100]) {
        const rows = Array.from({ length: count }, (_, number) => ({ id: `${number}`, number }));
        const doubled = await database.transaction(async (queries) => {
          await queries.run('DELETE FROM notes');
          assert.equal(await queries.runAll(insert, rows), count);
          assert.equal(await queries.runAll(add, rows), count);
          return queries.rows('SELECT id, number FROM notes ORDER BY number');
        });
        assert.deepEqual(
          doubled,
          rows.map(({ id, number }) => ({ id, number: 2 * number })),
        );
      }
    });

    test('reports a failing statement with its own fault', async () => {
      for (const work of [
        () => database.read((queries) => queries.rows('SELECT nothing FROM nowhere')),
        () => database.write((queries) => add(queries, 'a', -1)),
        () => database.transaction((queries) => queries.run('DELETE FROM nowhere')),
      ])
        await assert.rejects(work(), (fault) => fault instanceof StorageError && fault.cause !== undefined);
    });
  });
}

const folder = temporaryFolder();
const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes) await close();
});

async function openFile(name: string, schema: SchemaSql) {
  const file = path.join(folder, name);
  const ledger = openLedger(file, { clock: new FakeClock(), schemas: [schema] });
  closes.push(() => ledger.close());
  return { file, ledger, database: await ledger.database() };
}

test('a file that could not be opened for reading is read as soon as it can be', async () => {
  const { file, database } = await openFile('away.db', sqliteSchema(notesSchema));
  const readNotes = () => database.stores.read((queries) => queries.rows('SELECT * FROM notes'));
  renameSync(file, `${file}.away`);
  await assert.rejects(readNotes(), refusal('internal_error', /cannot be opened/));
  renameSync(`${file}.away`, file);
  assert.deepEqual(await readNotes(), []);
});

/** The notes of a version before, whose table had no `added`. */
const olderNotes: TableSchema = {
  name: 'notes',
  tables: (types, dialect) =>
    notesSchema.tables(types, dialect).replace(`,\n      added ${types.integer} NOT NULL DEFAULT 7`, ''),
};

type Column = Readonly<Record<'name' | 'type' | 'required' | 'fallback', unknown>>;

/** Adds a column to new tables and to those of the previous version; `open` brings a database to a schema. */
function addedColumn(
  name: string,
  open: (database: 'new' | 'old', schema: TableSchema) => Promise<readonly Column[]>,
  skip: string | false = false,
): void {
  test(`${name} gets a new column once, be it new or of the version before`, { skip }, async () => {
    const fresh = await open('new', notesSchema);
    assert.equal(fresh.at(-1)?.name, 'added');
    assert.deepEqual(await open('old', olderNotes), fresh.slice(0, -1));
    for (const database of ['old', 'old', 'new'] as const)
      assert.deepEqual(await open(database, notesSchema), fresh);
  });
}

addedColumn('a file', async (name, schema) => {
  const { ledger, database } = await openFile(`${name}.db`, sqliteSchema(schema));
  const columns = await database.stores.read((queries) =>
    queries.rows<Column>(
      `SELECT name, type, "notnull" AS required, dflt_value AS fallback FROM pragma_table_info('notes')`,
    ),
  );
  await ledger.close();
  return columns;
});

const databases = new Map<string, TestDatabase>();
addedColumn(
  'a database of PostgreSQL',
  async (name, schema) => {
    const { config, drop } = databases.get(name) ?? (await makeTestDatabase());
    if (!databases.has(name)) closes.push(drop);
    databases.set(name, { config, drop });
    await migrateDatabase(config.url, [postgresSchema(schema)], systemClock);
    const postgres = await Postgres.open(config, systemClock);
    const columns = await postgres.read((queries) =>
      queries.rows<Column>(
        `SELECT column_name AS name, data_type AS type, is_nullable AS required, column_default AS fallback
         FROM information_schema.columns WHERE table_name = 'notes' ORDER BY ordinal_position`,
      ),
    );
    await postgres.close();
    return columns;
  },
  skipWithoutPostgres,
);

describe('a file of SQLite', () => {
  test('hides an open transaction, and makes the ledger’s entries wait for it', async () => {
    const { ledger, database } = await openFile('open.db', sqliteSchema(notesSchema));
    const insert = database.db.prepare<[string]>('INSERT INTO notes (id) VALUES (?)');
    const all = database.db.prepare<[], string>('SELECT id FROM notes ORDER BY id').pluck();
    const [rows, balance] = await database.stores.transaction(async (queries) => {
      await queries.run('INSERT INTO notes (id) VALUES ($1)', ['a']);
      const during = [database.read(() => all.all()), ledger.balance('local')] as const;
      void database.write(() => insert.run('b'));
      await queries.run('INSERT INTO notes (id) VALUES ($1)', ['c']);
      return during;
    });
    assert.ok((await rows).includes('a') && (await rows).includes('c'));
    assert.equal((await balance).credits, 50_000);
    await database.write(() => undefined);
    assert.deepEqual(await database.read(() => all.all()), ['a', 'b', 'c']);
  });

  test('brings tables of the first release here, and refuses those between two releases', async () => {
    const upgrade = 'DROP TABLE notes; CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;';
    const before = async (version: number) => {
      const name = `version-${version}.db`;
      const tables = 'CREATE TABLE notes (number INTEGER) STRICT';
      const old: SchemaSql = { name: 'notes', tables, firstVersion: version };
      const { ledger } = await openFile(name, old);
      await ledger.close();
      return name;
    };
    const released = sqliteSchema({
      ...notesSchema,
      directory: { version: 4, released: 2, upgrade: () => upgrade },
    });
    const { database } = await openFile(await before(2), released);
    database.db.prepare('SELECT id, added FROM notes');
    for (const version of [1, 3, 6])
      await assert.rejects(openFile(await before(version), released), refusal('internal_error'));
    const db = await openSqliteFile(path.join(folder, 'version-3.db'));
    const columns = db.prepare('SELECT * FROM notes').columns();
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['number'],
    );
    db.close();
  });
});
