import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CachedAnswer } from '../../lib/cache/cache.js';
import { noCache } from '../../lib/cache/cache.js';
import type { FetchLeases } from '../../lib/cache/fetch-leases.js';
import { underLease } from '../../lib/call/under-lease.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { CallAbort } from '../../lib/runtime/abort.js';
import { answerOf } from '../cache/cache-port.js';
import { FakeClock } from '../support/fake-clock.js';

/** Leases and a cache that several servers share. */
function shared() {
  const clock = new FakeClock();
  const leased = new Set<string>();
  const answers = new Map<string, CachedAnswer>();
  const leases: FetchLeases = {
    take: async (key) => !leased.has(key) && leased.add(key) !== undefined,
    release: async (key) => void leased.delete(key),
    close: async () => undefined,
  };
  const cache = { ...noCache, get: async (key: string) => answers.get(key) };
  const signal = new CallAbort();
  let fetches = 0;
  /** Requests the answer. The fetch takes a second and stores its result. */
  const ask = (result: () => CachedAnswer, ownLeases: FetchLeases = leases, abort = signal) =>
    underLease({
      ...{ clock, cache, leases: ownLeases, key: 'a', signal: abort },
      async fetch() {
        fetches += 1;
        await clock.sleep(1000, abort);
        const answer = result();
        answers.set('a', answer);
        return { answer, browsed: true };
      },
    });
  return { clock, held: leased, answers, leases, ask, fetches: () => fetches };
}

describe('a fetch that several servers share', () => {
  test('runs once, and the others get its answer within a quarter of a second', async () => {
    const { clock, ask, held: leased, fetches } = shared();
    const calls = [1, 2, 3].map(() => ask(() => answerOf('1')));
    await clock.untilSleeping(3);
    await clock.advance(1250);
    const values = (await Promise.all(calls)).map(({ answer }) => answer.data);
    assert.deepEqual([values, fetches(), leased.size], [['1', '1', '1'], 1, 0]);
  });

  test('that fails is retried by the next waiting caller, and each gets its own error', async () => {
    const { clock, ask, held: leased, fetches } = shared();
    const results = [
      () => {
        throw new Error('refused');
      },
      () => answerOf('2'),
    ];
    const next = () => (results.shift() as () => CachedAnswer)();
    const calls = Promise.allSettled([1, 2, 3].map(() => ask(next)));
    await clock.untilSleeping(3);
    await clock.advance(3000);
    const ends = (await calls).map((one) => (one.status === 'fulfilled' ? one.value.answer.data : 'failed'));
    assert.deepEqual([ends.sort(), fetches(), leased.size], [['2', '2', 'failed'], 2, 0]);
  });

  test('does not start if the answer arrived before the lease', async () => {
    const { ask, answers, fetches, held: leased } = shared();
    answers.set('a', answerOf('1'));
    assert.equal((await ask(() => assert.fail())).answer.data, '1');
    assert.deepEqual([fetches(), leased.size], [0, 0]);
  });

  test('ends for a caller that aborts', async () => {
    const { clock, ask, held: leased } = shared();
    leased.add('a');
    const signal = new CallAbort();
    const call = ask(() => answerOf('1'), undefined, signal);
    await clock.untilSleeping(1);
    signal.abort(new Error('gone'));
    await assert.rejects(call, /gone/);
    assert.ok(leased.has('a'), 'the other keeps its lease');
  });

  test('runs on each server if leases are unavailable', async () => {
    const { clock, ask, fetches } = shared();
    const broken: FetchLeases = {
      take: async () => Promise.reject(new StorageError('unreachable', 'Down.')),
      release: async () => undefined,
      close: async () => undefined,
    };
    const calls = [1, 2].map(() => ask(() => answerOf('1'), broken));
    await clock.untilSleeping(2);
    await clock.advance(1000);
    await Promise.all(calls);
    assert.equal(fetches(), 2);
  });
});
