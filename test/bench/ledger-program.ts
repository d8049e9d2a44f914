// A process that lets one account pay for calls as fast as it can: prints how many were paid in so many seconds.
import { randomUUID } from 'node:crypto';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { Postgres } from '../../lib/postgres/postgres.js';
import { systemClock } from '../../lib/runtime/clock.js';

const [kind = '', place = '', seconds = '1'] = process.argv.slice(2);
const callers = 64;
const key = { id: 'key_bench', name: 'bench', monthlyCredits: 1_000_000_000 };

const postgres =
  kind === 'postgres' ? await Postgres.open({ url: place, connections: 5 }, systemClock) : undefined;
const ledger =
  postgres === undefined
    ? openLedger(place, { clock: systemClock })
    : new PostgresLedger(postgres, systemClock);

const run = randomUUID();
let [next, isOver] = [0, false];
async function caller(): Promise<void> {
  while (!isOver) {
    const id = `${run}${next++}`;
    const call = { id, account: 'hot', endpoint: 'maps/place', credits: 3, needsPack: false, at: Date.now() };
    await ledger.pay({ ...call, key, durationMs: 1 });
  }
}
const all = Array.from({ length: callers }, caller);
// Statements are prepared and code is compiled in the first second.
await systemClock.sleep(1_000);
const [from, began] = [next, performance.now()];
await systemClock.sleep(Number(seconds) * 1_000);
const paid = ((next - from) * 1_000) / (performance.now() - began);
isOver = true;
await Promise.all(all);
await ledger.close();
await postgres?.close();
console.log(Math.round(paid));
