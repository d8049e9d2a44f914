import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SyncThread } from '../../lib/ledger/sync-thread.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const newFile = () => openSync(path.join(temporaryFolder(), 'file'), 'w');

async function started(file: number): Promise<SyncThread> {
  const thread = new SyncThread(file);
  while (!thread.isReady) await turn();
  return thread;
}

describe('a thread that syncs', () => {
  test('brings a file to the disk, time and again, while the other goes on', async () => {
    const file = newFile();
    const thread = await started(file);
    for (let round = 0; round < 200; round += 1) {
      const wait = thread.begin();
      // A fast disk is waited for at once, a slow one beside the event loop.
      await wait();
    }
    await thread.close();
    closeSync(file);
  });

  test('that is asked before it has started does it then, without holding up the event loop', async () => {
    const file = newFile();
    const thread = new SyncThread(file);
    assert.equal(thread.isReady, false);
    const later = thread.begin()();
    assert.ok(later instanceof Promise);
    await later;
    assert.equal(thread.isReady, true);
    await thread.close();
    closeSync(file);
  });

  test('tells what the disk refused, of that sync alone', async () => {
    const file = newFile();
    const thread = await started(file);
    closeSync(file);
    await assert.rejects(async () => thread.begin()(), { code: 'EBADF' });
    const same = newFile();
    assert.equal(same, file);
    await thread.begin()();
    await thread.close();
    closeSync(same);
  });

  test('that has ended is no longer ready, and whoever waits for it is told', async () => {
    const file = newFile();
    const thread = await started(file);
    await thread.close();
    assert.equal(thread.isReady, false);
    await assert.rejects(async () => thread.begin()(), /has ended/);
    closeSync(file);
  });
});
