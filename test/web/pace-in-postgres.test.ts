import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { defaultTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { DatabasePaceStore } from '../../lib/web/database-pace-store.js';
import { paceSchema } from '../../lib/web/pace-schema.js';
import { databaseRelay } from '../support/database-relay.js';
import { FakeClock } from '../support/fake-clock.js';
import { makeTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { reserve } from './reserve.js';

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

async function makeState() {
  const database = await makeTestDatabase([postgresSchema(paceSchema)]);
  closes.push(() => database.drop());
  return async () => {
    const postgres = await Postgres.open(database.config, systemClock, defaultTimeouts);
    closes.push(() => postgres.close());
    return postgres;
  };
}

/** The machine's clock, set apart by so many milliseconds. */
const apart = (ms: number): Clock => ({ ...systemClock, now: () => Date.now() + ms });

describe('the pace in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  test('is shared by machines whose clocks are minutes apart', async () => {
    const connect = await makeState();
    const clocks = [0, 5 * 60_000, -5 * 60_000].map(apart);
    const stores = await Promise.all(
      clocks.map(async (clock) => new DatabasePaceStore(await connect(), { clock })),
    );
    const moments: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const [at, store] of stores.entries()) {
        const moment = await reserve(store, 'maps', 10_000);
        // By the time of the test.
        moments.push(moment - ((clocks[at] as Clock).now() - Date.now()));
      }
    }
    for (const [at, moment] of moments.slice(1).entries()) {
      const gap = moment - (moments[at] as number);
      assert.ok(gap > 9_000 && gap < 11_000, `${gap} ms`);
    }
    const [first, second] = stores as [DatabasePaceStore, DatabasePaceStore];
    const refused = await second.recordRefusal('maps', {
      ...{ code: 'platform_blocked', retryAfter: undefined, firstMs: 60_000 },
    });
    const cooldown = (await first.find('maps'))?.cooldown;
    assert.ok(Math.abs((cooldown?.until ?? 0) + 5 * 60_000 - refused.until) < 2_000, 'by its own time');
  });

  test('does not delay a queue of calls if the database is silent', async () => {
    const database = await makeTestDatabase([postgresSchema(paceSchema)]);
    const relay = await databaseRelay(database.config.url);
    const postgres = await Postgres.open({ ...database.config, url: relay.url }, systemClock, {
      ...defaultTimeouts,
      ...{ connect: 1_000, answer: 2_000 },
    });
    closes.push(
      () => database.drop(),
      async () => relay.close(),
      () => postgres.close(),
    );
    const clock = new FakeClock();
    const store = new DatabasePaceStore(postgres, { clock, time: () => clock.now() });
    await reserve(store, 'maps', 1_000);
    relay.set('mute');
    const unreachable = { fault: 'unreachable' };
    const waiting = assert.rejects(reserve(store, 'maps', 1_000), unreachable);
    await clock.advance(5_000);
    await waiting;
    // Each of these would wait as long again, one behind the other.
    for (let call = 0; call < 6; call += 1) {
      await assert.rejects(reserve(store, 'maps', 1_000), unreachable);
      await assert.rejects(store.find('maps'), unreachable);
    }
    relay.set('pass');
    await clock.advance(5_000);
    assert.equal(typeof (await reserve(store, 'maps', 1_000)), 'number');
  });
});
