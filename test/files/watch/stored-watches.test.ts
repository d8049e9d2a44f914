import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DatabaseFile } from '../../../lib/database/sqlite/database-file.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { stateFile } from '../../../src/compose/open-state.js';
import { StoredWatches } from '../../../src/files/watch/stored-watches.js';
import { maxWatches } from '../../../src/files/watch/watch-store.js';
import { refusal } from '../../ledger/ledger-port.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const files: DatabaseFile[] = [];
after(() => Promise.all(files.map((file) => file.close())));

/** A store of watches, the same as another process opens it, and what makes it fail below the port. */
function open(home = `${folder}/${files.length}`) {
  const file = stateFile(home, systemClock);
  files.push(file);
  return { watches: new StoredWatches(file), reopen: () => open(home).watches, close: () => file.close() };
}

const state = { anchor: 1, last: 2, run: { at: 3, output: '/a' }, delivery: { id: 'whd_1', body: '{}' } };

describe('a store of watches', () => {
  test('returns a state as it was written, to this process and the next', async () => {
    const { watches, reopen } = open();
    assert.equal(await watches.read('a'), null);
    const states = [
      state,
      { ...state, run: null },
      { ...state, run: { at: 4, output: null }, delivery: null },
    ];
    for (const one of states) {
      await watches.write('a', one);
      assert.deepEqual(await watches.read('a'), one);
      assert.deepEqual(await reopen().read('a'), one);
    }
    assert.equal(await watches.read('b'), null);
  });

  test('remembers up to a bound, those whose runs are the newest', async () => {
    const { watches } = open();
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
    const { watches, close } = open();
    await close();
    await assert.rejects(watches.read('a'), refusal('internal_error', /state/));
    await assert.rejects(watches.write('a', state), refusal('internal_error', /state/));
  });
});
