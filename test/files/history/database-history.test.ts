import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Database } from '../../../lib/database/database.js';
import type { Queries } from '../../../lib/database/queries.js';
import { DatabaseMemory, endScope } from '../../../src/lines/memory/database-memory.js';
import type { Change, ChangePage, ChangeQuery } from '../../../src/lines/memory/history.js';
import { memorySchema } from '../../../src/lines/memory/memory-schema.js';
import type { Observation } from '../../../src/lines/memory/observation.js';
import { databaseKinds } from '../../support/databases.js';
import { FakeClock } from '../../support/fake-clock.js';
import { anAccount, aPostList, day, minute } from './observations.js';

const texts = (changes: readonly Change[]) =>
  changes.map(({ event, id, field, before: from, after }) =>
    event === 'changed' ? `${id} ${field} ${from}→${after}` : `${id} ${event}`,
  );

for (const { name, skip, make } of databaseKinds) {
  describe(`a history in ${name}`, { skip }, () => {
    let database: Database;
    let history: DatabaseMemory;
    let clock: FakeClock;
    let scopes = 0;
    const scope = () => `scope-${++scopes}`;
    /** Records readings in a history, and returns the moves as texts. */
    const record = async (list: string, run: string, ...readings: readonly Observation[]) =>
      texts(await history.record(list, run, readings));
    const changesOf = async (list: string, query?: ChangeQuery) =>
      (await history.reader(list).changes(query)).changes;
    before(async () => {
      clock = new FakeClock();
      database = await (await make(memorySchema))();
      history = new DatabaseMemory(database, clock);
    });

    test('a change of an account is reported once, and the object is current', async () => {
      const list = scope();
      const first = anAccount('mira', { followers_count: 100 });
      assert.deepEqual(await record(list, 'run-1', first), ['mira first']);
      // Special characters stay unchanged.
      const biography = 'Café 東 🏝 \0 "quoted" \\u0000';
      const second = anAccount('mira', { followers_count: 113, biography }, { at: day });
      const moves = [`mira biography null→${biography}`, 'mira followers_count 100→113'];
      assert.deepEqual(await record(list, 'run-2', second), moves);
      // A run that was killed observes again.
      assert.deepEqual(await record(list, 'run-2', second), []);
      const { changes, next } = await history.reader(list).changes({ items: true });
      assert.equal(next, null);
      assert.deepEqual(texts(changes), ['mira first', ...moves]);
      const { run, fetched_at, subject, item } = changes.at(-1) ?? assert.fail();
      assert.deepEqual([run, fetched_at, subject], ['run-2', '2026-01-02T00:00:00.000Z', 'mira']);
      assert.deepEqual([item?.followers_count, item?.biography], [113, biography]);
    });

    test('items of a list are first, new, removed and returned', async () => {
      const list = scope();
      const run = (number: number, ids: readonly string[], more = {}) =>
        record(list, `run-${number}`, aPostList('mira', ids, { at: number * day, ...more }));
      assert.deepEqual(await run(1, ['b', 'a'], { isWhole: true }), ['b first', 'a first']);
      assert.deepEqual(await run(2, ['c', 'b', 'a'], { isWhole: true }), ['c new']);
      // What was not read to its end proves nothing.
      assert.deepEqual(await run(3, ['c', 'a']), []);
      assert.deepEqual(await run(4, ['c', 'a'], { isWhole: true }), ['b removed']);
      assert.deepEqual(await run(5, ['c', 'a'], { isWhole: true }), []);
      assert.deepEqual(await run(6, ['c', 'b', 'a'], { isWhole: true }), ['b returned']);
      const [sizes] = await history.reader(list).sizes();
      assert.deepEqual([sizes?.subject, sizes?.points.at(-1)?.value], ['mira', 3]);
      const [subject] = await history.reader(list).subjects();
      assert.equal(subject?.label, 'mira');
      const query =
        'SELECT readings FROM history_subjects s JOIN history_scopes c ON c.scope = s.scope WHERE c.name = $1';
      const rows = await database.read((queries) => queries.rows(query, [list]));
      assert.deepEqual(rows, [{ readings: 6 }]);
    });

    test('changes come in pages, from a time on, of a field, and the newest first', async () => {
      const list = scope();
      for (let at = 0; at < 5; at += 1) {
        const counts = { followers_count: 100 + at, media_count: 10 + at };
        await record(list, `run-${at}`, anAccount('mira', counts, { at: at * day }));
        await clock.advance(day);
      }
      const all: string[] = [];
      let cursor: number | null = null;
      do {
        const page: ChangePage = await history.reader(list).changes({ cursor, limit: 4 });
        all.push(...texts(page.changes));
        cursor = page.next;
      } while (cursor !== null);
      assert.equal(all.length, 9);
      assert.equal(new Set(all).size, 9);
      const since = Date.parse('2026-01-04T00:00:00Z');
      const late = await changesOf(list, { since, field: 'media_count', newestFirst: true });
      assert.deepEqual(texts(late), ['mira media_count 13→14', 'mira media_count 12→13']);
      assert.deepEqual(texts(await changesOf(list, { events: ['first'] })), ['mira first']);
      for (const [at, like_count] of [5, 6].entries()) {
        const fields = { a: { like_count, caption: `At ${at}` } };
        await record(list, 'lists', aPostList('mira', ['a'], { at: at * day, fields }));
      }
      const quiet = await changesOf(list, { quiet: true, newestFirst: true, limit: 3 });
      assert.deepEqual(texts(quiet), ['a caption At 0→At 1', 'a first', 'mira media_count 13→14']);
      // Of the three, those above the last one.
      const after = quiet.at(-1)?.number ?? 0;
      const above = await changesOf(list, { quiet: true, newestFirst: true, after });
      assert.deepEqual(texts(above), ['a caption At 0→At 1', 'a first']);
      assert.deepEqual(await history.reader('nobody').changes(), { changes: [], next: null });
      assert.equal(await history.reader(list).origin(), 'run-0');
      assert.equal(await history.reader('nobody').origin(), null);
    });

    test('a series begins with the first value and ends when the last one was seen', async () => {
      const list = scope();
      const counts = [100, 100, 130, 130];
      for (const [at, followers_count] of counts.entries()) {
        const accounts = ['mira', 'tom'].map((one) => anAccount(one, { followers_count }, { at: at * day }));
        await record(list, `run-${at}`, ...accounts);
      }
      const subjects = await history.reader(list).subjects();
      const tom = subjects.find(({ label }) => label === 'tom')?.number ?? 0;
      const reader = history.reader(list);
      const [series, ...others] = await reader.series({ subjects: [tom], field: 'followers_count' });
      assert.deepEqual(others, []);
      assert.equal(series?.subject, 'tom');
      const rows = series?.points.map(({ at, value }) => [at.slice(5, 10), value]);
      assert.deepEqual(rows, [
        ['01-01', 100],
        ['01-03', 130],
        ['01-04', 130],
      ]);
      const late = await reader.series({ field: 'followers_count', since: Date.parse('2026-01-02') });
      const lateRows = late.map(({ subject, points }) => [subject, ...points.map(({ value }) => value)]);
      assert.deepEqual(lateRows, [
        ['mira', 100, 130, 130],
        ['tom', 100, 130, 130],
      ]);
      const fields = (await reader.series({ subjects: [tom] })).map(({ field }) => field);
      assert.ok(fields.includes('followers_count') && !fields.includes('biography'));
      assert.deepEqual(await reader.series({ field: 'constructor' }), []);
    });

    test('concurrent readings are all recorded, and scopes are separate', async () => {
      const scopes = [scope(), scope()];
      const recordAll = (at: number) =>
        scopes.map((one) =>
          record(one, `run-${at}`, anAccount('mira', { followers_count: at }, { at: at * minute })),
        );
      const all = await Promise.all(Array.from({ length: 8 }, (_, at) => recordAll(at + 1)).flat());
      // In any order, a reading that differs from the previous one is a change.
      assert.equal(all.flat().length, 16);
      for (const one of scopes) {
        const changes = await changesOf(one);
        const numbers = changes.map(({ number }) => number);
        assert.equal(new Set(numbers).size, 8);
        for (let at = 2; at < changes.length; at += 1)
          assert.equal(changes[at]?.before, changes[at - 1]?.after);
      }
    });

    test('old changes are pruned, and a history is forgotten with all that is in it', async () => {
      const [first, other] = [scope(), scope()];
      const now = clock.now();
      for (let at = 0; at < 3; at += 1) {
        for (const one of [first, other])
          await record(one, `run-${at}`, anAccount('mira', { followers_count: at }, { at: at * day }));
        await clock.advance(day);
      }
      assert.ok((await history.prune(now + day)) >= 2);
      assert.equal((await changesOf(first)).length, 2);
      await database.transaction((queries) => endScope(queries, first));
      assert.deepEqual(await history.reader(first).subjects(), []);
      assert.deepEqual(await history.reader(first).series(), []);
      assert.equal((await changesOf(other)).length, 2);
      assert.deepEqual(await record(first, 'again', anAccount('mira', {})), ['mira first']);
      const rowsOf = async (table: string) =>
        (await database.read((queries) => queries.rows(`SELECT 1 FROM history_${table}`))).length;
      const tables = ['changes', 'appearances', 'objects', 'subjects', 'runs', 'scopes'];
      const before = await Promise.all(tables.map(rowsOf));
      await history.removeEnded();
      const after = await Promise.all(tables.map(rowsOf));
      const removals = before.map((count, at) => count - (after[at] ?? 0));
      assert.deepEqual(removals, [2, 1, 1, 1, 3, 1]);
    });

    test('a history that has ended is removed in statements of a few hundred rows', async () => {
      const list = scope();
      const ids = Array.from({ length: 1200 }, (_, at) => `post-${at}`);
      await record(list, 'run-1', aPostList('mira', ids));
      await database.transaction((queries) => endScope(queries, list));
      const deleted: number[] = [];
      const counted: Database = {
        ...{ dialect: database.dialect, isRemote: database.isRemote },
        read: (work) => database.read(work),
        transaction: (work) => database.transaction(work),
        write: (work) =>
          database.write(async (queries) => {
            const run: Queries['run'] = async (text, values) => {
              const count = await queries.run(text, values);
              deleted.push(count);
              return count;
            };
            return work({ ...queries, run });
          }),
      };
      await new DatabaseMemory(counted, clock).removeEnded();
      assert.ok(Math.max(...deleted) <= 500, String(deleted));
      const all = deleted.reduce((sum, count) => sum + count, 0);
      assert.ok(all >= 3 * ids.length, String(all));
      const orphans =
        'SELECT 1 FROM history_appearances WHERE scope NOT IN (SELECT scope FROM history_scopes)';
      assert.deepEqual(await database.read((queries) => queries.rows(orphans)), []);
    });
  });
}
