import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import type { Queries } from '../../lib/database/queries.js';
import { StorageError, type StorageFault } from '../../lib/errors/storage-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { databaseRelay, type OnBytes } from '../support/database-relay.js';
import { freePort } from '../support/free-port.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';

const schema = { name: 'test', tables: 'CREATE TABLE counts (id text PRIMARY KEY, count bigint NOT NULL)' };

const storage = (fault: StorageFault, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StorageError, String(error));
  assert.equal(error.fault, fault, error.message);
  assert.match(error.message, message);
  assert.ok(error.cause instanceof Error);
  return true;
};

const insert = (queries: Queries, id: string, count: number) =>
  queries.run('INSERT INTO counts (id, count) VALUES ($1, $2)', [id, count]);
const selectOne = (postgres: Postgres) => postgres.read((queries) => queries.rows('SELECT 1'));

async function ids({ postgres }: OpenTestDatabase): Promise<readonly string[]> {
  const all = 'SELECT id FROM counts ORDER BY id';
  return (await postgres.read((queries) => queries.rows<{ id: string }>(all))).map(({ id }) => id);
}

/** Ends the connection that runs this, as an administrator or a restart would. */
const endSelf = 'SELECT pg_terminate_backend(pg_backend_pid())';

describe('a PostgreSQL database', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  const others: Postgres[] = [];
  before(async () => {
    database = await openTestDatabase([schema]);
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await database.postgres.write((queries) => queries.run('DELETE FROM counts'));
  });
  after(() => database.close());

  const open = async (
    changes: Partial<typeof defaultTimeouts> = {},
    config: Partial<OpenTestDatabase['config']> = {},
  ) => {
    const timeouts = { ...defaultTimeouts, ...changes };
    const other = await Postgres.open({ ...database.config, ...config }, systemClock, timeouts);
    others.push(other);
    return other;
  };

  const relayed = async (onBytes?: OnBytes) => {
    const relay = await databaseRelay(database.config.url, onBytes);
    after(() => relay.close());
    return relay;
  };

  test('returns integers as numbers, and refuses unsafe ones', async () => {
    const { postgres } = database;
    const row = await postgres.read((queries) =>
      queries.first(
        `SELECT 9007199254740991::bigint AS most, sum(count) AS none, sum(n) AS sum, count(*) AS rows, NULL::bigint AS null
         FROM (VALUES (2::bigint), (3)) AS numbers (n) LEFT JOIN counts ON false`,
      ),
    );
    assert.deepEqual(row, { most: Number.MAX_SAFE_INTEGER, none: null, sum: 5, rows: 2, null: null });
    const { open } = postgres.load;
    const unsafe = postgres.read((queries) => queries.first('SELECT 9007199254740992::bigint AS more'));
    await assert.rejects(unsafe, storage('failed', /database failed/));
    // The connection is of use all the same.
    assert.deepEqual(await postgres.read((queries) => queries.rows('SELECT 1 AS one')), [{ one: 1 }]);
    assert.equal(postgres.load.open, open);
  });

  test('takes a text that it cannot hold: it names nothing, and is kept with another sign', async () => {
    const { postgres } = database;
    const find = (id: string) =>
      postgres.read((queries) => queries.rows('SELECT id FROM counts WHERE id = $1', [id]));
    assert.deepEqual(await find('\0'), []);
    await postgres.write((queries) => insert(queries, 'a\0b', 1));
    assert.deepEqual(await ids(database), ['a\ufffdb']);
  });

  test('names itself, and keeps to the number of its connections', async () => {
    const other = await open({}, { connections: 3 });
    const name = await other.read((queries) => queries.first(`SELECT current_setting('application_name')`));
    assert.deepEqual(name, { current_setting: 'extract' });
    await Promise.all(Array.from({ length: 20 }, () => selectOne(other)));
    assert.deepEqual(other.load, { open: 3, idle: 3, waiting: 0 });
  });

  test('sets up each of its connections, later ones too', async () => {
    const session = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
    const other = await Postgres.open(database.config, systemClock, defaultTimeouts, session);
    others.push(other);
    const sql = Object.keys(session).map((name) => `current_setting('${name}') AS ${name}`);
    const settings = () => other.read((queries) => queries.first(`SELECT ${sql.join()}`));
    const settingsOf = await Promise.all([settings(), settings(), settings()]);
    assert.deepEqual(settingsOf, [session, session, session]);
    await other.read((queries) => queries.rows(endSelf)).catch(() => undefined);
    assert.deepEqual(await settings(), session);
  });

  describe('a transaction', () => {
    test('that continues after a failed statement reports that nothing was committed', async () => {
      const { postgres } = database;
      await assert.rejects(
        postgres.transaction(async (queries) => {
          await insert(queries, 'a', 1);
          await insert(queries, 'a', 1).catch(() => undefined);
        }),
        /after a failed statement/,
      );
      assert.deepEqual(await ids(database), []);
    });

    test('is repeated if it lost against another one', async () => {
      const { postgres } = database;
      await postgres.transaction(async (queries) => {
        await insert(queries, 'a', 0);
        await insert(queries, 'b', 0);
      });
      let tries = 0;
      const add = (first: string, second: string) =>
        postgres.transaction(async (queries) => {
          tries += 1;
          await queries.run('UPDATE counts SET count = count + 1 WHERE id = $1', [first]);
          if (tries <= 2) await queries.rows('SELECT pg_sleep(0.2)');
          await queries.run('UPDATE counts SET count = count + 1 WHERE id = $1', [second]);
        });
      await Promise.all([add('a', 'b'), add('b', 'a')]);
      assert.equal(tries, 3);
      const sum = await postgres.read((queries) => queries.first('SELECT sum(count) AS sum FROM counts'));
      assert.deepEqual(sum, { sum: 4 });
    });

    test('is done again on another connection where its own was lost before the end', async () => {
      let tries = 0;
      await database.postgres.transaction(async (queries) => {
        tries += 1;
        await insert(queries, 'a', 1);
        if (tries === 1) await queries.rows(endSelf);
      });
      assert.deepEqual([tries, await ids(database)], [2, ['a']]);
    });

    test('is not repeated if the connection was lost during its commit, because the outcome is unknown', async () => {
      const { url } = await relayed((bytes) => (bytes.includes('COMMIT') ? 'cut' : 'pass'));
      const other = await open({}, { url });
      let tries = 0;
      await assert.rejects(
        other.transaction(async (queries) => {
          tries += 1;
          await insert(queries, 'a', 1);
        }),
        storage('unreachable', /unknown whether it was saved/),
      );
      assert.equal(tries, 1);
    });
  });

  test('a read survives connections that ended, in use and between', async () => {
    const { postgres } = database;
    let tries = 0;
    const one = await postgres.read(async (queries) => {
      tries += 1;
      if (tries === 1) await queries.rows(endSelf);
      return queries.first('SELECT 1 AS one');
    });
    assert.deepEqual([tries, one], [2, { one: 1 }]);
    const others = 'pid <> pg_backend_pid() AND datname = current_database()';
    const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`;
    await postgres.read((queries) => queries.rows(endOthers));
    assert.deepEqual(await postgres.read((queries) => queries.first('SELECT 2 AS two')), { two: 2 });
  });

  test('a prepared statement still works after the columns of its table have changed', async () => {
    const { postgres } = database;
    await postgres.write((queries) => insert(queries, 'a', 1));
    const all = { name: 'test_all', text: 'SELECT * FROM counts' };
    const find = (queries: Queries) => queries.first(all);
    assert.deepEqual(await postgres.read(find), { id: 'a', count: 1 });
    await postgres.write((queries) => queries.run('ALTER TABLE counts ADD COLUMN later text'));
    const row = { id: 'a', count: 1, later: null };
    assert.deepEqual(await postgres.read(find), row);
    await postgres.write((queries) => queries.run('ALTER TABLE counts DROP COLUMN later'));
    assert.deepEqual(await postgres.transaction(find), { id: 'a', count: 1 });
  });

  test('a write of one statement is not repeated if its outcome is unknown', async () => {
    let tries = 0;
    await assert.rejects(
      database.postgres.write(async (queries) => {
        tries += 1;
        await queries.rows(endSelf);
      }),
      storage('unreachable', /unknown whether it was saved/),
    );
    assert.equal(tries, 1);
  });

  describe('what cannot be had is named', () => {
    test('a lock that another transaction holds', async () => {
      const other = await open({ lock: 50 });
      await database.postgres.transaction(async (queries) => {
        await insert(queries, 'a', 1);
        await assert.rejects(
          other.transaction((mine) => insert(mine, 'a', 1)),
          storage('locked', /Try again in a moment/),
        );
      });
      assert.deepEqual(await ids(database), ['a']);
    });

    test('a statement that takes too long, by the time of the server', async () => {
      const other = await open({ statement: 50 });
      const sleeping = other.read((queries) => queries.rows('SELECT pg_sleep(30)'));
      await assert.rejects(sleeping, storage('unreachable', /did not respond in time/));
    });

    test('a statement whose answer never comes', async () => {
      const { url } = await relayed((bytes) => (bytes.includes('SELECT') ? 'drop' : 'pass'));
      const other = await open({ answer: 100 }, { url });
      await assert.rejects(selectOne(other), storage('unreachable', /did not respond in time/));
    });

    test('a free connection, when all are in use', async () => {
      const other = await open({ connect: 1_000 }, { connections: 3 });
      const gate = Promise.withResolvers<void>();
      const using = [1, 2, 3].map(() => other.read(() => gate.promise));
      const exhausted = storage('exhausted', /All connections.*EXTRACT_DATABASE_CONNECTIONS/);
      await assert.rejects(selectOne(other), exhausted);
      gate.resolve();
      await Promise.all(using);
      assert.equal((await selectOne(other)).length, 1);
    });

    test('a missing server, and one that does not answer', async () => {
      const nobody = await open({}, { url: `postgres://postgres@127.0.0.1:${await freePort()}/extract` });
      await assert.rejects(selectOne(nobody), storage('unreachable', /cannot be reached/));
      const { url } = await relayed(() => 'drop');
      const dumb = await open({ connect: 100 }, { url });
      await assert.rejects(selectOne(dumb), storage('unreachable', /cannot be reached/));
    });

    test('a silence, which says something of every connection there was', async () => {
      const relay = await relayed();
      const other = await open({ answer: 3_000 }, { url: relay.url, connections: 3 });
      const pid = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.05)';
      const process = () => other.read((queries) => queries.rows<{ pid: number }>(pid));
      const pids = async () => new Set((await Promise.all([1, 2, 3].map(process))).map(([row]) => row?.pid));
      const before = await pids();
      assert.equal(before.size, 3);
      relay.set('mute');
      await assert.rejects(process(), storage('unreachable', /did not respond in time/));
      relay.set('pass');
      // The two that were idle are on the same way: no call waits for them in their turn.
      const since = await pids();
      assert.equal(since.size, 3);
      assert.ok(![...since].some((pid) => before.has(pid)), `${[...since]} of ${[...before]}`);
      assert.deepEqual(await pids(), since, 'and nobody gives up those that were made since');
    });

    test('a database, a user and rights that are not there', async () => {
      const { url } = database.config;
      const cases: readonly [string, StorageFault, RegExp][] = [
        [url.replace(/\/[^/]*$/, '/nowhere'), 'unwritable', /does not exist/],
        [url.replace('postgres@', 'nobody_there@'), 'unwritable', /refuses the login/],
        [`${url}?sslmode=require`, 'unreachable', /cannot be encrypted/],
      ];
      for (const [address, fault, message] of cases) {
        const other = await open({}, { url: address });
        await assert.rejects(selectOne(other), storage(fault, message));
      }
    });

    test('a standby that may only be read', async () => {
      const { url } = database.config;
      const other = await open({}, { url: `${url}?options=-c%20default_transaction_read_only%3Don` });
      const writing = other.transaction((queries) => insert(queries, 'a', 1));
      await assert.rejects(writing, storage('unwritable', /read-only standby.*primary/));
      // Connections to it are not kept: the address may lead to the new primary by now.
      assert.equal(other.load.open, 0);
    });
  });

  test('takes nothing on once it is closed', async () => {
    const other = await open();
    const running = other.read((queries) => queries.rows('SELECT pg_sleep(0.1)'));
    await other.close();
    assert.equal((await running).length, 1);
    await assert.rejects(selectOne(other), /is closed/);
    await other.close();
  });
});
