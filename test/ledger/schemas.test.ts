import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { balanceOf } from '../../lib/ledger/balances.js';
import { chargePosting, makeEntries } from '../../lib/ledger/entries.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { assertSound, inspect } from './books.js';
import { newFile } from './ledger-file.js';
import { at, chargeOf, refusal } from './ledger-port.js';

const notes = {
  name: 'notes',
  tables: 'CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT',
};
const later = {
  name: 'notes',
  tables: 'CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL, colour TEXT) STRICT',
  steps: ['ALTER TABLE notes ADD COLUMN colour TEXT'],
};
const columns = (file: string) =>
  inspect(file, (db) => (db.pragma('table_info(notes)') as { name: string }[]).map(({ name }) => name));

describe('tables that a program keeps in the ledger’s file', () => {
  test('are made once and carried on step by step', async () => {
    const file = newFile();
    for (const schema of [notes, notes, later]) {
      const ledger = openLedger(file, { schemas: [schema] });
      await ledger.database();
      await ledger.close();
    }
    assert.deepEqual(columns(file), ['id', 'text', 'colour']);
  });

  test('of a later version are refused, with the file as it was', async () => {
    const file = newFile();
    const newer = openLedger(file, { schemas: [later] });
    await newer.database();
    await newer.close();
    const older = openLedger(file, { schemas: [notes] });
    await assert.rejects(older.database(), refusal('internal_error', /notes.*later version/));
    await older.close();
    assert.deepEqual(columns(file), ['id', 'text', 'colour']);
  });

  test('change in one transaction with the money, or not at all', async () => {
    const file = newFile();
    const ledger = openLedger(file, { schemas: [notes] });
    const { db, owner, stores } = await ledger.database();
    const note = db.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
    const reserve = (id: string, credits: number) =>
      stores.transaction(async (queries) => {
        note.run(id, 'reserved');
        const entries = [chargePosting(chargeOf(id, { credits }), owner)];
        const [charged] = await makeEntries(queries, entries, Date.parse(at));
        if (charged !== undefined && 'reason' in charged) throw charged.reason;
        return (await balanceOf(queries, 'local')).credits;
      });
    assert.equal(await reserve('a', 20_000), 30_000);
    await assert.rejects(reserve('b', 30_001), refusal('insufficient_credits'));
    await ledger.settle('a', { status: 'failed', code: 'internal_error' });
    await ledger.close();
    const ids = inspect(file, (db) => db.prepare('SELECT id FROM notes').pluck().all());
    assert.deepEqual(ids, ['a']);
    assertSound(file);
  });

  test('are written to the end before the ledger closes, and not after', async () => {
    const file = newFile();
    const ledger = openLedger(file, { schemas: [notes] });
    const { db, write } = await ledger.database();
    const note = db.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
    const writing = write(() => note.run('a', 'last words').changes);
    await ledger.close();
    assert.equal(await writing, 1);
    await assert.rejects(
      write(() => note.run('b', 'too late')),
      refusal('internal_error', /closed/),
    );
  });
});
