import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxWatches, type WatchStore } from '../../../src/files/watch/watch-store.js';
import { refusal } from '../../ledger/ledger-port.js';

export interface WatchesUnderTest {
  readonly watches: WatchStore;
  /** The same store as another process opens it. */
  reopen(): Promise<WatchStore>;
  /** Makes the store fail below the port. */
  breakDriver(): Promise<void>;
}

const state = { anchor: 1, last: 2, run: { at: 3, output: '/a' }, delivery: { id: 'whd_1', body: '{}' } };

/** What every store of watches promises. */
export function watchesSuite(open: () => Promise<WatchesUnderTest>): void {
  test('returns a state as it was written, to this process and the next', async () => {
    const { watches, reopen } = await open();
    assert.equal(await watches.read('a'), null);
    const states = [
      state,
      { ...state, run: null },
      { ...state, run: { at: 4, output: null }, delivery: null },
    ];
    for (const one of states) {
      await watches.write('a', one);
      assert.deepEqual(await watches.read('a'), one);
      assert.deepEqual(await (await reopen()).read('a'), one);
    }
    assert.equal(await watches.read('b'), null);
  });

  test('remembers up to a bound, those whose runs are the newest', async () => {
    const { watches } = await open();
    for (let count = 0; count < maxWatches + 3; count += 1)
      await watches.write(`w${count}`, { ...state, last: 10_000 + count });
    // The watch being written is never evicted, however old its time.
    await watches.write('late', { ...state, last: 1 });
    assert.notEqual(await watches.read('late'), null);
    assert.equal(await watches.read('w0'), null);
    assert.equal(await watches.read('w3'), null);
    assert.notEqual(await watches.read('w4'), null);
  });

  test('names its faults', async () => {
    const { watches, breakDriver } = await open();
    await breakDriver();
    await assert.rejects(watches.read('a'), refusal('internal_error', /state/));
    await assert.rejects(watches.write('a', state), refusal('internal_error', /state/));
  });
}
