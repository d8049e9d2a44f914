import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { ApiClient } from '../../lib/remote/api-client.js';
import { remoteLedger } from '../../lib/remote/remote-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { at, chargeOf, ledgerReadingPort, refusal } from '../ledger/ledger-port.js';
import { testServer } from '../support/server.js';

/** A server with one account that has bought a pack, and the ledger that its key shows. */
async function served() {
  const server = await testServer();
  const { id, secret } = await server.account();
  // In addition to the trial of a confirmed address.
  await server.ledger.grant({ id: 'pack', account: id, credits: 49_500, kind: 'pack', at });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const client = new ApiClient({
    ...{ baseUrl: `${address}/v1`, apiKey: secret, userAgent: 'test/1', proxy: {} },
    ...{ timeouts: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 }, clock: systemClock },
  });
  return { server, id, client, remote: remoteLedger(client) };
}

/** Reads through the server's API; writes as the server does, into its own ledger. */
ledgerReadingPort('the ledger of a server', async (): Promise<Ledger> => {
  const { server, id, client, remote } = await served();
  const { ledger } = server;
  const accountOf = (account: string) => (account === 'local' ? id : account);
  return {
    balance: () => remote.balance(),
    usage: (account, query) => remote.usage(account, query),
    charge: (charge) => ledger.charge({ ...charge, account: accountOf(charge.account) }),
    pay: (charge) => ledger.pay({ ...charge, account: accountOf(charge.account) }),
    settle: (call, ending) => ledger.settle(call, ending),
    refund: (call) => ledger.refund(call),
    grant: (grant) => ledger.grant({ ...grant, account: accountOf(grant.account) }),
    checkWritable: () => ledger.checkWritable(),
    async close() {
      await remote.close();
      await client.close();
    },
  };
});

test('the ledger of a server refuses every change, and says who makes it', async () => {
  const { client, remote } = await served();
  const readOnly = refusal('invalid_parameter', /credits are bought there, and it charges its calls itself/);
  for (const change of ['charge', 'pay', 'settle', 'refund', 'grant', 'checkWritable'] as const)
    await assert.rejects(remote[change](), readOnly, change);
  const ledger: Ledger = remote;
  await assert.rejects(ledger.charge(chargeOf('a')), readOnly);
  await client.close();
});
