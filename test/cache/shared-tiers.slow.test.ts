import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CacheStore, OnCacheFault } from '../../lib/cache/cache.js';
import { tieredCache } from '../../lib/cache/open-cache.js';
import { answersSchema, postgresTier } from '../../lib/cache/postgres/postgres-tier.js';
import { trimAnswers } from '../../lib/cache/postgres/trim-answers.js';
import { redisTier } from '../../lib/cache/redis/redis-tier.js';
import type { CacheTier } from '../../lib/cache/tier.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import type { StorageError } from '../../lib/errors/storage-error.js';
import { type Clock, systemClock } from '../../lib/runtime/clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { freePort } from '../support/free-port.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { skipWithoutRedis, startRedis, type TestRedis } from '../support/redis.js';
import { answerOf, cachePort } from './cache-port.js';

/** Later than the stores' own clock, by which they must not let an answer expire before its time. */
const later = Date.now() + 365 * 86_400_000;

/** No test of the suites expects a fault: one that comes fails the test. */
const noFault: OnCacheFault = (fault) => {
  throw fault;
};

/** A cache that begins empty over a store that others of this file have used. */
function emptied(open: () => CacheStore): CacheStore {
  const cache = open();
  const ready = cache.clear();
  return {
    get: async (key) => ready.then(() => cache.get(key)),
    set: async (key, answer, seconds) => ready.then(() => cache.set(key, answer, seconds)),
    clear: async () => ready.then(() => cache.clear()),
    close: async () => ready.then(() => cache.close()),
  };
}

const mb = 1024 * 1024;

interface Store {
  tier(onFault: OnCacheFault, clock: Clock): CacheTier;
  /** Makes it impossible to use, and possible again. */
  breakIt(): Promise<void>;
  mend(): Promise<void>;
  readonly complaint: RegExp;
}

function suites(name: string, store: () => Store): void {
  const open = (memory: number) => (clock: Clock) =>
    emptied(() => tieredCache(memory, store().tier(noFault, clock), clock));
  cachePort(name, open(0), later);
  cachePort(`memory before ${name}`, open(50 * mb), later);

  describe(`${name}, by several servers`, () => {
    test('what one stores, another finds, until the cache is cleared', async () => {
      const [one, other] = [1, 2].map(() => tieredCache(0, store().tier(noFault, systemClock)));
      await one?.clear();
      await one?.set('a', answerOf('1', { next: { page: 2 }, prints: ['p'] }), 60);
      assert.deepEqual(await other?.get('a'), answerOf('1', { next: { page: 2 }, prints: ['p'] }));
      await other?.clear();
      assert.equal(await one?.get('a'), undefined);
      await Promise.all([one?.close(), other?.close()]);
    });

    test('the answer of one whose clock is ahead is found, and expires by the finder’s own', async () => {
      const [ahead, here] = [new FakeClock(later + 5_000), new FakeClock(later)];
      const [one, other] = [ahead, here].map((clock) => tieredCache(0, store().tier(noFault, clock), clock));
      await one?.set('a', answerOf('1'), 60);
      assert.equal((await other?.get('a'))?.data, '1');
      await here.advance(65_000);
      assert.equal(await other?.get('a'), undefined);
      await Promise.all([one?.close(), other?.close()]);
    });

    test('an unusable one is a miss, is reported once, and is used again after half a minute', async () => {
      const clock = new FakeClock(later);
      const faults: (StorageError | null)[] = [];
      const cache = tieredCache(
        0,
        store().tier((fault) => faults.push(fault), clock),
        clock,
      );
      await cache.set('a', answerOf('1'), 600);
      await store().breakIt();
      try {
        assert.deepEqual(await Promise.all(['a', 'b'].map((key) => cache.get(key))), [undefined, undefined]);
        await cache.set('a', answerOf('2'), 600);
        await clock.advance(30_000);
        await cache.set('a', answerOf('3'), 600);
        assert.equal(faults.length, 1);
        assert.match(faults[0]?.message ?? '', store().complaint);
        await assert.rejects(cache.clear(), store().complaint);
      } finally {
        await store().mend();
      }
      await cache.set('a', answerOf('4'), 600);
      assert.equal(await cache.get('a'), undefined);
      await clock.advance(30_000);
      await cache.set('a', answerOf('5'), 600);
      assert.equal((await cache.get('a'))?.data, '5');
      assert.deepEqual(faults.slice(1), [null]);
      await cache.close();
    });
  });
}

