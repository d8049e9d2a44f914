import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Charge, Ledger } from '../../lib/ledger/ledger.js';
import { skipWithoutPostgres } from '../support/postgres.js';
import { openNewLedger } from './ledger-file.js';
import { at, chargeOf, ledgerPort, refusal } from './ledger-port.js';
import { assertSound, ledgerHarness } from './postgres-harness.js';

const limited = { id: 'key_1', name: 'limited', monthlyCredits: 90 };

/** What became of each: its value, or the code and the words it was refused with. */
async function outcomes(tries: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(tries);
  return settled.map((one) =>
    one.status === 'fulfilled' ? one.value : `${one.reason.code} ${one.reason.message}`,
  );
}

const id = fc.integer({ min: 0, max: 25 }).map((n) => `r${n}`);
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('charge' as const, 'pay' as const, 'pay' as const),
    ...{ id, needsPack: fc.boolean(), resumes: fc.boolean(), credits: fc.integer({ min: 0, max: 40 }) },
    account: fc.constantFrom('acct_a', 'acct_b', 'nobody'),
    measures: fc.constantFrom(undefined, { duration_ms: 7 }),
    key: fc.constantFrom(undefined, limited, { id: 'key_2', name: 'free' }),
  }),
  fc.record({ do: fc.constant('settle' as const), id, ok: fc.boolean() }),
  fc.record({ do: fc.constant('refund' as const), id }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(ledger: Ledger, one: Step, ids: (id: string) => string): Promise<unknown> {
  if (one.do === 'refund') return ledger.refund(ids(one.id));
  if (one.do === 'settle') {
    const ending = one.ok
      ? ({ status: 'ok', cached: true } as const)
      : ({ status: 'failed', code: 'platform_timeout' } as const);
    return ledger.settle(ids(one.id), ending);
  }
  const key = one.key === undefined ? undefined : { ...one.key, id: ids(one.key.id) };
  return ledger[one.do](chargeOf('', { ...one, id: ids(one.id), account: ids(one.account), key }));
}

describe('the ledger in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  const harness = ledgerHarness(after);
  ledgerPort('in a database', async () => (await harness()).ledger);

  test('agrees with the ledger in a file for any concurrent entries', async () => {
    const { ledger, database } = await harness();
    const { ledger: file } = openNewLedger();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 5 }), async (turns) => {
        runs += 1;
        // IDs of equal length, unique per run.
        const ids = (one: string) => `${String(runs).padStart(4, '0')}${one}`;
        for (const [account, kind] of [
          ['acct_a', 'pack'],
          ['acct_b', 'trial'],
        ] as const) {
          const grant = { id: ids(account), account: ids(account), credits: 150, kind, at };
          for (const one of [ledger, file]) await one.grant(grant);
        }
        for (const turn of turns) {
          const [mine, theirs] = await Promise.all(
            [ledger, file].map((one) => outcomes(turn.map((entry) => act(one, entry, ids)))),
          );
          assert.deepEqual(mine, theirs);
        }
        for (const account of ['acct_a', 'acct_b']) {
          assert.deepEqual(await ledger.balance(ids(account)), await file.balance(ids(account)));
          const all = { limit: 100 };
          assert.deepEqual(await ledger.usage(ids(account), all), await file.usage(ids(account), all));
        }
      }),
      { numRuns: 40, seed: 20260101 },
    );
    await assertSound(database.postgres);
    await file.close();
  });

  test('keeps one balance for all processes: no ID pays twice, and no limit is exceeded together', async () => {
    const { ledger, another, database } = await harness();
    const nodes = [ledger, another(), another()];
    await ledger.grant({ id: 'g', account: 'acct_a', credits: 100, kind: 'trial', at });
    const key = { id: 'key_1', name: 'limited', monthlyCredits: 60 };
    const each = (count: number, changes: (n: number) => Partial<Charge>) =>
      nodes.flatMap((node) =>
        Array.from({ length: count }, (_, n) =>
          node.pay(chargeOf(`${n}`, { account: 'acct_a', ...changes(n) })),
        ),
      );
    const paid = async (tries: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
    // The same ids at every node, each once. Then a key's first calls of the month, and at last more than the account
    // has.
    assert.equal(await paid(each(8, () => ({ credits: 1 }))), 8);
    const charges = nodes.flatMap((node, at) =>
      Array.from({ length: 30 }, (_, n) => node.pay(chargeOf(`k${at}.${n}`, { account: 'acct_a', key }))),
    );
    assert.equal(await paid(charges), 20);
    const rest = nodes.flatMap((node, at) =>
      Array.from({ length: 20 }, (_, n) => node.charge(chargeOf(`r${at}.${n}`, { account: 'acct_a' }))),
    );
    assert.equal(await paid(rest), 10);
    assert.equal((await ledger.balance('acct_a')).credits, 2);
    await assertSound(database.postgres);
  });

  test('refuses a charge with a character that no database holds, alone', async () => {
    const { ledger } = await harness();
    const results = await outcomes([ledger.pay(chargeOf('a\0')), ledger.pay(chargeOf('b'))]);
    assert.match(String(results[0]), /^internal_error .*cannot be stored/);
    assert.equal(results[1], 49_997);
    assert.deepEqual((await ledger.usage('local', { limit: 9, endpoint: '\0' })).rows, []);
    await assert.rejects(ledger.usage('local', { limit: 9, before: '\0' }), refusal('invalid_cursor'));
  });
});

describe('calls that a node left open', { skip: skipWithoutPostgres }, () => {
  const harness = ledgerHarness(after);
  const silence = "UPDATE nodes SET seen_at = seen_at - interval '31 s' WHERE id = $1";

  test('are refunded once when it is silent, and stay refunded when it ends them late', async () => {
    const { ledger, another, database } = await harness();
    const { postgres } = database;
    const other = another();
    for (const id of ['a', 'b']) await ledger.charge(chargeOf(id));
    await ledger.charge(chargeOf('job_1:0', { job: 'job_1' }));
    await other.charge(chargeOf('theirs'));
    assert.equal(await other.refundAbandoned(), 0);
    await postgres.write((queries) => queries.run(silence, [ledger.owner]));
    const refunds = await Promise.all([other.refundAbandoned(), other.refundAbandoned()]);
    assert.ok(refunds.includes(2));
    assert.equal((await other.balance('local')).credits, 49_994);
    await assert.rejects(ledger.settle('a', { status: 'ok', cached: false }), /was refunded/);
    const { rows } = await other.usage('local', { limit: 9 });
    const endings = rows.map(
      ({ id, error_code, credits_refunded }) => `${id} ${error_code} ${credits_refunded}`,
    );
    assert.deepEqual(endings, ['b internal_error 3', 'a internal_error 3']);
    await assertSound(postgres);
  });

  test('are found with each heartbeat, by nodes that were connected for as long', async () => {
    const { ledger, another, database, clock } = await harness();
    await ledger.charge(chargeOf('a'));
    const other = another();
    await other.begin();
    await database.postgres.write((queries) => queries.run(silence, [ledger.owner]));
    // Only the other node's heartbeats: the closed one's alarm never fires.
    await ledger.close();
    await database.postgres.write((queries) =>
      queries.run('DELETE FROM nodes WHERE id = $1', [ledger.owner]),
    );
    for (let beats = 0; beats < 5; beats += 1) {
      await clock.advance(5_000);
      await clock.untilSleeping(1);
    }
    assert.equal((await other.balance('local')).credits, 49_997, 'not yet: others may be as late');
    await clock.advance(5_000);
    await clock.untilSleeping(1);
    assert.equal((await other.balance('local')).credits, 50_000);
  });
});
