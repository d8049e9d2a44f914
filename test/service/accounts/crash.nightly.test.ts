import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { bundle, start } from '../../support/child-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;
let program: string;
before(async () => {
  program = await bundle(root, 'test/service/accounts/child-program.ts', ['better-sqlite3']);
});

const pack = { credits: 50_000, amount: 4900, currency: 'EUR' };

/** A data directory with an account and an open order. */
async function ordered(method: 'hand' | 'stripe') {
  const home = path.join(root, `home${++homes}`);
  const { ledger, accounts, purchases } = await openStore(home, systemClock, 0);
  const { id: account } = await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 });
  const { id } = await purchases.order(account, pack, method);
  await ledger.close();
  return { home, account, id, file: path.join(home, 'ledger.db') };
}

interface AccountState {
  readonly status: string;
  readonly balance: number;
  readonly grants: number;
}

function stateOf(file: string, account: string, id: string): AccountState {
  assertSound(file);
  return inspect(file, (db) => ({
    status: db.prepare<[string], string>('SELECT status FROM purchases WHERE id = ?').pluck().get(id) ?? '',
    balance:
      db.prepare<[string], number>('SELECT balance FROM balances WHERE id = ?').pluck().get(account) ?? 0,
    grants: db.prepare<[], number>(`SELECT count(*) FROM grants WHERE id LIKE 'pur%'`).pluck().get() ?? 0,
  }));
}

const nothing: AccountState = { status: 'open', balance: 0, grants: 0 };
const granted: AccountState = { status: 'paid', balance: 50_000, grants: 1 };

describe('a process that is killed', () => {
  for (const [task, method] of [
    ['event', 'stripe'],
    ['confirm', 'hand'],
  ] as const) {
    test(`at any write of a payment (${task}) has granted it or not at all`, async () => {
      let kills = 0;
      let finished = false;
      for (let nth = 1; !finished && nth < 60; nth += 1) {
        const { home, account, id, file } = await ordered(method);
        const about = task === 'event' ? id : account;
        const child = start(program, [task, home, about, `${nth}`]);
        const lines = await child.output;
        if (child.process.signalCode === 'SIGKILL') kills += 1;
        else finished = lines.includes('done');
        const after = stateOf(file, account, id);
        assert.deepEqual(after, after.balance === 0 ? nothing : granted, `write ${nth}`);
        if (lines.includes('done')) assert.deepEqual(after, granted);
        if (task === 'confirm' && after.balance > 0) continue;
        // Stripe sends an event again that was not answered; the operator tries again what did not end.
        await start(program, [task, home, about]).output;
        assert.deepEqual(stateOf(file, account, id), granted, `again after write ${nth}`);
      }
      assert.equal(finished, true);
      assert.ok(kills >= 4, `${kills} places to die at`);
    });
  }
});
