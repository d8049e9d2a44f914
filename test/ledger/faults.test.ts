import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite, { type Database } from 'better-sqlite3';
import { StorageError, type StorageFault } from '../../lib/errors/storage-error.js';
import type { Ledger } from '../../lib/ledger/ledger.js';
import { openDatabase } from '../../lib/ledger/sqlite/ledger-file.js';
import { openLedger, SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertSound, inspect } from './books.js';
import { at, chargeOf, refusal } from './ledger-port.js';

const folder = temporaryFolder();
let files = 0;
const newFile = () => path.join(folder, `${++files}.db`);
/** A clock on which every wait ends immediately. */
const hasty: Clock = { now: () => Date.parse(at), sleep: async () => {}, alarm: () => () => {} };

async function filled(file: string): Promise<void> {
  const ledger = openLedger(file, { clock: hasty });
  await ledger.charge(chargeOf('kept'));
  await ledger.settle('kept', { status: 'ok', cached: false });
  await ledger.close();
}

/** A ledger whose database was tampered with after it was opened. */
const tampered = (file: string, tamper: (db: Database) => void) =>
  new SqliteLedger(async () => {
    const db = await openDatabase(file, hasty);
    tamper(db);
    return db;
  }, hasty);

/** What the port promises of a rejection: its own error, which names the fault. */
function faultOf(fault: StorageFault, message = /./) {
  return (error: unknown) => {
    refusal('internal_error', message)(error);
    assert.ok(error instanceof StorageError);
    assert.equal(error.fault, fault);
    assert.ok(error.within('req_1', 'https://docs.test') instanceof StorageError);
    return true;
  };
}

const operationsOf = (ledger: Ledger) => [
  ledger.charge(chargeOf('a')),
  ledger.pay(chargeOf('b')),
  ledger.settle('kept', { status: 'failed', code: null }),
  ledger.refund('kept'),
  ledger.grant({ id: 'g', account: 'local', credits: 1, kind: 'pack', at }),
  ledger.balance('local'),
  ledger.usage('local', { limit: 1 }),
];

/** Every operation rejects with this fault; its message names no statement and no place in the code. */
async function everyOperationFails(file: string, fault: StorageFault, message: RegExp): Promise<void> {
  const ledger = openLedger(file, { clock: hasty });
  for (const one of operationsOf(ledger)) {
    await assert.rejects(one, (error: unknown) => {
      faultOf(fault, message)(error);
      assert.ok(error instanceof StorageError && error.cause !== undefined);
      assert.doesNotMatch(error.message, /SQLITE|SELECT|\.ts|\n/);
      return true;
    });
  }
  await ledger.close();
}

