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
import { assertSound, inspect } from './books.js';
import { newFile as nextFile } from './ledger-file.js';
import { at, chargeOf, refusal } from './ledger-port.js';

/** The name of a file that does not exist yet, in a folder that does. */
function newFile(): string {
  const file = nextFile();
  mkdirSync(path.dirname(file));
  return file;
}
/** A clock on which every wait ends immediately. */
const hasty: Clock = { now: () => Date.parse(at), sleep: async () => {}, alarm: () => () => {} };

async function filled(file = newFile()): Promise<string> {
  const ledger = openLedger(file, { clock: hasty });
  await ledger.charge(chargeOf('kept'));
  await ledger.settle('kept', { status: 'ok', cached: false });
  await ledger.close();
  return file;
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
    const file = await filled();
    const ledger = tampered(file, (db) => {
      db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + pages}`);
    });
    return { file, ledger };
  };

  test('refuses a charge that it cannot write, and keeps the books consistent', async () => {
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

  test('charges again after space was freed', async () => {
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

test('a full disk is noticed before the first entry that does not fit', async () => {
  const file = newFile();
  const open = () => openDatabase(file, hasty);
  let free = 1024 * 1024;
  const ledger = new SqliteLedger(open, hasty, () => free);
  await ledger.checkWritable();
  free = 100 * 1024;
  await assert.rejects(ledger.checkWritable(), faultOf('full', /disk of the credit ledger is full/));
  free = 1024 * 1024;
  await ledger.checkWritable();
  await ledger.close();
});

describe('a file that cannot be used', () => {
  const otherText = 'Shopping list: bread, butter, a pound of nails.\n'.repeat(100);

  const unwritable = ['unwritable', /cannot be opened for writing.*permissions/] as const;
  for (const [name, spoil, [fault, message]] of [
    ['a directory', (file: string) => mkdirSync(file), unwritable],
    [
      'another kind of file',
      (file: string) => writeFileSync(file, otherText),
      ['damaged', /damaged or is not a ledger/],
    ],
    [
      'a ledger with a torn page',
      async (file: string) => {
        const bytes = readFileSync(await filled(file));
        writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
      },
      ['damaged', /damaged/],
    ],
    [
      'a ledger that was cut off',
      async (file: string) => truncateSync(await filled(file), statSync(file).size - 4096 * 3),
      ['damaged', /damaged/],
    ],
  ] as const) {
    test(`${name} fails every operation, and is left unchanged`, async () => {
      const file = newFile();
      await spoil(file);
      const bytes = () => (statSync(file).isFile() ? readFileSync(file) : null);
      const before = bytes();
      await everyOperationFails(file, fault, message);
      assert.deepEqual(bytes(), before);
    });
  }

  test('a file instead of its directory fails every operation', async () => {
    const file = newFile();
    writeFileSync(file, '');
    await everyOperationFails(path.join(file, 'ledger.db'), 'unwritable', /cannot be opened for writing/);
  });

  test('a ledger of a later version is refused and left unchanged', async () => {
    const file = await filled();
    inspect(file, (db) => db.pragma('user_version = 99'));
    const ledger = openLedger(file, { clock: hasty });
    await assert.rejects(ledger.balance('local'), refusal('internal_error', /later version/));
    await ledger.close();
    const version = inspect(file, (db) => db.pragma('user_version', { simple: true }));
    assert.equal(version, 99);
  });

  test('is used as soon as it is repaired', async () => {
    const file = await filled();
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
    test(`a ledger whose ${part || 'file'} was moved is reported until it is back`, async () => {
      const file = await filled();
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

  test('a read-only ledger shows balance and usage, and refuses to charge', async () => {
    const file = await filled();
    const ledger = tampered(file, (db) => db.pragma('query_only = 1'));
    await assert.rejects(ledger.charge(chargeOf('a')), faultOf('unwritable', /permissions/));
    await assert.rejects(ledger.checkWritable(), faultOf('unwritable', /permissions/));
    assert.equal((await ledger.balance('local')).credits, 49_997);
    assert.equal((await ledger.usage('local', { limit: 5 })).rows.length, 1);
    await ledger.close();
  });
});

test('a disk that fails rejects the charge, and the fault is named', async () => {
  const file = await filled();
  const ledger = tampered(file, (db) => {
    db.function('fails', () => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' });
    });
    db.exec('CREATE TEMP TRIGGER broken BEFORE INSERT ON main.usage BEGIN SELECT fails(); END');
  });
  await assert.rejects(ledger.charge(chargeOf('a')), faultOf('unreadable', /disk failed/));
  await assert.rejects(ledger.pay(chargeOf('b')), faultOf('unreadable', /disk failed/));
  assert.equal((await ledger.balance('local')).credits, 49_997);
  await ledger.close();
  assertSound(file);
});

describe('a file that another program keeps locked', () => {
  const lock = (file: string) => {
    const db = new Sqlite(file);
    db.exec('BEGIN IMMEDIATE');
    return db;
  };

  test('times out: all waiting calls are refused and charged nothing', async () => {
    const file = await filled();
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

  for (const [name, isNew, waitsFor] of [
    ['is waited for while the process works on', false, 3],
    ['is waited for when the file is new', true, 2],
  ] as const) {
    test(name, async () => {
      const file = isNew ? newFile() : await filled();
      const other = lock(file);
      let waits = 0;
      const clock: Clock = {
        ...hasty,
        // The lock goes during a wait: what runs here could not run if the process stood still.
        async sleep() {
          if (++waits === waitsFor) other.exec('ROLLBACK');
        },
      };
      const ledger = openLedger(file, { clock });
      await ledger.charge(chargeOf('a'));
      assert.equal(waits, waitsFor);
      await ledger.close();
      other.close();
    });
  }
});
