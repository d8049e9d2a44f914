import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { maxCallMs } from '../../lib/ledger/sqlite/recovery.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { ownerText, thisProcess } from '../../lib/runtime/process-owner.js';
import { assertSound, inspect, pendingIds } from './books.js';
import { openNewLedger } from './ledger-file.js';
import { chargeOf } from './ledger-port.js';

const deadOwner = ownerText({ ...thisProcess(), pid: spawnSync(process.execPath, ['--version']).pid });

/** Makes it so that the pending calls were charged by a process that is no more. */
function orphan(file: string, id = '%'): void {
  inspect(file, (db) =>
    db.prepare(`UPDATE usage SET owner = ? WHERE status = 'pending' AND id LIKE ?`).run(deadOwner, id),
  );
}

async function charged(...ids: string[]) {
  const { file, clock, ledger } = openNewLedger();
  for (const id of ids) await ledger.charge(chargeOf(id, id.startsWith('job_') ? { job: 'job_1' } : {}));
  return { file, clock, ledger, reopened: () => openLedger(file, { clock }) };
}

const outcomes = async (ledger: Ledger) =>
  (await ledger.usage('local', { limit: 100 })).rows.map(
    (row) => `${row.id} ${row.error_code} ${row.credits_refunded}`,
  );

describe('calls that a killed process left behind', () => {
  test('fail and are refunded when the ledger is opened', async () => {
    const { file, ledger, reopened } = await charged('a', 'b');
    await ledger.settle('a', { status: 'ok', cached: false });
    orphan(file);
    const next = reopened();
    assert.equal((await next.balance('local')).credits, 49_997);
    assert.deepEqual(await outcomes(next), ['b internal_error 3', 'a null 0']);
    assertSound(file);
    await Promise.all([ledger.close(), next.close()]);
  });

  test('are found by a running process within a minute of its next operation', async () => {
    const { file, clock, ledger } = await charged('a');
    orphan(file);
    assert.equal((await ledger.balance('local')).credits, 49_997);
    await clock.advance(60_000);
    assert.equal((await ledger.balance('local')).credits, 50_000);
    await ledger.close();
  });

  test('are refunded once, however many processes look at the same time', async () => {
    const { file, ledger, reopened } = await charged('a', 'b', 'c');
    orphan(file);
    const others = Array.from({ length: 8 }, reopened);
    const balances = await Promise.all(others.map((other) => other.balance('local')));
    assert.deepEqual(new Set(balances.map(({ credits }) => credits)), new Set([50_000]));
    assertSound(file);
    await Promise.all([ledger, ...others].map((one) => one.close()));
  });

  test('stay ended when their process lives after all and ends them late', async () => {
    const { file, ledger, reopened } = await charged('a');
    orphan(file);
    const next = reopened();
    await next.balance('local');
    await assert.rejects(ledger.settle('a', { status: 'ok', cached: false }), /was refunded/);
    assert.equal((await ledger.balance('local')).credits, 50_000);
    assert.deepEqual(await outcomes(ledger), ['a internal_error 3']);
    assertSound(file);
    await Promise.all([ledger.close(), next.close()]);
  });

  test('are waited for while their process lives, whatever the clock says', async () => {
    const { file, clock, ledger, reopened } = await charged('a');
    await clock.advance(maxCallMs * 4);
    const next = reopened();
    await next.balance('local');
    assert.deepEqual(pendingIds(file), ['a']);
    assert.equal(await ledger.settle('a', { status: 'ok', cached: false }), 49_997);
    assert.deepEqual(await outcomes(ledger), ['a null 0']);
    assertSound(file);
    await Promise.all([ledger, next].map((one) => one.close()));
  });

  test('are not abandoned by their own process when the clock jumps', async () => {
    const { file, clock, ledger } = await charged('a');
    clock.set(clock.now() + 3_600_000);
    await ledger.charge(chargeOf('b'));
    assert.deepEqual(pendingIds(file), ['a', 'b']);
    assert.equal(await ledger.settle('a', { status: 'ok', cached: false }), 49_994);
    await ledger.close();
  });

  test('are waited for a quarter of an hour if their owner is unknown', async () => {
    const { file, clock, ledger, reopened } = await charged('a');
    inspect(file, (db) => db.exec(`UPDATE usage SET owner = 'somebody'`));
    const early = reopened();
    assert.equal((await early.balance('local')).credits, 49_997);
    await clock.advance(maxCallMs);
    assert.equal((await early.balance('local')).credits, 50_000);
    await Promise.all([ledger.close(), early.close()]);
  });

  test('a clock that a call brings along does not make it old', async () => {
    const { file, ledger, reopened } = await charged();
    await ledger.charge(chargeOf('a', { at: Date.parse('2020-01-01T00:00:00.000Z') }));
    const next = reopened();
    await next.balance('local');
    assert.deepEqual(pendingIds(file), ['a']);
    await Promise.all([ledger.close(), next.close()]);
  });

  test('of jobs are left to the job, however old', async () => {
    const { file, clock, ledger, reopened } = await charged('job_1:0');
    orphan(file);
    await clock.advance(maxCallMs * 10);
    const next = reopened();
    assert.equal((await next.balance('local')).credits, 49_997);
    assert.deepEqual(pendingIds(file), ['job_1:0']);
    assert.equal(await next.settle('job_1:0', { status: 'failed', code: 'job_cancelled' }), 50_000);
    assertSound(file);
    await Promise.all([ledger.close(), next.close()]);
  });
});
