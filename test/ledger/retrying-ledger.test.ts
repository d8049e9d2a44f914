import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Database } from 'better-sqlite3';
import { readConfig } from '../../lib/config.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { RetryingLedger } from '../../lib/ledger/retrying-ledger.js';
import { openDatabase } from '../../lib/ledger/sqlite/ledger-file.js';
import { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { openServices } from '../../lib/services.js';
import { FakeClock } from '../support/fake-clock.js';
import { assertSound, inspect, pendingIds } from './books.js';
import { newFile, openNewLedger } from './ledger-file.js';
import { chargeOf, ledgerPort } from './ledger-port.js';

const failed = { status: 'failed', code: 'platform_timeout' } as const;

ledgerPort('a ledger that tries again', async () => {
  const { ledger, clock } = openNewLedger();
  return new RetryingLedger(ledger, clock);
});

/** A ledger whose disk can be filled and emptied. */
async function filling() {
  const clock = new FakeClock();
  const file = newFile();
  mkdirSync(path.dirname(file));
  let db: Database | undefined;
  const store = new SqliteLedger(async () => {
    db = await openDatabase(file, clock);
    db.exec(`CREATE TABLE ballast (bytes BLOB) STRICT;
      CREATE TEMP TRIGGER heavy AFTER UPDATE ON main.usage BEGIN
        INSERT INTO main.ballast VALUES (randomblob(5000)); END;`);
    return db;
  }, clock);
  const ledger = new RetryingLedger(store, clock);
  await ledger.balance('local');
  return {
    ...{ clock, file, ledger },
    fill() {
      const free = Number(db?.pragma('freelist_count', { simple: true }));
      for (let page = 0; page < free; page += 1) db?.exec('INSERT INTO ballast VALUES (randomblob(4000))');
      db?.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    },
    empty: () => void db?.pragma('max_page_count = 4294967294'),
  };
}

test('reports itself as not writable for three seconds after it refused an entry', async () => {
  const { clock, ledger, fill, empty } = await filling();
  await ledger.charge(chargeOf('a'));
  await ledger.checkWritable();
  fill();
  await ledger.checkWritable();
  await assert.rejects(ledger.settle('a', { status: 'ok', cached: false }));
  const full = (error: unknown) => error instanceof StorageError && error.fault === 'full';
  await assert.rejects(ledger.checkWritable(), full);
  empty();
  clock.set(clock.now() + 3_600_000);
  await assert.rejects(ledger.checkWritable(), full);
  await clock.advance(3_000);
  await ledger.checkWritable();
  await ledger.close();
});

describe('a price that cannot be refunded', () => {
  test('is refunded within a second after a full disk has space again', async () => {
    const { clock, file, ledger, fill, empty } = await filling();
    await ledger.charge(chargeOf('a'));
    await ledger.charge(chargeOf('b'));
    fill();
    for (const giveBack of [ledger.settle('a', failed), ledger.refund('b'), ledger.settle('b', failed)]) {
      await assert.rejects(giveBack, (error) => error instanceof StorageError && error.fault === 'full');
    }
    for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
    assert.equal(ledger.owed, 2);
    assert.deepEqual(pendingIds(file), ['a', 'b']);
    empty();
    await clock.advance(1_000);
    while (ledger.owed > 0) await new Promise((turn) => setImmediate(turn));
    assert.deepEqual(pendingIds(file), []);
    assert.equal((await ledger.balance('local')).credits, 50_000);
    const { rows } = await ledger.usage('local', { limit: 5 });
    const endings = rows.map(({ id, status, error_code }) => `${id} ${status} ${error_code}`);
    assert.deepEqual(endings, ['b failed platform_timeout', 'a failed platform_timeout']);
    assertSound(file);
    await ledger.close();
  });

  test('is refunded when the ledger is closed, if possible by then', async () => {
    const { file, ledger, fill, empty } = await filling();
    await ledger.charge(chargeOf('a'));
    fill();
    await assert.rejects(ledger.refund('a'));
    empty();
    await ledger.close();
    assert.deepEqual(pendingIds(file), []);
  });

  test('stays with a retried call, and is refunded if that cannot be charged', async () => {
    const { clock, file, ledger, fill, empty } = await filling();
    for (const id of ['a', 'b']) await ledger.charge(chargeOf(id));
    fill();
    for (const id of ['a', 'b']) await assert.rejects(ledger.settle(id, failed), StorageError);
    empty();
    await ledger.charge(chargeOf('a', { resumes: true }));
    await assert.rejects(ledger.charge(chargeOf('b')), { code: 'internal_error' });
    assert.equal(ledger.owed, 1);
    await clock.advance(1_000);
    while (ledger.owed > 0) await new Promise((turn) => setImmediate(turn));
    assert.deepEqual(pendingIds(file), ['a']);
    const balance = await ledger.settle('a', { status: 'ok', cached: false });
    assert.equal(balance, 50_000 - chargeOf('a').credits);
    assertSound(file);
    await ledger.close();
  });

  test('before the ledger is closed is refunded by the next one that the process opens on the file', async () => {
    const file = newFile();
    const config = readConfig({ home: path.dirname(file) }, {});
    const first = openServices(config);
    for (const id of ['a', 'b']) await first.ledger.charge(chargeOf(id));
    inspect(file, (db) =>
      db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON usage BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    );
    await assert.rejects(first.ledger.settle('a', failed), StorageError);
    await first.close();
    assert.deepEqual(pendingIds(file), ['a', 'b']);
    inspect(file, (db) => db.exec('DROP TRIGGER refuse'));
    const second = openServices(config);
    await second.ledger.settle('b', { status: 'ok', cached: false });
    await second.close();
    assert.deepEqual(pendingIds(file), []);
    assertSound(file);
    const third = openServices(config);
    assert.equal((await third.ledger.balance('local')).credits, 50_000 - chargeOf('b').credits);
    assert.equal((await third.ledger.usage('local', { limit: 2 })).rows[1]?.error_code, 'platform_timeout');
    await third.close();
  });

  test('of a call that was never charged is forgotten', async () => {
    const clock = new FakeClock();
    let isBroken = true;
    const broken = async () => {
      if (isBroken) throw new StorageError('full', 'full');
      throw new Error('No such call.');
    };
    const store = { refund: broken, settle: broken, close: async () => {} } as Partial<Ledger> as Ledger;
    const ledger = new RetryingLedger(store, clock);
    await assert.rejects(ledger.refund('x'));
    assert.equal(ledger.owed, 1);
    isBroken = false;
    await clock.advance(1_000);
    assert.equal(ledger.owed, 0);
    assert.equal(clock.sleeping, 0);
  });
});
