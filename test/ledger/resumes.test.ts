import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Charge, Ledger } from '../../lib/ledger/ledger.js';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
let files = 0;

const chargeOf = (changes: Partial<Charge> = {}): Charge => ({
  id: 'batch_1:0',
  account: 'local',
  endpoint: 'maps/place',
  credits: 3,
  needsPack: false,
  at: Date.parse('2026-01-01T00:00:00.000Z'),
  ...changes,
});

function open(): { file: string; ledger: Ledger } {
  files += 1;
  const file = path.join(folder, String(files), 'ledger.db');
  return { file, ledger: openLedger(file, { clock: new FakeClock() }) };
}

async function sound(file: string, ledger: Ledger, credits: number): Promise<void> {
  assert.equal((await ledger.balance('local')).credits, credits);
  await ledger.close();
  const db = new Sqlite(file);
  assert.deepEqual(imbalances(db), []);
  db.close();
}

const row = async (ledger: Ledger) => (await ledger.usage('local', { limit: 10 })).rows[0];

describe('a charge that resumes', () => {
  const resumed = chargeOf({ resumes: true });

  test('is an ordinary one where nothing was begun', async () => {
    const { file, ledger } = open();
    await ledger.charge(resumed);
    assert.equal(await ledger.settle(resumed.id, { status: 'ok', cached: false }), 49_997);
    await sound(file, ledger, 49_997);
  });

  test('takes over a price that is held', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf());
    await ledger.charge(resumed);
    assert.equal((await ledger.balance('local')).credits, 49_997);
    assert.equal(await ledger.settle(resumed.id, { status: 'failed', code: 'place_not_found' }), 50_000);
    await sound(file, ledger, 50_000);
  });

  test('charges a refunded price again, in the same row', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf());
    await ledger.settle(resumed.id, { status: 'failed', code: 'platform_timeout' });
    await ledger.charge(resumed);
    assert.equal((await ledger.balance('local')).credits, 49_997);
    await ledger.settle(resumed.id, { status: 'ok', cached: true });
    const stored = await row(ledger);
    assert.deepEqual(
      [stored?.status, stored?.error_code, stored?.credits_charged, stored?.credits_refunded, stored?.cached],
      ['ok', null, 3, 0, true],
    );
    await sound(file, ledger, 49_997);
  });

  test('takes nothing again for work that had ended well, and gives it back when it fails now', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf());
    await ledger.settle(resumed.id, { status: 'ok', cached: false });
    await ledger.charge(resumed);
    assert.equal((await ledger.balance('local')).credits, 49_997);
    assert.equal(await ledger.settle(resumed.id, { status: 'failed', code: 'place_not_found' }), 50_000);
    assert.equal((await row(ledger))?.credits_refunded, 3);
    await sound(file, ledger, 50_000);
  });

  test('continues at an empty balance if its price was already charged', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf({ credits: 50_000 }));
    await ledger.charge(chargeOf({ credits: 50_000, resumes: true }));
    await ledger.settle(resumed.id, { status: 'failed', code: null });
    await ledger.charge(chargeOf({ id: 'other', credits: 50_000 }));
    await assert.rejects(
      ledger.charge(chargeOf({ credits: 50_000, resumes: true })),
      (error) => error instanceof ExtractError && error.code === 'insufficient_credits',
    );
    await sound(file, ledger, 0);
  });

  test('never takes over the row of another account', async () => {
    const { file, ledger } = open();
    await ledger.grant({
      id: 'g',
      account: 'acct_a',
      credits: 100,
      kind: 'pack',
      at: new Date(resumed.at).toISOString(),
    });
    await ledger.charge(chargeOf());
    await assert.rejects(ledger.charge(chargeOf({ account: 'acct_a', resumes: true })), /charged before/);
    assert.equal((await ledger.balance('acct_a')).credits, 100);
    await sound(file, ledger, 49_997);
  });

  test('must be requested: without it an ID is charged once, whatever became of it', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf());
    await ledger.settle(resumed.id, { status: 'failed', code: null });
    await assert.rejects(ledger.charge(chargeOf()), /charged before/);
    await sound(file, ledger, 50_000);
  });
});

describe('a call that is undone', () => {
  test('is refunded once, whether or not it had ended', async () => {
    const { file, ledger } = open();
    await ledger.charge(chargeOf());
    await ledger.settle('batch_1:0', { status: 'ok', cached: false });
    assert.equal(await ledger.refund('batch_1:0'), 50_000);
    assert.equal(await ledger.refund('batch_1:0'), 50_000);
    await ledger.charge(chargeOf({ id: 'b' }));
    assert.equal(await ledger.refund('b'), 50_000);
    await assert.rejects(ledger.settle('b', { status: 'ok', cached: false }), /was refunded/);
    const stored = await row(ledger);
    assert.deepEqual([stored?.status, stored?.credits_charged, stored?.credits_refunded], ['failed', 0, 3]);
    await sound(file, ledger, 50_000);
  });

  test('must be known', async () => {
    const { file, ledger } = open();
    await assert.rejects(ledger.refund('nobody'), /nobody/);
    await sound(file, ledger, 50_000);
  });
});
