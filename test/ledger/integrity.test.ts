import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { imbalances } from '../../lib/ledger/sqlite/integrity.js';
import { migrate } from '../../lib/ledger/sqlite/migrate-ledger.js';

describe('adding up the books', () => {
  const database = async () => {
    const db = new Sqlite(':memory:');
    await migrate(db, 0);
    return db;
  };

  test('finds nothing in new ones', async () => {
    assert.deepEqual(imbalances(await database()), []);
  });

  test('finds a balance that the rows do not explain', async () => {
    const db = await database();
    db.exec(`UPDATE balances SET balance = balance + 1 WHERE id = 'local'`);
    assert.deepEqual(imbalances(db), [{ account: 'local', balance: 50_001, expected: 50_000 }]);
  });

  test('finds a row that the balance does not know, also of an account that is not there', async () => {
    const db = await database();
    db.exec(
      `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged)
       VALUES ('a', 'local', 0, 0, 'maps/place', 'ok', 3), ('b', 'acct_x', 0, 0, 'maps/place', 'ok', 3)`,
    );
    const found = imbalances(db).sort((a, b) => a.account.localeCompare(b.account));
    assert.deepEqual(found, [
      { account: 'acct_x', balance: 0, expected: -3 },
      { account: 'local', balance: 50_000, expected: 49_997 },
    ]);
  });

  test('a balance below zero cannot even be written', async () => {
    const db = await database();
    assert.throws(() => db.exec(`UPDATE balances SET balance = -1 WHERE id = 'local'`), /CHECK/);
  });
});
