import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { backup } from '../../../src/files/backup/backup.js';
import { restore } from '../../../src/files/backup/restore.js';
import { assertSound } from '../../ledger/books.js';
import { jobsHarness } from '../../service/jobs/harness.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { killRestores } from './kill-restores.js';

const folder = temporaryFolder();

describe('a restore that is killed', () => {
  test('leaves no data directory or a complete one, and can be repeated', (t) => killRestores(t, folder, 6));

  test('while it moves its files is repeated, and other files are not taken for its own', async (t) => {
    const running = await jobsHarness(t, { start: false });
    await running.customer();
    const file = path.join(folder, 'moved.tar.gz');
    await backup(running.home, file, systemClock);
    const home = path.join(folder, 'half');
    await restore(file, home, { check: false });
    const names = readdirSync(home).sort();
    const draft = path.join(home, '.extract-restore-killed');
    mkdirSync(draft);
    renameSync(path.join(home, 'ledger.db'), path.join(draft, 'ledger.db'));
    await restore(file, home, { check: false });
    assert.deepEqual(readdirSync(home).sort(), names);
    assertSound(path.join(home, 'ledger.db'));
    await assert.rejects(restore(file, home, { check: false }), /is not empty/);
    rmSync(path.join(home, 'ledger.db'));
    await assert.rejects(restore(file, home, { check: false }), /is not empty/);
  });
});
