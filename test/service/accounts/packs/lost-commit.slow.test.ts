import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { defaultTimeouts } from '../../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { accountMoney } from '../../../../src/compose/account-money.js';
import { allSchemas } from '../../../../src/compose/database-tables.js';
import { keyedDigest } from '../../../../src/service/accounts/digests.js';
import { openHostingStore } from '../../../../src/service/accounts/open-accounts.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../../support/postgres.js';

/** Where the next committing connection is cut: before the COMMIT reaches the database, or before its reply arrives. */
type CutMoment = 'before' | 'after' | null;

/** A relay to the database that can cut one connection at its COMMIT. */
async function cuttingRelay(t: TestContext, url: string) {
  const { hostname, port, pathname, username } = new URL(url);
  const relay: { cut: CutMoment } = { cut: null };
  const server = net.createServer((client) => {
    const upstream = net.connect(`${decodeURIComponent(hostname)}/.s.PGSQL.${port}`);
    const pass = (from: net.Socket, to: net.Socket, cut: CutMoment) => {
      from.on('error', () => undefined).on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => {
        if (relay.cut !== cut || !bytes.includes('COMMIT')) return to.write(bytes);
        relay.cut = null;
        return client.destroy();
      });
    };
    pass(client, upstream, 'before');
    pass(upstream, client, 'after');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  return Object.assign(relay, { url: `postgres://${username}@${address}${pathname}` });
}

describe('a payment by hand whose commit is not heard of', { skip: skipWithoutPostgres }, () => {
  test('is reported as made if it was, and may be repeated if not', async (t) => {
    const { config, drop } = await makeTestDatabase(allSchemas());
    t.after(drop);
    const relay = await cuttingRelay(t, config.url);
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

    relay.cut = 'after';
    const paid = await purchases.payByHand(id, 7, 'EUR');
    assert.deepEqual([paid.id, paid.status, paid.receipt, await balance()], [order, 'paid', 1, 7]);
    relay.cut = 'after';
    const without = await purchases.payByHand(id, 7, 'EUR');
    assert.deepEqual([without.status, without.receipt, await balance()], ['paid', 2, 14]);
    assert.deepEqual((await purchases.list(id)).length, 2);

    relay.cut = 'before';
    await assert.rejects(purchases.payByHand(id, 7, 'EUR'), /unknown whether it was saved/);
    assert.deepEqual([(await purchases.list(id)).length, await balance()], [2, 14]);
  });
});