describe('a cache in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  let postgres: Postgres;
  const rename = (from: string, to: string) =>
    postgres.write((queries) => queries.run(`ALTER TABLE ${from} RENAME TO ${to}`));
  before(async () => {
    database = await openTestDatabase([answersSchema]);
    postgres = database.postgres;
  });
  after(() => database.close());

  suites('a table of the database', () => ({
    tier: (onFault, clock) => postgresTier(postgres, 100 * mb, onFault, clock),
    breakIt: async () => void (await rename('answers', 'elsewhere')),
    mend: async () => void (await rename('elsewhere', 'answers')),
    complaint: /Caching in the database is off for now\. .*missing.*Run “extract server database check”/,
  }));

  const first = <Row extends object>(sql: string) => postgres.read((queries) => queries.first<Row>(sql));
  const count = async () =>
    (await first<{ readonly rows: number }>('SELECT count(*) AS rows FROM answers'))?.rows ?? 0;

  test('is not logged, and finds an answer by its index', async () => {
    const table = await first(`SELECT relpersistence FROM pg_class WHERE relname = 'answers'`);
    assert.deepEqual(table, { relpersistence: 'u' });
    const plan = await postgres.transaction(async (queries) => {
      await queries.run('SET LOCAL enable_seqscan = off');
      return queries.rows(
        `EXPLAIN SELECT * FROM answers WHERE key = 'a' AND COALESCE(namespace, '') = COALESCE(NULL, '')`,
      );
    });
    assert.match(JSON.stringify(plan), /answers_key_namespace_idx/);
  });

  test('drops expired entries, and stays within its limit', async () => {
    const clock = new FakeClock(later);
    await postgres.write((queries) => queries.run('TRUNCATE answers'));
    // Texts that do not compress well, so that the sizes are theirs.
    await postgres.write((queries) =>
      queries.run(
        `INSERT INTO answers (key, value, expires)
         SELECT 'k' || n, (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 300) m), $1::bigint + n
         FROM generate_series(1, 600) n`,
        [later],
      ),
    );
    await trimAnswers(postgres, 100 * mb, later + 50);
    assert.equal(await count(), 550);
    const bytes = 2 * mb;
    await trimAnswers(postgres, bytes, later);
    const size = await first<{ readonly bytes: number; readonly first: number }>(
      'SELECT sum(pg_column_size(value)) AS bytes, min(expires) AS first FROM answers',
    );
    assert.ok((size?.bytes ?? 0) <= bytes && (size?.bytes ?? 0) > bytes * 0.8, `${size?.bytes}`);
    // Those that expire first have made room.
    assert.equal(size?.first, later + 601 - (await count()));

    const cache = tieredCache(0, postgresTier(postgres, bytes, noFault, clock), clock);
    await clock.advance(100_000);
    await cache.set('a', answerOf('1'), 60);
    assert.equal(await count(), 1, 'the first answer that is kept trims');
    await cache.close();
  });

  test('opens no connections besides the database’s', async () => {
    const narrow = await Postgres.open({ ...database.config, connections: 3 }, systemClock);
    const cache = tieredCache(0, postgresTier(narrow, mb, noFault));
    await Promise.all(Array.from({ length: 40 }, (_, n) => cache.set(`n${n}`, answerOf('1'), 60)));
    assert.ok(narrow.load.open <= 3);
    await cache.close();
    await narrow.close();
  });
});

describe('a cache in Redis', { skip: skipWithoutRedis }, () => {
  let redis: TestRedis;
  let port: number;
  before(async () => {
    port = await freePort();
    redis = await startRedis({ port });
  });
  after(() => redis.stop());

  suites('Redis', () => ({
    tier: (onFault, clock) => redisTier(redis.url, onFault, clock),
    breakIt: () => redis.stop(),
    async mend() {
      redis = await startRedis({ port });
    },
    complaint: /Caching in Redis is off for now\. Redis cannot be reached\. Check that it runs/,
  }));

  test('a server that accepts requests and does not respond is a miss after two seconds', async () => {
    const faults: (StorageError | null)[] = [];
    const clock = new FakeClock(later);
    const cache = tieredCache(
      0,
      redisTier(redis.url, (fault) => faults.push(fault), clock),
      clock,
    );
    await cache.set('a', answerOf('1'), 600);
    redis.pause();
    try {
      const answer = cache.get('a');
      await clock.untilSleeping(1);
      await clock.advance(2_000);
      assert.equal(await answer, undefined);
      assert.match(faults[0]?.message ?? '', /Redis did not respond in time\.$/);
    } finally {
      redis.resume();
    }
    await cache.close();
  });

  test('a wrong password and a full memory are reported as such', async () => {
    const full = await startRedis({ options: ['--maxmemory', '1mb', '--requirepass', 'a secret'] });
    const faults: string[] = [];
    const onFault: OnCacheFault = (fault) => faults.push(fault?.message ?? '');
    const wrong = tieredCache(0, redisTier(full.url, onFault));
    await wrong.get('a');
    await wrong.close();
    const right = tieredCache(0, redisTier(full.url.replace('//', '//:a%20secret@'), onFault));
    await right.set('a', answerOf('x'.repeat(2_000_000)), 60);
    await right.close();
    await full.stop();
    assert.equal(faults.length, 2);
    assert.match(
      faults[0] ?? '',
      /Redis refuses the login\. Correct user and password in EXTRACT_CACHE_URL\.$/,
    );
    assert.match(faults[1] ?? '', /Redis has no memory left\. Set its maxmemory-policy to allkeys-lru/);
  });

  test('clearing leaves other programs’ keys alone', async () => {
    const { createClient } = await import('@redis/client');
    const client = createClient({ url: redis.url });
    await client.connect();
    await client.set('theirs', '1');
    const cache = tieredCache(0, redisTier(redis.url, noFault));
    await cache.set('a', answerOf('1'), 60);
    const [key = ''] = (await client.keys('*')).filter((name) => name !== 'theirs');
    assert.ok((await client.pTTL(key)) <= 60_000, 'Redis drops it at its end');
    await cache.clear();
    assert.deepEqual(await client.keys('*'), ['theirs']);
    await client.del('theirs');
    await client.close();
    await cache.close();
  });
});
