import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultTimeouts } from '../../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { accountMoney } from '../../../../src/compose/account-money.js';
import { allSchemas } from '../../../../src/compose/database-tables.js';
import { keyedDigest } from '../../../../src/service/accounts/digests.js';
import { openHostingStore } from '../../../../src/service/accounts/open-accounts.js';
import { databaseRelay } from '../../../support/database-relay.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../../support/postgres.js';

describe('a payment by hand whose commit is not heard of', { skip: skipWithoutPostgres }, () => {
  test('is reported as made if it was, and may be repeated if not', async (t) => {
    const { config, drop } = await makeTestDatabase(allSchemas());
    t.after(drop);
    /** Where the next connection that commits is cut: as the COMMIT leaves, or as its reply arrives. */
    let cut: 'client' | 'server' | null = null;
    const relay = await databaseRelay(config.url, (bytes, from) => {
      if (from !== cut || !bytes.includes('COMMIT')) return 'pass';
      cut = null;
      return 'cut';
    });
    t.after(() => relay.close());
    const postgres = await Postgres.open({ ...config, url: relay.url }, systemClock, defaultTimeouts);
    t.after(() => postgres.close());
    const ledger = new PostgresLedger(postgres, systemClock);
    t.after(() => ledger.close());
    const { accounts, purchases } = openHostingStore({
      ...{ database: postgres, clock: systemClock, money: accountMoney(ledger.owner), trialCredits: 0 },
      ...{ digest: keyedDigest(Buffer.alloc(32, 7)), rows: [] },
    });
    const { id } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 });
    const pack = { credits: 7, amount: 100, currency: 'EUR' };
    const { id: order } = await purchases.order(id, pack, 'hand');
    const balance = async () => (await ledger.balance(id)).credits;

    cut = 'server';
    const paid = await purchases.payByHand(id, 7, 'EUR');
    assert.deepEqual([paid.id, paid.status, paid.receipt, await balance()], [order, 'paid', 1, 7]);
    cut = 'server';
    const without = await purchases.payByHand(id, 7, 'EUR');
    assert.deepEqual([without.status, without.receipt, await balance()], ['paid', 2, 14]);
    assert.deepEqual((await purchases.list(id)).length, 2);

    cut = 'client';
    await assert.rejects(purchases.payByHand(id, 7, 'EUR'), /unknown whether it was saved/);
    assert.deepEqual([(await purchases.list(id)).length, await balance()], [2, 14]);
  });
});
