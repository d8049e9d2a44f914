import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../../lib/runtime/clock.js';
import { backup } from '../../../src/files/backup/backup.js';
import { restore } from '../../../src/files/backup/restore.js';
import { assertSound } from '../../ledger/books.js';
import { awaitJob, echo, jobsHarness, makeJob, numbered } from '../../service/jobs/harness.js';
import { startProgram } from '../../support/program-apart.js';

/** A process that is killed behind its last move leaves its draft. */
const isNoDraft = (name: string) => !name.startsWith('.extract-restore-');

/** Kills as many restores, at moments from their beginning to their end, and repeats each with the same command. */
export async function killRestores(t: TestContext, folder: string, kills: number): Promise<void> {
  const running = await jobsHarness(t, { ask: echo });
  const customer = await running.customer();
  await awaitJob(running, customer, await makeJob(running, customer, numbered(300)));
  const file = path.join(folder, 'made.tar.gz');
  await backup(running.home, file, systemClock);
  const began = performance.now();
  await restore(file, path.join(folder, 'whole'), { check: false });
  const took = performance.now() - began;
  const names = readdirSync(path.join(folder, 'whole')).sort();

  for (let kill = 0; kill < kills; kill += 1) {
    const home = path.join(folder, `killed-${kill}`);
    // The root of a volume is there already.
    if (kill % 2 === 0) mkdirSync(home);
    const child = startProgram('files/backup/restore-program.ts', { file, home });
    await once(child.stdout ?? assert.fail(), 'data');
    await setTimeout((took * 1.2 * kill) / kills);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    if (!existsSync(path.join(home, 'ledger.db'))) await restore(file, home, { check: false });
    assert.deepEqual(readdirSync(home).filter(isNoDraft).sort(), names);
    assertSound(path.join(home, 'ledger.db'));
  }
}
