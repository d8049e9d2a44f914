// A separate server process that checks one key continuously, started by the tests. Reports when the last successful
// check began, and how the key was refused.

import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { accountMoney } from '../../../src/compose/account-money.js';
import { keyedDigest } from '../../../src/service/accounts/digests.js';
import { openHostingStore } from '../../../src/service/accounts/open-accounts.js';
import { writeLine } from '../../support/write-line.js';

const [url = '', secret = ''] = process.argv.slice(2);
const clock = systemClock;
const postgres = await Postgres.open({ url, connections: 3 }, clock);
const ledger = new PostgresLedger(postgres, clock);
const { accounts } = openHostingStore({
  ...{
    database: postgres,
    clock,
    money: accountMoney(ledger.owner),
    digest: keyedDigest(Buffer.alloc(32, 7)),
  },
  ...{ trialCredits: 0, rows: [] },
});

let [checks, passed] = [0, 0];
for (;;) {
  const began = Date.now();
  try {
    await accounts.authenticate(secret);
  } catch (error) {
    writeLine(JSON.stringify({ passed, code: (error as { readonly code?: unknown }).code }));
    break;
  }
  passed = began;
  checks += 1;
  if (checks === 20) writeLine('ready');
  await clock.sleep(5);
}
await ledger.close();
await postgres.close();
