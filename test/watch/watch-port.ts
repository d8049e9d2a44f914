import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchStore } from '../../src/watch/watch-store.js';
import { refusal } from '../ledger/ledger-port.js';

export interface WatchesUnderTest {
  readonly watches: WatchStore;
  /** The same store as another process opens it. */
  reopen(): Promise<WatchStore>;
  /** Makes the store fail below the port. */
  breakDriver(): void;
}

const state = { anchor: 1, last: 2, run: { at: 3, output: '/a' }, delivery: { id: 'whd_1', body: '{}' } };

/** What every store of watches promises. */
export function watchesSuite(open: () => Promise<WatchesUnderTest>): void {
  test('gives a state back as it was written, to this process and the next', async () => {
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

  test('names its faults', async () => {
    const { watches, breakDriver } = await open();
    breakDriver();
    await assert.rejects(watches.read('a'), refusal('internal_error', /state/));
    await assert.rejects(watches.write('a', state), refusal('internal_error', /state/));
  });
}
