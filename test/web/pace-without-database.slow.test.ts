import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '../../lib/database/postgres/migrate.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { DatabasePaceStore } from '../../lib/web/database-pace-store.js';
import { paceSchema } from '../../lib/web/pace-schema.js';
import { databaseRelay } from '../support/database-relay.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { makeCluster } from '../support/postgres-cluster.js';
import { throttleOf } from '../support/throttle.js';

const never = new AbortController().signal;
const refused = { code: 'platform_rate_limited', retryAfter: 120, firstMs: 60_000 } as const;
const ms = 100;

describe('the pace of machines while their database is away', { skip: skipWithoutPostgres }, () => {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  async function state() {
    const cluster = await makeCluster({ isDurable: true });
    ends.push(() => cluster.remove());
    await migrateDatabase(cluster.url, [postgresSchema(paceSchema)], systemClock);
    const relay = await databaseRelay(cluster.url);
    ends.push(() => relay.close());
    const node = async () => {
      const postgres = await Postgres.open({ url: relay.url, connections: 3 }, systemClock);
      ends.push(() => postgres.close());
      const store = new DatabasePaceStore(postgres, { clock: systemClock });
      const options = { clock: systemClock, paceStore: store };
      return { store, throttle: throttleOf({ page: { ms, concurrency: 4 } }, options) };
    };
    return { cluster, relay, node };
  }

  test('is one budget: no request is made meanwhile, and none faster afterwards', async () => {
    const { relay, node } = await state();
    const starts: number[] = [];
    let isOn = true;
    const working = [await node(), await node(), await node()].map(async ({ throttle }) => {
      const session = throttle.open('plain');
      while (isOn) await session.run(async () => void starts.push(performance.now()), never);
    });
    const until = async (count: number) => {
      while (starts.length < count) await pause(10);
    };
    await until(9);
    relay.set('cut');
    const away = performance.now();
    await pause(3_000);
    const back = performance.now();
    relay.set('pass');
    const before = starts.length;
    await until(before + 9);
    isOn = false;
    await Promise.all(working);
    const meanwhile = starts.filter((at) => at > away && at < back);
    assert.ok(meanwhile.length <= 3, 'each at the moment that it had reserved before, at most');
    assert.deepEqual(
      meanwhile.filter((at) => at > away + 1_000),
      [],
    );
    const later = starts.filter((at) => at >= back);
    const span = (later.at(-1) ?? 0) - (later[0] ?? 0);
    assert.ok(span >= (later.length - 1) * ms * 0.9, `${later.map((at) => Math.round(at - back))}`);
  });

  test('keeps the pause that a platform asked for when the database crashes', async () => {
    const { cluster, node } = await state();
    await (await node()).store.recordRefusal('shortvideo', refused);
    await cluster.crash();
    await cluster.start();
    const { throttle } = await node();
    const call = throttle.open('plain').run(async () => undefined, never);
    await assert.rejects(call, { code: 'platform_rate_limited' });
  });

  test('shares a refusal from that time with other machines afterwards', async () => {
    const { relay, node } = await state();
    const [one, other] = [await node(), await node()];
    await one.store.find('shortvideo');
    relay.set('cut');
    const session = one.throttle.open('plain');
    session.end(new ExtractError('platform_rate_limited', undefined, { retryAfter: 120 }));
    await one.throttle.flush();
    relay.set('pass');
    // Long enough for the unreachable store to be tried again.
    await pause(5_500);
    assert.throws(() => one.throttle.open('plain'), { code: 'platform_rate_limited' });
    await assert.rejects(session.check(), { code: 'platform_rate_limited' });
    const theirs = other.throttle.open('plain').run(async () => undefined, never);
    await assert.rejects(theirs, { code: 'platform_rate_limited' });
  });
});
