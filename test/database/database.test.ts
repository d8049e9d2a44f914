import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import type { SchemaSql } from '../../lib/database/schema-sql.js';
import { sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import type { TableSchema } from '../../lib/database/table-schema.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { refusal } from '../ledger/ledger-port.js';
import { FakeClock } from '../support/fake-clock.js';
import {
  makeTestDatabase,
  type OpenTestDatabase,
  openTestDatabase,
  skipWithoutPostgres,
  type TestDatabase,
} from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { databasePort, notesSchema } from './database-port.js';

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

let opened: Promise<OpenTestDatabase> | undefined;

databasePort('a database in a file', async () => {
  const { database } = await openFile('notes.db', sqliteSchema(notesSchema));
  return database.stores;
});

databasePort(
  'a database in PostgreSQL',
  async () => {
    opened ??= openTestDatabase([postgresSchema(notesSchema)]).then((database) => {
      closes.push(() => database.close());
      return database;
    });
    return (await opened).postgres;
  },
  skipWithoutPostgres,
);

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
    const columns = database.db.prepare('SELECT id, added FROM notes').columns();
    const names = columns.map(({ name }) => name);
    assert.deepEqual(names, ['id', 'added']);
    for (const version of [1, 3, 6])
      await assert.rejects(openFile(await before(version), released), refusal('internal_error'));
    const db = await openSqliteFile(path.join(folder, 'version-3.db'));
    assert.deepEqual(
      db
        .prepare('SELECT * FROM notes')
        .columns()
        .map(({ name }) => name),
      ['number'],
    );
    db.close();
  });
});
