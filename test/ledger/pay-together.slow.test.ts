import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Charge } from '../../lib/ledger/ledger.js';
import { ChargeBatch } from '../../lib/ledger/sqlite/charge-batch.js';
import type { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { pay } from '../support/pay.js';
import { assertSound, inspect } from './books.js';
import { openNewLedger } from './ledger-file.js';
import { at, chargeOf, refusal } from './ledger-port.js';

async function open(credits: Readonly<Record<string, number>>) {
  const { file, ledger } = openNewLedger();
  for (const [account, amount] of Object.entries(credits)) {
    await ledger.grant({ id: `g_${account}`, account, credits: amount, kind: 'trial', at });
  }
  return { file, ledger };
}

/** What became of each: its balance, or the code it was refused with. */
async function outcomes(pays: readonly Promise<number>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(pays);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code));
}

const together = (ledger: SqliteLedger, charges: readonly Charge[]) =>
  outcomes(charges.map((charge) => pay(ledger, charge)));

async function oneByOne(ledger: SqliteLedger, charges: readonly Charge[]): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const charge of charges) all.push(...(await outcomes([pay(ledger, charge)])));
  return all;
}

function rows(file: string): unknown[] {
  assertSound(file);
  return inspect(file, (db) => db.prepare('SELECT * FROM usage ORDER BY id').all());
}

const charges = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 60 }).map((n) => `r${n}`),
    account: fc.constantFrom('rich', 'poor', 'nobody'),
    credits: fc.integer({ min: 0, max: 9 }),
    needsPack: fc.constant(false),
    endpoint: fc.constantFrom('maps/place', 'maps/photos'),
    key: fc.option(fc.constantFrom({ id: 'k1', name: 'one' }, { id: 'k2', name: 'two' }), { nil: undefined }),
    job: fc.option(fc.constant('job_1'), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 150 },
);

describe('calls that pay at the same time', () => {
  test('pay in one statement for their account and one for their rows', async () => {
    const { file, ledger } = await open({});
    const { db } = await ledger.database();
    const batch = new ChargeBatch(db);
    assert.deepEqual(batch.pay([chargeOf('a', { credits: 2 }), chargeOf('b')], 0), [49_998, 49_995]);
    assert.equal(batch.pay([chargeOf('c', { credits: 50_000 })], 0), null);
    assert.throws(() => batch.pay([chargeOf('a')], 0), refusal('internal_error', /charged before/));
    db.exec(`UPDATE balances SET balance = balance + 3`);
    assertSound(file);
    await ledger.close();
  });

  test('pay and record the same as one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(charges, async (drawn) => {
        const all = drawn.map((one) => chargeOf(one.id, one));
        const [a, b] = [await open({ rich: 10_000, poor: 40 }), await open({ rich: 10_000, poor: 40 })];
        assert.deepEqual(await together(a.ledger, all), await oneByOne(b.ledger, all));
        await Promise.all([a.ledger.close(), b.ledger.close()]);
        assert.deepEqual(rows(a.file), rows(b.file));
      }),
      { numRuns: 60 },
    );
  });

  test('are all recorded, even if one statement cannot hold them', async () => {
    const { file, ledger } = await open({ rich: 10_000 });
    const key = { id: 'k1', name: 'one' };
    const all = Array.from({ length: 333 }, (_, n) => chargeOf(`r${n}`, { account: 'rich', key }));
    assert.deepEqual(
      await together(ledger, all),
      all.map((_, n) => 10_000 - 3 * (n + 1)),
    );
    await ledger.close();
    const storedRows = rows(file) as Readonly<Record<string, unknown>>[];
    const stored = storedRows.map(({ id, account, key_id, key_name, status }) =>
      [id, account, key_id, key_name, status].join(' '),
    );
    assert.deepEqual(stored, all.map(({ id }) => `${id} rich k1 one ok`).toSorted());
  });

  test('an invalid price is refused alone, and adds no credits', async () => {
    const { file, ledger } = await open({ rich: 100 });
    const bad = [-3, 0.5, Number.NaN].map((credits, n) => chargeOf(`bad${n}`, { account: 'rich', credits }));
    const good = chargeOf('good', { account: 'rich' });
    const results = await together(ledger, [...bad, good]);
    assert.deepEqual(results, ['internal_error', 'internal_error', 'internal_error', 97]);
    await assert.rejects(pay(ledger, chargeOf('good', { account: 'rich' })), refusal('internal_error'));
    await ledger.close();
    assert.equal(rows(file).length, 1);
  });
});