describe('a disk that is full', () => {
  const fullAfter = async (pages: number) => {
    const file = newFile();
    await filled(file);
    const ledger = tampered(file, (db) => {
      db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + pages}`);
    });
    return { file, ledger };
  };

  test('refuses what it cannot write, says so, and stays consistent', async () => {
    const { file, ledger } = await fullAfter(2);
    const charged: string[] = [];
    for (let refused = false; !refused; ) {
      const id = `call-${charged.length}-${'x'.repeat(60)}`;
      await ledger.charge(chargeOf(id)).then(
        () => charged.push(id),
        (error: unknown) => {
          refused = faultOf('full', /disk .* full.*Free some space/)(error);
        },
      );
      assert.ok(charged.length < 1000);
    }
    assert.ok(charged.length > 0);
    assert.equal((await ledger.balance('local')).credits, 49_997 - 3 * charged.length);
    assertSound(file);
    await ledger.close();
  });

  test('refuses a complete group rather than write half of it', async () => {
    const { file, ledger } = await fullAfter(2);
    const tries = await Promise.allSettled(
      Array.from({ length: 400 }, (_, n) => ledger.charge(chargeOf(`call-${n}-${'x'.repeat(60)}`))),
    );
    const charged = tries.filter(({ status }) => status === 'fulfilled').length;
    assert.ok(charged < tries.length);
    for (const one of tries) {
      if (one.status === 'rejected') faultOf('full', /full/)(one.reason);
    }
    assert.equal((await ledger.balance('local')).credits, 49_997 - 3 * charged);
    assertSound(file);
    await ledger.close();
  });

  test('continues once there is space again', async () => {
    const { file, ledger } = await fullAfter(0);
    const big = chargeOf('big', { endpoint: 'x'.repeat(20_000) });
    await assert.rejects(ledger.charge(big), faultOf('full', /full/));
    await ledger.close();
    const roomy = openLedger(file, { clock: hasty });
    await roomy.charge(big);
    assert.equal(await roomy.settle('big', { status: 'ok', cached: false }), 49_994);
    assertSound(file);
    await roomy.close();
  });
});

describe('a file that cannot be used', () => {
  test('a directory in its place', async () => {
    const file = newFile();
    mkdirSync(file);
    await everyOperationFails(file, 'unwritable', /cannot be opened for writing.*permissions/);
  });

  test('a file where its directory should be', async () => {
    const file = newFile();
    writeFileSync(file, '');
    await everyOperationFails(path.join(file, 'ledger.db'), 'unwritable', /cannot be opened for writing/);
  });

  test('another kind of file is left unchanged', async () => {
    const file = newFile();
    writeFileSync(file, 'Shopping list: bread, butter, a pound of nails.\n'.repeat(100));
    const before = readFileSync(file);
    await everyOperationFails(file, 'damaged', /damaged or is not a ledger/);
    assert.deepEqual(readFileSync(file), before);
  });

  test('a ledger with a torn page', async () => {
    const file = newFile();
    await filled(file);
    const bytes = readFileSync(file);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
    await everyOperationFails(file, 'damaged', /damaged/);
  });

  test('a ledger that was cut off', async () => {
    const file = newFile();
    await filled(file);
    truncateSync(file, statSync(file).size - 4096 * 3);
    await everyOperationFails(file, 'damaged', /damaged/);
  });

  test('a ledger of a later version', async () => {
    const file = newFile();
    await filled(file);
    inspect(file, (db) => db.pragma('user_version = 99'));
    const ledger = openLedger(file, { clock: hasty });
    await assert.rejects(ledger.balance('local'), refusal('internal_error', /later version/));
    await ledger.close();
    assert.equal(
      inspect(file, (db) => db.pragma('user_version', { simple: true })),
      99,
    );
  });

  test('is used as soon as it has been put right', async () => {
    const file = newFile();
    await filled(file);
    const backup = newFile();
    copyFileSync(file, backup);
    writeFileSync(file, 'no ledger');
    const ledger = openLedger(file, { clock: hasty });
    await assert.rejects(ledger.balance('local'), refusal('internal_error'));
    copyFileSync(backup, file);
    assert.equal((await ledger.balance('local')).credits, 49_997);
    await ledger.close();
  });

  for (const part of ['', '-wal', '-shm']) {
    test(`one that was moved while it is used${part === '' ? '' : `, or its ${part},`} is reported until it is back`, async () => {
      const file = newFile();
      await filled(file);
      const ledger = openLedger(file, { clock: hasty });
      await ledger.charge(chargeOf('a'));
      await ledger.checkWritable();
      const fault = faultOf('damaged', /was moved, removed or replaced.*Put it back/);
      renameSync(file + part, `${file}.moved`);
      await assert.rejects(ledger.checkWritable(), fault);
      copyFileSync(`${file}.moved`, file + part);
      await assert.rejects(ledger.checkWritable(), fault);
      renameSync(`${file}.moved`, file + part);
      await ledger.checkWritable();
      await ledger.close();
      assertSound(file);
    });
  }

  test('one that may only be read tells balance and usage, and refuses to charge', async () => {
    const file = newFile();
    await filled(file);
    const ledger = tampered(file, (db) => db.pragma('query_only = 1'));
    await assert.rejects(ledger.charge(chargeOf('a')), faultOf('unwritable', /permissions/));
    await assert.rejects(ledger.checkWritable(), faultOf('unwritable', /permissions/));
    assert.equal((await ledger.balance('local')).credits, 49_997);
    assert.equal((await ledger.usage('local', { limit: 5 })).rows.length, 1);
    await ledger.close();
  });
});

describe('a full disk', () => {
  test('is noticed before the first entry that does not fit', async () => {
    const file = newFile();
    let free = 1024 * 1024;
    const ledger = new SqliteLedger(
      () => openDatabase(file, hasty),
      hasty,
      () => free,
    );
    await ledger.checkWritable();
    free = 100 * 1024;
    await assert.rejects(ledger.checkWritable(), faultOf('full', /disk of the credit ledger is full/));
    free = 1024 * 1024;
    await ledger.checkWritable();
    await ledger.close();
  });
});

describe('a disk that fails', () => {
  test('rejects what was to be written, and names the fault', async () => {
    const file = newFile();
    await filled(file);
    const ledger = tampered(file, (db) => {
      const broken = () => {
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
      };
      db.function('fails', broken);
      db.exec('CREATE TEMP TRIGGER broken BEFORE INSERT ON main.usage BEGIN SELECT fails(); END');
    });
    await assert.rejects(ledger.charge(chargeOf('a')), faultOf('unreadable', /disk failed/));
    await assert.rejects(ledger.pay(chargeOf('b')), faultOf('unreadable', /disk failed/));
    assert.equal((await ledger.balance('local')).credits, 49_997);
    await ledger.close();
    assertSound(file);
  });
});

describe('a file that another program keeps locked', () => {
  const lock = (file: string) => {
    const db = new Sqlite(file);
    db.exec('BEGIN IMMEDIATE');
    return db;
  };

  test('times out: all waiting calls are refused, nothing is charged', async () => {
    const file = newFile();
    await filled(file);
    const other = lock(file);
    const ledger = openLedger(file, { clock: hasty });
    const tries = ['a', 'b', 'c'].map((id) => ledger.charge(chargeOf(id)));
    for (const one of tries) await assert.rejects(one, faultOf('locked', /locked/));
    assert.equal((await ledger.balance('local')).credits, 49_997);
    other.exec('ROLLBACK');
    other.close();
    await ledger.charge(chargeOf('a'));
    await ledger.close();
    assertSound(file);
  });

  test('is waited for without holding up the process', async () => {
    const file = newFile();
    await filled(file);
    const other = lock(file);
    let waits = 0;
    const patient: Clock = {
      ...hasty,
      // The lock goes during the third wait: what runs here could not run if the process stood still.
      async sleep() {
        if (++waits === 3) other.exec('ROLLBACK');
      },
    };
    const ledger = openLedger(file, { clock: patient });
    await ledger.charge(chargeOf('a'));
    assert.equal(waits, 3);
    await ledger.close();
    other.close();
  });

  test('is waited for when it is new, too', async () => {
    const file = newFile();
    const other = lock(file);
    let waits = 0;
    const clock: Clock = {
      ...hasty,
      async sleep() {
        if (++waits === 2) other.exec('ROLLBACK');
      },
    };
    const ledger = openLedger(file, { clock });
    assert.equal((await ledger.balance('local')).credits, 50_000);
    await ledger.close();
    other.close();
  });
});
