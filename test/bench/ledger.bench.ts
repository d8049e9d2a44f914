// What a key, and its monthly limit, add to the cost of a call in the SQLite ledger. Both sides pay in turn in one run.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ChargedKey } from '../../lib/ledger/key-limit.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { compare, report } from './compare.js';

const calls = 2_000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));

/** A ledger of its own with enough credits, and what pays so many calls at once with the key. */
async function payer(name: string, key: ChargedKey | undefined) {
  const ledger = openLedger(path.join(folder, `${name}.db`), { clock: systemClock });
  await ledger.grant({
    ...{ id: 'pack', account: 'hot', credits: 1_000_000_000, kind: 'pack' },
    at: new Date(systemClock.now()).toISOString(),
  });
  const one = (at: number) => {
    const call = {
      id: randomUUID(),
      account: 'hot',
      endpoint: 'maps/place',
      credits: 3,
      needsPack: false,
      at,
    };
    return ledger.pay({ ...call, key, measures: { duration_ms: 1 } });
  };
  return {
    pay: () => Promise.all(Array.from({ length: calls }, () => one(systemClock.now()))),
    close: () => ledger.close(),
  };
}

const key = { id: 'key_bench', name: 'bench', monthlyCredits: null };
const without = await payer('without', undefined);
const unlimited = await payer('unlimited', key);
const limited = await payer('limited', { ...key, monthlyCredits: 1_000_000_000 });

const rounds = { rounds: 15, repeats: 2, warmUp: 2 };
const many = `${calls.toLocaleString('en')} calls`;
report(`${many} with a key against none`, await compare(unlimited.pay, without.pay, rounds), {
  atMost: 1.25,
});
report(
  `${many} with a limited key against an unlimited one`,
  await compare(limited.pay, unlimited.pay, rounds),
  {
    atMost: 1.1,
  },
);

for (const one of [without, unlimited, limited]) await one.close();
rmSync(folder, { recursive: true, force: true });
