// A separate process on a ledger file, started by the tests. Prints a line for each thing it has finished.
import type { Charge, Ending, Ledger } from '../../lib/ledger/ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { pay } from '../support/pay.js';
import { writeLine } from '../support/write-line.js';

const [task = '', file = '', detail = '0'] = process.argv.slice(2);
const count = Number(detail);

const chargeOf = (id: string): Charge => ({
  ...{ id, account: 'local', endpoint: 'maps/place', credits: 3, needsPack: false, at: Date.now() },
});
const ok: Ending = { status: 'ok', cached: false };
const failed: Ending = { status: 'failed', code: 'platform_timeout' };

async function pair(ledger: Ledger, id: string, ending: Ending): Promise<void> {
  await ledger.charge(chargeOf(id));
  writeLine(`charged ${id}`);
  await ledger.settle(id, ending);
  writeLine(`${ending.status} ${id}`);
}

/** A call that is charged and ended in one. */
async function paid(ledger: Ledger, id: string): Promise<void> {
  await pay(ledger, chargeOf(id));
  writeLine(`ok ${id}`);
}

/**
 * Charges and ends calls, eight at a time. Of every three, one succeeds, one fails and one is paid immediately. Runs
 * forever when `count` is 0.
 */
async function hammer(ledger: Ledger): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let n = next++; count === 0 || n < count; n = next++) {
      const id = `p${process.pid}-${n}`;
      await (n % 3 === 2 ? paid(ledger, id) : pair(ledger, id, n % 3 === 0 ? ok : failed));
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

const ledger = openLedger(file);
if (task === 'open') writeLine(`balance ${(await ledger.balance('local')).credits}`);
else await hammer(ledger);
await ledger.close();
writeLine('done');
