import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../lib/config.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { withEndlessLocalAccount } from '../../lib/ledger/local-account.js';
import { openServices } from '../../lib/services.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertSound } from './books.js';
import { openNewLedger } from './ledger-file.js';
import { at, chargeOf } from './ledger-port.js';

describe('the local account', () => {
  async function endless() {
    const { file, clock, ledger: limited } = openNewLedger();
    const ledger = withEndlessLocalAccount(limited, clock);
    const spend = (id: string, credits: number, account = 'local') =>
      ledger.pay({ ...chargeOf(id), account, credits });
    return { file, ledger, spend };
  }

  test('grants itself a pack when it falls short, and the books add up', async () => {
    const { file, ledger, spend } = await endless();
    assert.equal(await spend('a', 49_999), 1);
    assert.equal(await spend('b', 3), 49_998);
    await ledger.charge({ ...chargeOf('c'), account: 'local', credits: 49_999 });
    assert.equal((await ledger.balance('local')).credits, 49_999);
    const { rows } = await ledger.usage('local', { limit: 10 });
    assert.deepEqual(rows.map(({ id, credits_charged }) => [id, credits_charged]).sort(), [
      ['a', 49_999],
      ['b', 3],
    ]);
    await ledger.close();
    assertSound(file);
  });

  test('takes one pack for calls that fall short together', async () => {
    const { ledger, spend } = await endless();
    await spend('all', 50_000);
    await Promise.all(Array.from({ length: 40 }, (_, index) => spend(`call-${index}`, 3)));
    assert.equal((await ledger.balance('local')).credits, 50_000 - 120);
    await ledger.close();
  });

  test('is the only one: another account is refused as ever', async () => {
    const { ledger, spend } = await endless();
    await ledger.grant({ id: 'g', account: 'ann', credits: 2, kind: 'trial', at });
    await assert.rejects(spend('x', 3, 'ann'), { code: 'insufficient_credits' });
    assert.equal((await ledger.balance('ann')).credits, 2);
    await ledger.close();
  });
});

describe('EXTRACT_LOCAL_CREDITS', () => {
  const spendAll = async (ledger: Ledger) => {
    await ledger.pay({ ...chargeOf('all'), account: 'local', credits: 50_000 });
    return ledger.pay({ ...chargeOf('one'), account: 'local', credits: 3 });
  };

  test('grants packs by default, and none if it is fixed', async () => {
    const services = openServices(readConfig({ home: temporaryFolder() }, {}));
    assert.equal(await spendAll(services.ledger), 49_997);
    await services.close();
    const fixed = openServices(readConfig({ home: temporaryFolder() }, { EXTRACT_LOCAL_CREDITS: 'fixed' }));
    await assert.rejects(spendAll(fixed.ledger), {
      code: 'insufficient_credits',
      message:
        'The call costs 3 credits, but the balance is 0 credits. Nothing was charged. `extract usage credits add 50000` adds some.',
    });
    await fixed.close();
    assert.throws(() => readConfig({}, { EXTRACT_LOCAL_CREDITS: 'much' }), /must be endless or fixed/);
  });

  test('changes nothing in a server’s own ledger', async () => {
    const { ledger } = openNewLedger();
    const services = openServices(readConfig({ home: temporaryFolder() }, {}), { ledger });
    await assert.rejects(spendAll(services.ledger), { code: 'insufficient_credits' });
    await services.close();
  });
});
