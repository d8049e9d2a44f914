import assert from 'node:assert/strict';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { tieredCache } from '../../lib/cache/open-cache.js';
import { leasesSchema, PostgresLeases } from '../../lib/cache/postgres/postgres-leases.js';
import { answersSchema, postgresTier } from '../../lib/cache/postgres/postgres-tier.js';
import { underLease } from '../../lib/call/under-lease.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { CallAbort } from '../../lib/runtime/abort.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { bundle, start } from '../support/child-process.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres, type TestDatabase } from '../support/postgres.js';
import { type StoppedDatabaseClock, stopDatabaseClock } from '../support/stopped-database-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf } from './cache-port.js';

describe('leases in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: TestDatabase;
  let stopped: StoppedDatabaseClock;
  const servers: Postgres[] = [];
  const folder = temporaryFolder();
  const open = async () => {
    const postgres = await Postgres.open(stopped.config, systemClock);
    servers.push(postgres);
    return postgres;
  };
  const rows = async () =>
    servers[0]?.read((queries) => queries.rows<{ readonly key: string }>('SELECT key FROM fetch_leases'));

  before(async () => {
    database = await makeTestDatabase([answersSchema, leasesSchema]);
    stopped = await stopDatabaseClock(database.config);
    await open();
  });
  after(async () => {
    await Promise.all(servers.map((postgres) => postgres.close()));
    await database.drop();
  });

  test('one of many holds the lease of a key, until it releases it', async () => {
    const all = await Promise.all([1, 2, 3].map(async () => new PostgresLeases(await open(), systemClock)));
    const leases = await Promise.all(all.flatMap((one) => [one.take('a'), one.take('b')]));
    assert.equal(leases.filter(Boolean).length, 2);
    const holder = all[leases.findIndex((_, at) => at % 2 === 0 && leases[at] === true) / 2];
    for (const one of all) if (one !== holder) await one.release('a');
    assert.equal(await all[0]?.take('a'), false, 'others give nothing back');
    await holder?.release('a');
    assert.deepEqual(await Promise.all(all.map((one) => one.take('a'))).then((t) => t.filter(Boolean)), [
      true,
    ]);
    await Promise.all(all.map((one) => one.close()));
    assert.deepEqual(await rows(), [], 'closing gives back what is left');
  });

  test('a lease lasts while its holder shows life, and ten seconds longer', async () => {
    const clock = new FakeClock();
    const [one, other] = [new PostgresLeases(await open(), clock), new PostgresLeases(await open(), clock)];
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
    const leases = new PostgresLeases(await open(), clock);
    await leases.take('a');
    await clock.advance(3_000);
    await clock.untilSleeping(1);
    assert.deepEqual(await rows(), [{ key: 'a' }]);
    await leases.close();
  });

  test('three servers that miss the same answer fetch it once', async () => {
    let fetches = 0;
    const ask = async () => {
      const postgres = await open();
      const cache = tieredCache(1_000_000, postgresTier(postgres, 1e9, assert.ifError));
      const { answer } = await underLease({
        ...{ clock: systemClock, cache, leases: new PostgresLeases(postgres, systemClock), key: 'same' },
        signal: new CallAbort(),
        async fetch() {
          fetches += 1;
          await systemClock.sleep(300);
          await cache.set('same', answerOf('1'), 60);
          return { answer: answerOf('1'), browsed: false };
        },
      });
      return answer.data;
    };
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['1', '1', '1']);
    assert.equal(fetches, 1);
  });

  test('the lease of a process that is killed ends', async () => {
    // The program resolves the driver from its own folder.
    symlinkSync(path.join(packageRoot(), 'node_modules'), path.join(folder, 'node_modules'));
    const program = await bundle(folder, 'test/cache/lease-program.ts', ['pg']);
    const leases = new PostgresLeases(await open(), systemClock);
    let heard = '';
    const child = start(program, [stopped.config.url, 'k'], (line) => {
      heard = line;
      child.process.kill('SIGKILL');
    });
    await once(child.process, 'exit');
    assert.equal(heard, 'taken: true');
    await stopped.advance(9_999);
    assert.equal(await leases.take('k'), false);
    await stopped.advance(1);
    assert.equal(await leases.take('k'), true);
    await leases.close();
  });
});
