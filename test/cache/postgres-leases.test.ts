import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPostgresLeases, leasesSchema } from '../../lib/cache/postgres/postgres-leases.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../support/postgres.js';

/** Stops the clock of a database for those who connect by another address, so that a machine that pauses makes nothing late. */
async function stopDatabaseClock({ config }: TestDatabase) {
  const run = async (...texts: readonly string[]) => {
    const postgres = await Postgres.open({ ...config, connections: 1 }, systemClock);
    await postgres.write(async (queries) => {
      for (const text of texts) await queries.run(text);
    });
    await postgres.close();
  };
  await run(
    'CREATE SCHEMA stopped',
    'CREATE TABLE stopped.clock AS SELECT pg_catalog.clock_timestamp() AS moment',
    `CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql
       RETURN (SELECT moment FROM stopped.clock)`,
  );
  // Unless it is named, PostgreSQL looks for a function among its own first.
  const options = encodeURIComponent('-c search_path=stopped,pg_catalog,public');
  return {
    config: { ...config, url: `${config.url}?options=${options}` },
    advance: (ms: number) =>
      run(`UPDATE stopped.clock SET moment = moment + ${ms} * interval '1 millisecond'`),
  };
}

describe('leases in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: TestDatabase;
  let stopped: Awaited<ReturnType<typeof stopDatabaseClock>>;
  const servers: Postgres[] = [];
  const open = async () => {
    const postgres = await Postgres.open(stopped.config, systemClock);
    servers.push(postgres);
    return postgres;
  };
  const rows = async () =>
    servers[0]?.read((queries) => queries.rows<{ readonly key: string }>('SELECT key FROM fetch_leases'));

  before(async () => {
    database = await makeTestDatabase([leasesSchema]);
    stopped = await stopDatabaseClock(database);
    await open();
  });
  after(async () => {
    await Promise.all(servers.map((postgres) => postgres.close()));
    await database.drop();
  });

  test('one of many holds the lease of a key, until it releases it', async () => {
    const all = await Promise.all([1, 2, 3].map(async () => createPostgresLeases(await open(), systemClock)));
    const leases = await Promise.all(all.flatMap((one) => [one.take('a'), one.take('b')]));
    assert.equal(leases.filter(Boolean).length, 2);
    const holder = all[leases.findIndex((_, at) => at % 2 === 0 && leases[at] === true) / 2];
    for (const one of all) if (one !== holder) await one.release('a');
    assert.equal(await all[0]?.take('a'), false, 'others give nothing back');
    await holder?.release('a');
    const taken = await Promise.all(all.map((one) => one.take('a')));
    assert.deepEqual(taken.filter(Boolean), [true]);
    await Promise.all(all.map((one) => one.close()));
    assert.deepEqual(await rows(), [], 'closing gives back what is left');
  });

  test('a lease lasts while its holder shows life, and ten seconds longer', async () => {
    const clock = new FakeClock();
    const [one, other] = [
      createPostgresLeases(await open(), clock),
      createPostgresLeases(await open(), clock),
    ];
    assert.equal(await one.take('a'), true);
    for (let n = 0; n < 3; n++) {
      await stopped.advance(9_000);
      assert.equal(await other.take('a'), false);
      await clock.advance(3_000);
      await clock.untilSleeping(1);
    }
    await stopped.advance(9_900);
    assert.equal(await other.take('a'), false);
    await stopped.advance(200);
    assert.equal(await other.take('a'), true);
    // Who had it before does not take it away again, neither by a sign of life nor at its end.
    await clock.advance(3_000);
    await one.release('a');
    assert.equal(await one.take('a'), false);
    // The database's clock was set back by an hour, and the owner sent no heartbeat meanwhile.
    await stopped.advance(-3_600_000);
    assert.equal(await one.take('a'), true);
    await Promise.all([one.close(), other.close()]);
  });

  test('a renewal deletes the leases of ended processes', async () => {
    const clock = new FakeClock();
    await servers[0]?.write((queries) =>
      queries.run(
        `INSERT INTO fetch_leases SELECT 'left' || n, gen_random_uuid(), n FROM generate_series(1, 20) n`,
      ),
    );
    const leases = createPostgresLeases(await open(), clock);
    await leases.take('a');
    await clock.advance(3_000);
    await clock.untilSleeping(1);
    assert.deepEqual(await rows(), [{ key: 'a' }]);
    await leases.close();
  });
});
