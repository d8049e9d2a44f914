import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { migrate } from '../../lib/ledger/sqlite/migrate-ledger.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { newFile, openNewLedger } from './ledger-file.js';
import { chargeOf, ledgerPort } from './ledger-port.js';

ledgerPort('the ledger in a file', async () => openNewLedger().ledger);

describe('the file of the ledger', () => {
  test('is not touched before the first operation', async () => {
    const file = newFile();
    const ledger = openLedger(file);
    assert.equal(existsSync(path.dirname(file)), false);
    await ledger.close();
    assert.equal(existsSync(path.dirname(file)), false);
  });

  test('and its directory can be read by their owner alone', async () => {
    const file = newFile();
    const ledger = openLedger(file);
    await ledger.charge(chargeOf('a'));
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
    for (const suffix of ['', '-wal', '-shm']) assert.equal(statSync(file + suffix).mode & 0o777, 0o600);
    await ledger.close();
  });

  test('persists when it is reopened, without another grant', async () => {
    const { file, ledger: first } = openNewLedger();
    await first.charge(chargeOf('a'));
    await first.settle('a', { status: 'ok', cached: false });
    await first.close();
    const second = openLedger(file, { clock: new FakeClock() });
    assert.equal((await second.balance('local')).credits, 49_997);
    assert.equal((await second.usage('local', { limit: 10 })).rows[0]?.id, 'a');
    await second.close();
    const db = new Sqlite(file, { readonly: true });
    assert.deepEqual(db.prepare('SELECT id, credits, kind FROM grants').all(), [
      { id: 'local-first-pack', credits: 50_000, kind: 'pack' },
    ]);
    db.close();
  });

  test('waits for the disk with every commit', async () => {
    const file = newFile();
    const { openDatabase } = await import('../../lib/ledger/sqlite/ledger-file.js');
    const db = await openDatabase(file, new FakeClock());
    assert.equal(db.pragma('journal_mode', { simple: true }), 'wal');
    assert.equal(db.pragma('synchronous', { simple: true }), 2);
    db.close();
  });

  test('is made once, with one pack, however many open it at the same time', async () => {
    const file = newFile();
    const ledgers = Array.from({ length: 8 }, () => openLedger(file));
    const balances = await Promise.all(
      [...ledgers, ...ledgers].map(async (ledger) => (await ledger.balance('local')).credits),
    );
    assert.deepEqual(new Set(balances), new Set([50_000]));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    const db = new Sqlite(file, { readonly: true });
    assert.equal(db.prepare('SELECT count(*) FROM grants').pluck().get(), 1);
    db.close();
  });
});

describe('adding up the books', () => {
  for (const [title, sql, found] of [
    ['finds nothing in new ones', '', []],
    [
      'finds a balance that the rows do not explain',
      `UPDATE balances SET balance = balance + 1 WHERE id = 'local'`,
      [{ account: 'local', balance: 50_001, expected: 50_000 }],
    ],
    [
      'finds a row that the balance does not include, even of a missing account',
      `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged)
       VALUES ('a', 'local', 0, 0, 'maps/place', 'ok', 3), ('b', 'acct_x', 0, 0, 'maps/place', 'ok', 3)`,
      [
        { account: 'acct_x', balance: 0, expected: -3 },
        { account: 'local', balance: 50_000, expected: 49_997 },
      ],
    ],
  ] as const) {
    test(title, async () => {
      const db = new Sqlite(':memory:');
      await migrate(db, 0);
      db.exec(sql);
      assert.deepEqual(
        imbalances(db).sort((a, b) => a.account.localeCompare(b.account)),
        found,
      );
      // A balance below zero cannot even be written.
      assert.throws(() => db.exec(`UPDATE balances SET balance = -1 WHERE id = 'local'`), /CHECK/);
    });
  }
});
