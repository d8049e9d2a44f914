import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { JobEntries } from '../../lib/ledger/sqlite/job-entries.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { refusal } from './ledger-port.js';

let files = 0;
const folder = temporaryFolder();

async function opened() {
  const ledger = openLedger(path.join(folder, `${++files}.db`), { clock: new FakeClock() });
  const { db, owner, write } = await ledger.database();
  const jobs = new JobEntries(db);
  const reserve = { job: 'job_1', account: 'local', endpoint: 'maps/place', credits: 3, count: 4, at: 0 };
  await write(() => jobs.reserve({ ...reserve, key: undefined }, owner));
  return { ledger, db, write, jobs };
}

describe('the entries of a job', () => {
  test('give back what an answer costs less than was reserved, and all of what failed', async () => {
    const { ledger, db, write, jobs } = await opened();
    const refunded = await write(() =>
      jobs.end('job_1', 'local', [
        { index: 0, ending: { status: 'ok', cached: false, credits: 3 } },
        { index: 1, ending: { status: 'ok', cached: true, credits: 2 } },
        { index: 2, ending: { status: 'ok', cached: false, credits: 0 } },
        { index: 3, ending: { status: 'failed', code: 'place_not_found' } },
      ]),
    );
    assert.equal(refunded, 0 + 1 + 3 + 3);
    assert.equal((await ledger.balance('local')).credits, 49_995);
    const { rows } = await ledger.usage('local', { limit: 9, job: 'job_1' });
    assert.deepEqual(
      rows.map((row) => [row.id, row.credits_charged, row.credits_refunded, row.cached]).toSorted(),
      [
        ['job_1:0', 3, 0, false],
        ['job_1:1', 2, 1, true],
        ['job_1:2', 0, 3, false],
        ['job_1:3', 0, 3, false],
      ],
    );
    assert.deepEqual(imbalances(db), []);
    await ledger.close();
  });

  test('end once: nothing changes when one of a group has ended already', async () => {
    const { ledger, db, write, jobs } = await opened();
    const failed = (index: number) => ({
      index,
      ending: { status: 'failed', code: 'place_not_found' } as const,
    });
    await write(() => jobs.end('job_1', 'local', [failed(1)]));
    await assert.rejects(
      write(() => jobs.end('job_1', 'local', [failed(0), failed(1)])),
      refusal('internal_error', /job_1:1 has ended/),
    );
    assert.deepEqual(jobs.pending('job_1'), [0, 2, 3]);
    assert.equal((await ledger.balance('local')).credits, 49_991);
    await ledger.close();
    assert.equal(db.open, false);
  });

  test('never cost more than was reserved', async () => {
    const { ledger, write, jobs } = await opened();
    const ending = { status: 'ok', cached: false, credits: 4 } as const;
    await assert.rejects(
      write(() => jobs.end('job_1', 'local', [{ index: 0, ending }])),
      refusal('internal_error'),
    );
    assert.equal((await ledger.balance('local')).credits, 49_988);
    await ledger.close();
  });

  test('that are released give back what the rows hold', async () => {
    const { ledger, db, write, jobs } = await opened();
    const ending = { status: 'ok', cached: true, credits: 2 } as const;
    await write(() => jobs.end('job_1', 'local', [{ index: 2, ending }]));
    assert.deepEqual(await write(() => jobs.release('job_1', 'local', 'job_cancelled')), {
      inputs: 3,
      credits: 9,
    });
    assert.deepEqual([jobs.pending('job_1'), jobs.failed('job_1')], [[], [0, 1, 3]]);
    assert.equal((await ledger.balance('local')).credits, 49_998);
    assert.deepEqual(imbalances(db), []);
    await ledger.close();
  });
});
