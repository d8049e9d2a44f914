import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { type SqliteSchema, sqliteSchema } from '../../lib/database/sqlite/migration.js';
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { refusal } from '../ledger/ledger-port.js';
import { FakeClock } from '../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { databasePort, notesSchema } from './database-port.js';

const folder = temporaryFolder();
const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes) await close();
});

async function openFile(name: string, schema: SqliteSchema) {
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
    opened ??= openTestDatabase([postgresSchema(notesSchema)]).then((made) => {
      closes.push(() => made.close());
      return made;
    });
    return (await opened).postgres;
  },
  skipWithoutPostgres,
);

describe('a file of SQLite', () => {
  test('shows an open transaction to nobody, and lets the entries of the ledger wait for it', async () => {
    const { ledger, database } = await openFile('open.db', sqliteSchema(notesSchema));
    const insert = database.db.prepare<[string]>('INSERT INTO notes (id) VALUES (?)');
    const all = database.db.prepare<[], string>('SELECT id FROM notes ORDER BY id').pluck();
    const [read, balance] = await database.stores.transaction(async (queries) => {
      await queries.run('INSERT INTO notes (id) VALUES ($1)', ['a']);
      const during = [database.read(() => all.all()), ledger.balance('local')] as const;
      void database.write(() => insert.run('b'));
      await queries.run('INSERT INTO notes (id) VALUES ($1)', ['c']);
      return during;
    });
    assert.ok((await read).includes('a') && (await read).includes('c'));
    assert.equal((await balance).credits, 50_000);
    await database.write(() => undefined);
    assert.deepEqual(await database.read(() => all.all()), ['a', 'b', 'c']);
  });

  test('brings tables of the first release here, and refuses those between two releases', async () => {
    const schema = (directory: object) =>
      sqliteSchema({ ...notesSchema, directory: { version: 4, ...directory } });
    const upgrade = 'DROP TABLE notes; CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;';
    const before = async (version: number) => {
      const name = `version-${version}.db`;
      const old: SqliteSchema = {
        name: 'notes',
        steps: [
          'CREATE TABLE notes (number INTEGER) STRICT',
          ...Array.from({ length: version - 1 }, () => ''),
        ],
      };
      const { ledger } = await openFile(name, old);
      await ledger.close();
      return name;
    };
    const released = schema({ released: 2, upgrade: () => upgrade });
    const { database } = await openFile(await before(2), released);
    const columns = database.db.prepare('SELECT id, added FROM notes').columns();
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['id', 'added'],
    );
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
