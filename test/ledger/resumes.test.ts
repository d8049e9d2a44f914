import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Charge, Ledger } from '../../lib/ledger/ledger.js';
import { assertSound } from './books.js';
import { openNewLedger } from './ledger-file.js';
import { chargeOf as chargeWith, refusal } from './ledger-port.js';

const chargeOf = (changes: Partial<Charge> = {}) => chargeWith('batch_1:0', changes);

async function sound(file: string, ledger: Ledger, credits: number): Promise<void> {
  assert.equal((await ledger.balance('local')).credits, credits);
  await ledger.close();
  assertSound(file);
}

const row = async (ledger: Ledger) => (await ledger.usage('local', { limit: 10 })).rows[0];

describe('a charge that resumes', () => {
  const resumed = chargeOf({ resumes: true });
  const ok = { status: 'ok', cached: false } as const;
  const failed = { status: 'failed', code: 'platform_timeout' } as const;

  for (const [name, earlier, ending, credits] of [
    ['is an ordinary one if nothing was begun', null, ok, 49_997],
    ['takes over a price that is held', 'held', failed, 50_000],
    ['charges a refunded price again, in the same row', failed, ok, 49_997],
    ['takes nothing again for work that ended well', ok, ok, 49_997],
    ['gives back the price of work that ended well when it fails now', ok, failed, 50_000],
  ] as const) {
    test(name, async () => {
      const { file, ledger } = openNewLedger();
      if (earlier !== null) await ledger.charge(chargeOf());
      if (earlier !== null && earlier !== 'held') await ledger.settle(resumed.id, earlier);
      await ledger.charge(resumed);
      assert.equal((await ledger.balance('local')).credits, 49_997);
      assert.equal(await ledger.settle(resumed.id, ending), credits);
      const { status, error_code, credits_charged, credits_refunded } = (await row(ledger)) ?? {};
      const stored = [status, error_code, credits_charged, credits_refunded];
      assert.deepEqual(stored, ending === ok ? ['ok', null, 3, 0] : ['failed', 'platform_timeout', 0, 3]);
      await sound(file, ledger, credits);
    });
  }

  test('continues at an empty balance if its price was already charged', async () => {
    const { file, ledger } = openNewLedger();
    const all = { credits: 50_000, resumes: true };
    await ledger.charge(chargeOf({ credits: 50_000 }));
    await ledger.charge(chargeOf(all));
    await ledger.settle(resumed.id, { status: 'failed', code: null });
    await ledger.charge(chargeOf({ id: 'other', credits: 50_000 }));
    await assert.rejects(ledger.charge(chargeOf(all)), refusal('insufficient_credits'));
    await sound(file, ledger, 0);
  });
});

test('an undone call is refunded once, whether or not it had ended', async () => {
  const { file, ledger } = openNewLedger();
  await assert.rejects(ledger.refund('nobody'), /nobody/);
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
