// A process that lets an account pay for calls as fast as it can. It prints how many were paid in so many seconds.
import { randomUUID } from 'node:crypto';
import { defaultTimeouts, type SessionSettings } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { groupSession } from '../../lib/ledger/postgres/group-commit.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';

const [kind = '', place = '', seconds = '1', account = 'hot'] = process.argv.slice(2);
const callers = 64;
const key = { id: `key_${account}`, name: 'bench', monthlyCredits: 1_000_000_000 };

const open = (connections: number, session: SessionSettings) =>
  Postgres.open({ url: place, connections }, systemClock, defaultTimeouts, session);
const databases = kind === 'postgres' ? [await open(4, {}), await open(1, groupSession)] : [];
const [postgres, groups] = databases;
const ledger =
  postgres === undefined
    ? openLedger(place, { clock: systemClock })
    : new PostgresLedger(postgres, systemClock, groups);

const run = randomUUID();
let [next, isOver] = [0, false];
async function caller(): Promise<void> {
  while (!isOver) {
    const id = `${run}${next++}`;
    const call = { id, account, endpoint: 'maps/place', credits: 3, needsPack: false, at: Date.now() };
    await ledger.pay({ ...call, key, measures: { duration_ms: 1 } });
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
for (const database of databases) await database.close();
console.log(Math.round(paid));
