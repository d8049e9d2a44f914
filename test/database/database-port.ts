import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../lib/database/database.js';
import type { Queries } from '../../lib/database/queries.js';
import type { TableSchema } from '../../lib/database/table-schema.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { StorageError } from '../../lib/errors/storage-error.js';

/** A table with a column of each type. */
export const notesSchema: TableSchema = {
  name: 'notes',
  tables: ({ id, text, integer, real, flag, bytes, end, unlogged }) => `
    CREATE TABLE notes (
      id ${id} PRIMARY KEY,
      body ${text},
      number ${integer} NOT NULL DEFAULT 0 CHECK (number >= 0),
      share ${real},
      done ${flag} NOT NULL DEFAULT false,
      digest ${bytes},
      added ${integer} NOT NULL DEFAULT 7
    ) ${end};
    CREATE ${unlogged} TABLE drafts (id ${id} PRIMARY KEY) ${end};
  `,
  steps: [({ integer }) => `ALTER TABLE notes ADD COLUMN added ${integer} NOT NULL DEFAULT 7;`],
};

const add = (queries: Queries, id: string, number = 0) =>
  queries.run('INSERT INTO notes (id, number) VALUES ($1, $2)', [id, number]);

async function ids(queries: Queries): Promise<string[]> {
  const rows = await queries.rows<{ readonly id: string }>('SELECT id FROM notes ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Tests that every database must pass. Its tables are those in `notesSchema`. */
export function databasePort(
  name: string,
  open: () => Promise<Database>,
  skip: string | false = false,
): void {
  describe(name, { skip }, () => {
    let database: Database;
    beforeEach(async () => {
      database = await open();
      await database.write((queries) => queries.run('DELETE FROM notes'));
    });
    const listed = () => database.read(ids);

    test('returns the stored value of each column type', async () => {
      const digest = Buffer.from([0, 1, 255]);
      await database.write((queries) =>
        queries.run(
          'INSERT INTO notes (id, body, number, share, done, digest) VALUES ($1, $2, $3, $4, $5, $6)',
          ['ä', null, Number.MAX_SAFE_INTEGER, 0.25, true, digest],
        ),
      );
      const row = await database.read((queries) =>
        queries.first<{ readonly done: unknown }>('SELECT * FROM notes'),
      );
      assert.deepEqual(
        { ...row, done: Boolean(row?.done) },
        {
          ...{ id: 'ä', body: null, number: Number.MAX_SAFE_INTEGER, share: 0.25 },
          ...{ done: true, digest, added: 7 },
        },
      );
    });

    test('returns the number of rows written, and the rows of a change', async () => {
      const result = await database.transaction(async (queries) => {
        await add(queries, 'a', 1);
        await add(queries, 'b', 2);
        const changed = await queries.run('UPDATE notes SET number = number + 1');
        const deleted = await queries.rows('DELETE FROM notes WHERE number > $1 RETURNING id, number', [2]);
        return {
          changed,
          deleted,
          missing: await queries.first('SELECT id FROM notes WHERE id = $1', ['c']),
        };
      });
      assert.deepEqual(result, { changed: 2, deleted: [{ id: 'b', number: 3 }], missing: undefined });
    });

    test('undoes a transaction that throws, with the error of its work', async () => {
      const refusal = new ExtractError('invalid_parameter', 'Not this one.');
      const work = database.transaction(async (queries) => {
        await add(queries, 'a');
        throw refusal;
      });
      await assert.rejects(work, refusal);
      assert.deepEqual(await listed(), []);
    });

    test('undoes of transactions at the same moment those alone that fail', async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          database.transaction(async (queries) => {
            await add(queries, `n${index % 10}`);
            await add(queries, `m${index}`, index === 5 ? -1 : 1);
          }),
        ),
      );
      assert.deepEqual(all.filter(({ status }) => status === 'rejected').length, 3);
      for (const one of all) assert.ok(one.status === 'fulfilled' || one.reason instanceof StorageError);
      assert.equal((await listed()).length, 18);
    });

    test('lets no read see a part of a transaction, between two of its statements either', async () => {
      const lists: string[][] = [];
      await database.transaction(async (queries) => {
        await add(queries, 'a');
        lists.push(await listed());
        await turn();
        await add(queries, 'b');
        lists.push(await listed());
      });
      assert.deepEqual(lists, [[], []]);
      assert.deepEqual(await listed(), ['a', 'b']);
    });

    test('reads its own writes in a transaction', async () => {
      const inside = await database.transaction(async (queries) => {
        await add(queries, 'a');
        return ids(queries);
      });
      assert.deepEqual(inside, ['a']);
    });

    test('lets transactions that take the same lock look and write one after the other', async () => {
      const count = (queries: Queries) =>
        queries.first<{ readonly count: number }>('SELECT count(*) AS count FROM notes');
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          database.transaction(async (queries) => {
            await queries.lock(7, 'notes');
            if ((await count(queries))?.count === 0) await add(queries, `n${index}`);
          }),
        ),
      );
      assert.equal((await listed()).length, 1);
    });

    test('lets transactions that lock the table look and write one after the other', async () => {
      await Promise.all(
        ['a', 'b', 'c'].map((id) =>
          database.transaction(async (queries) => {
            await queries.lockTable('notes');
            await queries.run('DELETE FROM notes');
            await add(queries, id);
          }),
        ),
      );
      assert.equal((await listed()).length, 1);
    });

    test('has the words of its dialect for lists, texts, records and locks', async () => {
      const { anyOf, position, greatest, records, forUpdate, forUpdateSkipLocked } = database.dialect;
      const rows = [
        { id: 'a', number: 1, done: true },
        { id: 'it’s "b"', number: 2, done: false },
        { id: 'c', number: 3, done: null },
      ];
      await database.transaction(async (queries) => {
        const columns = { id: 'text', number: 'integer', done: 'flag' } as const;
        const insert = (from: string) =>
          `INSERT INTO notes (id, number, done) SELECT id, number, coalesce(done, false) FROM ${from}`;
        await queries.run(insert(records('$1', columns)), [JSON.stringify(rows)]);
        await queries.run('DELETE FROM notes');
        assert.equal(await queries.runAll({ name: 'insert_notes', columns, text: insert }, rows), 3);
        for (const lock of [forUpdate, forUpdateSkipLocked]) {
          const rows = await queries.rows(
            `SELECT id FROM notes WHERE id ${anyOf('$1')} ORDER BY id ${lock}`,
            [['a', 'c', 'x']],
          );
          assert.deepEqual(rows, [{ id: 'a' }, { id: 'c' }]);
        }
        const matches = await queries.rows(
          `SELECT id, ${greatest('number', '$1')} AS number FROM notes WHERE ${position('id', '$2')} > 0`,
          [2, '"'],
        );
        assert.deepEqual(matches, [{ id: 'it’s "b"', number: 2 }]);
        assert.deepEqual(await queries.rows('SELECT id FROM notes WHERE done'), [{ id: 'a' }]);
      });
    });

    test('runs a statement over any number of rows', async () => {
      const columns = { id: 'text', number: 'integer' } as const;
      const insert = {
        ...{ name: 'insert_rows', columns },
        text: (records: string) => `INSERT INTO notes (id, number) SELECT id, number FROM ${records}`,
      };
      const add = {
        ...{ name: 'add_rows', columns },
        text: (records: string) =>
          `UPDATE notes SET number = notes.number + records.number FROM ${records} WHERE notes.id = records.id`,
      };
      for (const count of [1, 7, 8, 9, 100]) {
        const rows = Array.from({ length: count }, (_, number) => ({ id: `${number}`, number }));
        const doubled = await database.transaction(async (queries) => {
          await queries.run('DELETE FROM notes');
          assert.equal(await queries.runAll(insert, rows), count);
          assert.equal(await queries.runAll(add, rows), count);
          return queries.rows('SELECT id, number FROM notes ORDER BY number');
        });
        assert.deepEqual(
          doubled,
          rows.map(({ id, number }) => ({ id, number: 2 * number })),
        );
      }
    });

    test('reports a failing statement with its own fault', async () => {
      for (const work of [
        () => database.read((queries) => queries.rows('SELECT nothing FROM nowhere')),
        () => database.write((queries) => add(queries, 'a', -1)),
        () => database.transaction((queries) => queries.run('DELETE FROM nowhere')),
      ])
        await assert.rejects(work(), (fault) => fault instanceof StorageError && fault.cause !== undefined);
    });
  });
}
