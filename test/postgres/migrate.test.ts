import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { migrateDatabase, schemaStates } from '../../lib/database/postgres/migrate.js';
import type { SchemaSql } from '../../lib/database/schema-sql.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';

const older: SchemaSql = {
  name: 'first',
  tables: `CREATE TABLE things (id text PRIMARY KEY);
           CREATE INDEX things_of_id ON things (id); -- several statements a step`,
};
const first: SchemaSql = {
  name: 'first',
  tables: `CREATE TABLE things (id text PRIMARY KEY, size bigint);
           CREATE INDEX things_of_id ON things (id);`,
  steps: ['ALTER TABLE things ADD COLUMN size bigint'],
};
const second: SchemaSql = { name: 'second', tables: 'CREATE TABLE others (id text REFERENCES things)' };

describe('migrating a database', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => run('DROP TABLE IF EXISTS others, things, schema_versions CASCADE'));
  after(() => database.close());

  const find = (sql: string) => database.postgres.read((queries) => queries.rows(sql));
  const run = (sql: string) => database.postgres.write((queries) => queries.run(sql));
  const migrate = (schemas: readonly SchemaSql[], clock = systemClock) =>
    migrateDatabase(database.config.url, schemas, clock);
  const versions = async (schemas: readonly SchemaSql[]) =>
    (await database.postgres.read((queries) => schemaStates(queries, schemas))).map(({ version }) => version);

  test('makes the tables in the order of the schemas, and nothing the second time', async () => {
    assert.deepEqual(await versions([first, second]), [0, 0]);
    const before = await migrate([first, second]);
    assert.deepEqual(before, [
      { name: 'first', version: 0, expected: 2 },
      { name: 'second', version: 0, expected: 1 },
    ]);
    await run(`INSERT INTO things VALUES ('a', 1)`);
    assert.deepEqual(await versions([first, second]), [2, 1]);
    assert.deepEqual((await migrate([first, second]))[0]?.version, 2);
    assert.deepEqual(await find('SELECT * FROM things'), [{ id: 'a', size: 1 }]);
  });

  test('takes an older one further, and keeps what it holds', async () => {
    await migrate([older]);
    await run(`INSERT INTO things VALUES ('a')`);
    await migrate([first, second]);
    assert.deepEqual(await versions([first, second]), [2, 1]);
    assert.deepEqual(await find('SELECT * FROM things'), [{ id: 'a', size: null }]);
  });

  test('refuses a newer one, and changes nothing of it', async () => {
    await migrate([first]);
    await assert.rejects(migrate([older, second]), /first tables.*later version.*Install/);
    assert.deepEqual(await versions([older, second]), [2, 0]);
  });

  test('is done once, however many begin at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, () => migrate([first, second])));
    assert.deepEqual(await versions([first, second]), [2, 1]);
  });

  test('rolls back a failed step, and continues from there the next time', async () => {
    await migrate([older]);
    const broken = { ...first, steps: ['CREATE TABLE extra (id text); SELECT 1/0'] };
    await assert.rejects(migrate([broken]), StorageError);
    assert.deepEqual(await versions([first]), [1]);
    assert.deepEqual(await find(`SELECT to_regclass('extra') AS extra`), [{ extra: null }]);
    await migrate([first]);
    assert.deepEqual(await versions([first]), [2]);
  });

  test('blocks no reader while it waits for a lock', async () => {
    await migrate([older]);
    let migrated: Promise<unknown> | undefined;
    let waits = 0;
    const tried = Promise.withResolvers<void>();
    await database.postgres.transaction(async (queries) => {
      await queries.rows('SELECT * FROM things');
      const clock = {
        ...systemClock,
        async sleep() {
          waits += 1;
          // Between attempts, readers are not blocked.
          assert.deepEqual(await find('SELECT * FROM things'), []);
          tried.resolve();
        },
      };
      migrated = migrate([first], clock);
      await tried.promise;
    });
    await migrated;
    assert.ok(waits >= 1);
    assert.deepEqual(await versions([first]), [2]);
  });

  test('names the transaction that it has waited for in vain', async () => {
    await migrate([older]);
    await database.postgres.transaction(async (queries) => {
      await queries.rows('SELECT * FROM things');
      const [mine] = await queries.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // A step waits by the server's clock: few of them, of which each is a try.
      let waits = 0;
      const clock = {
        ...systemClock,
        async sleep() {
          waits += 1;
        },
      };
      await assert.rejects(
        migrateDatabase(database.config.url, [first], clock, { lockMs: 1 }),
        new RegExp(`oldest has been open for \\d+ s \\(process ${mine?.pid} of the database, extract\\)`),
      );
      assert.ok(waits > 10);
    });
    assert.deepEqual(await versions([first]), [1]);
  });

  test('says so where another program has tables of these names', async () => {
    await run('CREATE TABLE things (name text)');
    await assert.rejects(migrate([first]), /another program.s tables.*EXTRACT_DATABASE_URL/);
  });
});
