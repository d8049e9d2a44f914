import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseList } from 'structured-headers';
import { RateLimit } from '../../../src/service/limits/rate-limit.js';
import { FakeClock } from '../../support/fake-clock.js';
import { testServer } from '../../support/server.js';

describe('a rate limit', () => {
  test('lets so many through in a minute from the first, and then all again', async () => {
    const clock = new FakeClock();
    const limit = new RateLimit('key', 3, clock);
    const allowed = [1, 2, 3, 4].map(() => limit.take('a').allowed);
    assert.deepEqual(allowed, [true, true, true, false]);
    await clock.advance(59_999);
    assert.deepEqual(limit.take('a'), { allowed: false, remaining: 0, seconds: 1 });
    await clock.advance(1);
    assert.deepEqual(limit.take('a'), { allowed: true, remaining: 2, seconds: 60 });
  });

  test('counts each caller apart, and delays none beyond a window when the clock is set back', () => {
    let now = 1_000_000;
    const clock = { now: () => now, sleep: async () => undefined, alarm: () => () => undefined };
    const limit = new RateLimit('key', 1, clock);
    const allowed = ['a', 'b', 'a'].map((caller) => limit.take(caller).allowed);
    assert.deepEqual(allowed, [true, true, false]);
    now = 0;
    assert.equal(limit.take('a').allowed, true);
  });

  test('remembers a bounded number of callers', () => {
    const limit = new RateLimit('demo', 1, new FakeClock());
    const before = process.memoryUsage().heapUsed;
    for (let caller = 0; caller < 200_000; caller += 1) limit.take(`10.0.${caller}`);
    assert.ok(process.memoryUsage().heapUsed - before < 60_000_000);
  });
});

describe('the limits of the server', () => {
  const url = '/v1/shortvideo/profile?username=nasa&demo=true';

  test('are structured fields that a standard parser reads', async () => {
    const server = await testServer({ config: { rateLimit: 600, demoRateLimit: 60 } });
    const { secret } = await server.account();
    for (const [name, quota, key] of [
      ['demo', 60, null],
      ['key', 600, secret],
    ] as const) {
      const { headers } = await server.ask(url, key);
      const [policy] = parseList(String(headers['ratelimit-policy']));
      assert.deepEqual([policy?.[0], policy?.[1].get('q'), policy?.[1].get('w')], [name, quota, 60]);
      const [limit] = parseList(String(headers.ratelimit));
      assert.deepEqual([limit?.[0], limit?.[1].get('r'), limit?.[1].get('t')], [name, quota - 1, 60]);
    }
  });

  test('refuse with 429 and Retry-After, cost nothing, and end', async () => {
    const server = await testServer({ config: { rateLimit: 2 } });
    const { secret, id } = await server.account();
    await server.ask('/v1/account', secret);
    await server.ask('/v1/account', secret);
    server.clock.time += 20_500;
    const { status, headers, body } = await server.ask('/v1/account', secret);
    assert.equal(status, 429);
    assert.equal(body.error.code, 'rate_limited');
    assert.equal(headers['retry-after'], '40');
    assert.match(String(headers.ratelimit), /^"key";r=0;t=40$/);
    assert.equal((await server.ledger.balance(id)).credits, 500);
    server.clock.time += 39_500;
    assert.equal((await server.ask('/v1/account', secret)).status, 200);
  });

  test('are counted by key, not by account, and count what is refused for other reasons, too', async () => {
    const server = await testServer({ config: { rateLimit: 1 } });
    const { secret, id } = await server.account();
    const other = await server.accounts.createKey({ account: id, name: 'other', platforms: null });
    const statusOf = async (path: string, key: string) => (await server.ask(path, key)).status;
    assert.equal(await statusOf('/v1/account?x=1', secret), 400);
    assert.equal(await statusOf('/v1/account', other.secret), 200);
    assert.equal(await statusOf('/v1/account', secret), 429);
  });

  test('count demo by address; a forwarded address is believed of a trusted proxy alone', async () => {
    const from = async (config: { trustProxy?: string[] }) => {
      const server = await testServer({ config: { demoRateLimit: 1, ...config } });
      const statuses = [];
      for (const forwarded of ['203.0.113.1', '203.0.113.2', '6.6.6.6, 203.0.113.1']) {
        const { statusCode } = await server.app.inject({ url, headers: { 'x-forwarded-for': forwarded } });
        statuses.push(statusCode);
      }
      return statuses;
    };
    assert.deepEqual(await from({}), [200, 429, 429]);
    // The proxy saw the last hop; the client may have invented those before it.
    assert.deepEqual(await from({ trustProxy: ['loopback'] }), [200, 200, 429]);
  });
});
