// A separate process on a ledger file, started by the tests. Prints a line for each thing it has finished.
import Sqlite from 'better-sqlite3';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Charge, Ending, Ledger } from '../../lib/ledger/ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { beforeEachStatement } from '../support/before-each-statement.js';
import { pay } from '../support/pay.js';
import { writeLine } from '../support/write-line.js';

const [task = '', file = '', detail = '0'] = process.argv.slice(2);
const count = Number(detail);
const at = () => new Date().toISOString();

/** Kills the process just before its nth write, whichever statement that is: opening, charging or ending. */
function dieBefore(nth: number): void {
  let writes = 0;
  const step = () => {
    if (++writes === nth) process.kill(process.pid, 'SIGKILL');
  };
  beforeEachStatement(step);
  const { exec, pragma } = Sqlite.prototype;
  Sqlite.prototype.exec = function (this: Sqlite.Database, source: string) {
    step();
    return exec.call(this, source);
  };
  Sqlite.prototype.pragma = function (this: Sqlite.Database, ...args: Parameters<typeof pragma>) {
    if (args[0].includes('=')) step();
    return pragma.apply(this, args);
  };
}

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

/** Lets calls pay, sixty at a time, until it is killed. */
async function crowd(ledger: Ledger): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (;;) await paid(ledger, `c${process.pid}-${next++}`);
  };
  await Promise.all(Array.from({ length: 60 }, lane));
}

async function script(ledger: Ledger): Promise<void> {
  await pair(ledger, 'a', ok);
  await pair(ledger, 'b', failed);
  await paid(ledger, 'd');
  await Promise.all([
    pair(ledger, 'c', failed),
    ledger.grant({ id: 'g', account: 'local', credits: 7, kind: 'pack', at: at() }),
  ]);
}

if (task === 'script') dieBefore(count);
const ledger = openLedger(file);
try {
  if (task === 'open') writeLine(`balance ${(await ledger.balance('local')).credits}`);
  if (task === 'script') await script(ledger);
  if (task === 'hammer') await hammer(ledger);
  if (task === 'crowd') await crowd(ledger);
  await ledger.close();
  writeLine('done');
} catch (error) {
  writeLine(error instanceof ExtractError ? `${error.code}: ${error.message}` : String(error));
}
