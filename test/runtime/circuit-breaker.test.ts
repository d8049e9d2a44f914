import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageError } from '../../lib/errors/storage-error.js';
import { CircuitBreaker } from '../../lib/runtime/circuit-breaker.js';
import { FakeClock } from '../support/fake-clock.js';

const never = () => new Promise<never>(() => undefined);
const unreachable = { code: 'internal_error', fault: 'unreachable' };

describe('a circuit breaker', () => {
  test('passes on what the store gives, and its own errors', async () => {
    const breaker = new CircuitBreaker(new FakeClock());
    assert.equal(await breaker.run(async () => 7), 7);
    const locked = new StorageError('locked', 'Somebody else has it.');
    const isLocked = (error: unknown) => error === locked;
    for (let tries = 0; tries < 3; tries += 1)
      await assert.rejects(
        breaker.run(async () => Promise.reject(locked)),
        isLocked,
      );
    assert.equal(await breaker.run(async () => 8), 8, 'a store that answers is asked again');
  });

  test('a silent store is waited for once, left alone, and asked again', async () => {
    const clock = new FakeClock();
    const breaker = new CircuitBreaker(clock);
    let requests = 0;
    const request = () => {
      requests += 1;
      return never();
    };
    const first = assert.rejects(breaker.run(request), unreachable);
    await clock.advance(5_000);
    await first;
    for (let call = 0; call < 10; call += 1) await assert.rejects(breaker.run(request), unreachable);
    assert.equal(requests, 1, 'nobody else has waited');
    await clock.advance(5_000);
    assert.equal(await breaker.run(async () => 'well'), 'well');
    assert.equal(clock.sleeping, 0);
  });

  test('a store that cannot be reached is left alone from its first word on', async () => {
    const clock = new FakeClock();
    const breaker = new CircuitBreaker(clock);
    const outage = new StorageError('unreachable', 'No way to it.');
    const run = (answer: Promise<unknown>) => breaker.run(() => answer);
    await assert.rejects(run(Promise.reject(outage)), outage);
    await assert.rejects(run(Promise.resolve(1)), { ...unreachable, retryAfter: 5 });
    clock.set(clock.now() + 3_600_000);
    await assert.rejects(run(Promise.resolve(1)), unreachable);
  });
});
