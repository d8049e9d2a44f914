// A separate process on a ledger in PostgreSQL, started by the tests. Prints a line for each thing it has finished.

import { Postgres } from '../../lib/database/postgres/postgres.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { writeLine } from '../support/write-line.js';

const [url = '', account = ''] = process.argv.slice(2);
const postgres = await Postgres.open({ url, connections: 5 }, systemClock);
const ledger = new PostgresLedger(postgres, systemClock);
const chargeOf = (id: string) => ({
  ...{ id, account, endpoint: 'maps/place', credits: 3, needsPack: false, at: Date.now() },
});
let next = 0;

/** Lets calls pay, and every third one begins work that never ends. */
async function lane(): Promise<void> {
  for (;;) {
    const n = next++;
    const id = `p${process.pid}-${n}`;
    if (n % 3 === 0) await ledger.charge(chargeOf(id));
    else await ledger.pay(chargeOf(id));
    writeLine(`${n % 3 === 0 ? 'charged' : 'ok'} ${id}`);
  }
}

await Promise.all(Array.from({ length: 8 }, lane));
