import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { openLedger } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { inspect } from '../../ledger/books.js';
import { freePort } from '../../support/free-port.js';
import { seededHome } from '../../support/seeded-home.js';
import { serveHome } from '../../support/serve-home.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const starting = (home: string, port = 0) => serveHome(home, { server: { port }, drainMs: 50 });

/** A copy of files in use, as a backup takes it: the log holds what the file has not. */
async function copyInUse(): Promise<string> {
  const seeded = await seededHome();
  const home = temporaryFolder();
  const ledger = openLedger(path.join(seeded.home, 'ledger.db'));
  const gift = { account: 'local', credits: 5, kind: 'pack', at: '2026-01-01T00:00:00.000Z' } as const;
  await ledger.grant({ id: 'g', ...gift });
  cpSync(seeded.home, home, { recursive: true });
  await ledger.close();
  return home;
}

const damaged = (words: RegExp) => (error: unknown) =>
  error instanceof StorageError &&
  error.fault === 'damaged' &&
  words.test(error.message) &&
  /ledger\.db/.test(error.message) &&
  /backup/.test(error.message);

describe('a server that starts over a damaged ledger', () => {
  test('refuses one whose pages are spoilt where nothing looks at first', async () => {
    const { home } = await seededHome();
    const file = path.join(home, 'ledger.db');
    const root = inspect(file, (db) => {
      db.pragma('wal_checkpoint(TRUNCATE)');
      return db
        .prepare<[], number>(`SELECT rootpage FROM sqlite_master WHERE name = 'usage_of_job'`)
        .pluck()
        .get();
    });
    const bytes = readFileSync(file);
    bytes.fill(0x5a, ((root ?? 0) - 1) * 4096, (root ?? 0) * 4096);
    writeFileSync(file, bytes);
    await assert.rejects(starting(home), damaged(/damaged/));
  });

  test('refuses one whose books do not add up', async () => {
    const { home } = await seededHome();
    inspect(path.join(home, 'ledger.db'), (db) =>
      db.exec(`UPDATE balances SET balance = balance + 7 WHERE id <> 'local'`),
    );
    await assert.rejects(starting(home), damaged(/does not add up.*1000007.*1000000/));
  });

  test('refuses one that can be read and not written, and does not listen', async () => {
    const home = await copyInUse();
    // SQLite can read with such an index of the log, but never write.
    rmSync(path.join(home, 'ledger.db-shm'));
    mkdirSync(path.join(home, 'ledger.db-shm'));
    const port = await freePort();
    await assert.rejects(starting(home, port), { fault: 'unwritable', message: /permissions/ });
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
  });

  for (const isMissing of [true, false]) {
    test(`refuses one that is ${isMissing ? 'missing' : 'empty'} next to its log, and leaves the log unchanged`, async () => {
      const home = await copyInUse();
      const file = path.join(home, 'ledger.db');
      const backup = path.join(home, 'whole.db');
      copyFileSync(file, backup);
      const log = readFileSync(`${file}-wal`);
      assert.ok(log.length > 0);
      if (isMissing) rmSync(file);
      else truncateSync(file);
      await assert.rejects(starting(home), damaged(/log ledger\.db-wal has entries/));
      assert.deepEqual(readFileSync(`${file}-wal`), log);
      assert.equal(existsSync(file) ? statSync(file).size : 0, 0);
      copyFileSync(backup, file);
      const db = new Sqlite(file);
      assert.equal(db.prepare(`SELECT count(*) FROM grants WHERE id = 'g'`).pluck().get(), 1);
      db.close();
    });
  }

  test('refuses an invalid cursor key before it listens', async () => {
    const { home } = await seededHome();
    writeFileSync(path.join(home, 'cursor.key'), 'no key');
    await assert.rejects(starting(home), /cursor\.key.*backup/);
  });
});
