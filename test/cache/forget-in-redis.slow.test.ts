import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { tieredCache } from '../../lib/cache/open-cache.js';
import { forgetInRedis } from '../../lib/cache/redis/forget-in-redis.js';
import { redisTier } from '../../lib/cache/redis/redis-tier.js';
import type { StorageError } from '../../lib/errors/storage-error.js';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';
import { forgetInRedisCache } from '../../src/compose/forget-in-redis-cache.js';
import { freePort } from '../support/free-port.js';
import { skipWithoutRedis, startRedis, type TestRedis } from '../support/redis.js';
import { answerOf } from './cache-port.js';

const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);

describe('forgetting a subject in Redis', { skip: skipWithoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startRedis();
  });
  after(() => redis.stop());

  const noFault = (fault: StorageError | null) => {
    throw fault;
  };

  test('removes its answers among many, and nothing else', async () => {
    const cache = tieredCache(0, redisTier(redis.url, noFault));
    for (let n = 0; n < 1_200; n += 1)
      await cache.set(
        `key ${n}`,
        answerOf(JSON.stringify({ by: n % 2 === 0 ? 'ZebraBaker' : 'other' })),
        600,
      );
    await cache.close();
    const client = new Redis(redis.url);
    // Another program's key, which names the same person.
    await client.set('theirs', 'zebrabaker');
    assert.deepEqual(await forgetInRedis(redis.url, traces), { removed: 600, isComplete: true });
    const keys = await client.keys('*');
    assert.equal(keys.length, 601);
    for (const key of keys.filter((one) => one !== 'theirs'))
      assert.doesNotMatch((await client.get(key)) ?? '', /zebrabaker/i);
    assert.deepEqual(await forgetInRedis(redis.url, traces, 10), { removed: 0, isComplete: false });
    await client.quit();
    const receipt = await forgetInRedisCache(redis.url, traces);
    assert.deepEqual([receipt.removed, receipt.note], [0, null]);
  });

  test('removes what names it in letters beyond ASCII, whatever their form', async () => {
    const cache = tieredCache(0, redisTier(redis.url, noFault));
    for (const [at, by] of ['ИВАН ЙОВ', 'Иван Йов'.normalize('NFD'), 'Мария'].entries())
      await cache.set(`letters ${at}`, answerOf(JSON.stringify({ by })), 600);
    await cache.close();
    const traces = new Traces([parseSubject('maps:Иван Йов')]);
    assert.deepEqual(await forgetInRedis(redis.url, traces), { removed: 2, isComplete: true });
  });

  test('one that cannot be reached is in the receipt, with what to do', async () => {
    const { removed, note } = await forgetInRedisCache(`redis://127.0.0.1:${await freePort()}/0`, traces);
    assert.equal(removed, null);
    assert.match(note ?? '', /Redis cannot be reached.*extract cache clear/);
  });
});
