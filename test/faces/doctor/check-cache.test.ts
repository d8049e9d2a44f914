import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCache } from '../../../src/faces/doctor/check-cache.js';
import { freePort } from '../../support/free-port.js';
import { skipWithoutRedis, startRedis } from '../../support/redis.js';

describe('the check of the cache', () => {
  test('reports nothing without Redis or without a cache', async () => {
    assert.deepEqual(await checkCache({ cache: true, cacheUrl: undefined }), []);
    assert.deepEqual(await checkCache({ cache: false, cacheUrl: 'redis://127.0.0.1:1/' }), []);
  });

  test('warns of one that cannot be reached, without the secret of its address', async () => {
    const cacheUrl = `redis://me:hidden@127.0.0.1:${await freePort()}/0`;
    const [finding] = await checkCache({ cache: true, cacheUrl });
    assert.equal(finding?.status, 'warning');
    assert.match(finding?.message ?? '', /Redis cannot be reached\. Check that it runs/);
    assert.doesNotMatch(JSON.stringify(finding), /hidden/);
  });

  test('names the host of one that answers', { skip: skipWithoutRedis }, async () => {
    const redis = await startRedis();
    const [finding] = await checkCache({ cache: true, cacheUrl: redis.url });
    assert.equal(finding?.status, 'ok');
    assert.match(finding?.message ?? '', /^Redis at 127\.0\.0\.1:\d+ responds$/);
    await redis.stop();
  });
});
