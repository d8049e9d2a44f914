import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { contentKey } from '../../../src/files/result-files/content-key.js';
import { itemKey } from '../../../src/files/result-files/item-key.js';
import { endpointTables, type TablePlan } from '../../../src/files/result-files/sqlite/table-plan.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answersOf, type ExpectedLine, endpointOf, type Item, itemsOf, writeAnswers } from './harness.js';

const folder = temporaryFolder();

const countOf = (file: string, table: string) => queryFile(file, `SELECT count(*) AS n FROM ${table}`)[0]?.n;

/** How many entries the lists at a path have in all items; null lists have none. */
function entriesAt(items: readonly unknown[], way: readonly string[]): unknown[] {
  return items.flatMap((item) => {
    const list = way.reduce<unknown>((value, name) => (value as Item | null)?.[name] ?? null, item);
    return Array.isArray(list) ? list : [];
  });
}

function checkLists(file: string, plan: TablePlan, items: readonly unknown[]): void {
  for (const { path: way, table } of plan.lists) {
    const entries = entriesAt(items, way);
    assert.equal(countOf(file, table.name), entries.length, table.name);
    checkLists(file, table, entries);
  }
}

describe('SQLite, read by Node’s own', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: a row an item, a table a nested list, the errors apart`, async () => {
      const answers = await answersOf(endpoint);
      const file = path.join(folder, `${endpoint.name}.sqlite`);
      await writeAnswers(endpoint, 'sqlite', file, answers);

      const { items: plan } = endpointTables({ endpoint });
      const key = itemKey(endpoint);
      const items = itemsOf(endpoint, answers);
      // A repeated item is stored once, in its last version.
      // An object without an ID is identified by its input.
      const idOf = (item: Item, at: number) =>
        key !== null ? item[key] : endpoint.many ? contentKey(item) : at;
      const once = [...new Map(items.map((item, at) => [idOf(item, at), item])).values()];
      const rows = queryFile(file, `SELECT * FROM ${plan.name}`);
      assert.equal(rows.length, once.length);
      for (const [name, value] of Object.entries(once[0] ?? {})) {
        if (value !== null && typeof value === 'object') continue;
        const expected = typeof value === 'boolean' ? Number(value) : value;
        const row = key === null ? rows[0] : rows.find((one) => one[key] === once[0]?.[key]);
        // An object that is null has null in each of its columns.
        if (value === null && row !== undefined && !(name in row)) continue;
        assert.equal(row?.[name], expected, name);
      }
      checkLists(file, plan, once);
      assert.deepEqual(queryFile(file, 'SELECT endpoint, input, code FROM extract_errors'), [
        { endpoint: endpoint.path, input: '{"nothing":"=1+1"}', code: 'place_not_found' },
      ]);
      assert.equal(queryFile(file, 'SELECT * FROM extract_runs')[0]?.items, items.length);
      assert.equal(existsSync(`${file}.new`), false);
    });
  }

  test('every object is identified by one of its fields that is never null, or by its input', () => {
    for (const endpoint of endpoints) {
      const key = itemKey(endpoint);
      if (key === null) continue;
      const shape = (
        endpoint.returns as unknown as {
          shape: Record<string, { safeParse(value: unknown): { success: boolean } }>;
        }
      ).shape;
      assert.equal(shape[key]?.safeParse(null).success, false, `${endpoint.path}: ${key}`);
    }
  });
});

describe('a database that is added to', () => {
  const profile = endpointOf('photosocial/profile');
  const reviews = endpointOf('maps/reviews');

  test('has each item once, as of its last answer, with the lists of that answer', async () => {
    const file = path.join(folder, 'added.sqlite');
    const [first] = await answersOf(profile);
    const before: Item = { ...(first?.data as Item), bio_links: [{ title: 'a', url: 'https://a.example' }] };
    const after = { ...before, followers_count: 7, bio_links: [] };
    const input = { username: 'somebody' };
    await writeAnswers(profile, 'sqlite', file, [
      { input, data: before },
      { input: { username: 'gone' }, error: { code: 'profile_not_found', message: 'None.' } },
    ]);
    assert.equal(countOf(file, 'photosocial_profile_bio_links'), 1);
    const again = [
      { input, data: after },
      { input: { username: 'gone' }, data: { ...after, username: 'gone' } },
    ];
    await writeAnswers(profile, 'sqlite', file, again, { append: true, id: 'run_2' });
    const rows = queryFile(file, 'SELECT username, followers_count FROM photosocial_profile ORDER BY 1');
    const names = ['gone', before.username].sort();
    assert.deepEqual(
      rows,
      names.map((username) => ({ username, followers_count: 7 })),
    );
    assert.equal(countOf(file, 'photosocial_profile_bio_links'), 0);
    assert.equal(countOf(file, 'extract_errors'), 0, 'an input that was answered has no error any more');
    assert.equal(countOf(file, 'extract_runs'), 2);
  });

  const sourceOf = (id: string | null, position: number): ItemSource => ({
    ...{ id, url: null, author: null, position },
    fetched_at: '2026-11-22T00:00:00.000Z',
    route: null,
  });

  test('loses nothing when a later run adds only new items: reviews are identified by ID', async () => {
    const file = path.join(folder, 'several.sqlite');
    const [answer] = await answersOf(reviews);
    const list = answer?.data as Item[];
    const added = { append: true, sources: true };
    await writeAnswers(profile, 'sqlite', file, await answersOf(profile));
    const first = { input: { place_id: 'a' }, data: list.slice(0, 3) };
    const sources = ['r1', 'r2', 'r3'].map((id, at) => sourceOf(id, at + 1));
    await writeAnswers(reviews, 'sqlite', file, [{ ...first, sources }], added);
    const newer = [sourceOf('r5', 1), sourceOf('r4', 2)];
    const line = { input: { place_id: 'a' }, data: list.slice(3, 5), sources: newer };
    await writeAnswers(reviews, 'sqlite', file, [line], { ...added, id: 'run_2' });
    assert.deepEqual(queryFile(file, 'SELECT item, source_id FROM maps_reviews ORDER BY 1'), [
      ...['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => ({ item: id, source_id: id })),
    ]);
    assert.ok(Number(countOf(file, 'photosocial_profile')) > 0);
  });

  test('identifies items without ids by content, and has each once', async () => {
    const file = path.join(folder, 'content.sqlite');
    const [answer] = await answersOf(reviews);
    const [one, two] = (answer as ExpectedLine).data as [Item, Item];
    const input = { place_id: 'a' };
    await writeAnswers(reviews, 'sqlite', file, [{ input, data: [one] }]);
    await writeAnswers(reviews, 'sqlite', file, [{ input, data: [two, one] }], { append: true, id: 'run_2' });
    assert.equal(countOf(file, 'maps_reviews'), 2);
  });

  test('remembers every input that showed an item, and where', async () => {
    const file = path.join(folder, 'seen.sqlite');
    const places = endpointOf('maps/places');
    const [answer] = await answersOf(places);
    const data = ((answer as ExpectedLine).data as Item[]).slice(0, 1);
    const id = String(data[0]?.place_id);
    const answers = [
      { input: { query: 'tea', lat: 1 }, data, sources: [sourceOf(id, 4)] },
      { input: { query: 'tea', lat: 2 }, data, sources: [sourceOf(id, 1)] },
    ];
    await writeAnswers(places, 'sqlite', file, answers, { sources: true });
    const second = { append: true, sources: true, id: 'run_2' };
    await writeAnswers(places, 'sqlite', file, answers.slice(0, 1), second);
    assert.equal(countOf(file, 'maps_places'), 1);
    assert.deepEqual(queryFile(file, 'SELECT item, input, position, run FROM seen ORDER BY run, position'), [
      { item: id, input: '{"query":"tea","lat":2}', position: 1, run: 'run_1' },
      { item: id, input: '{"query":"tea","lat":1}', position: 4, run: 'run_1' },
      { item: id, input: '{"query":"tea","lat":1}', position: 4, run: 'run_2' },
    ]);
  });

  test('keeps the rows of a file of 0.1.0, whose key was the input', async () => {
    const file = path.join(folder, 'keyed-by-input.sqlite');
    const db = new DatabaseSync(file);
    db.exec(`CREATE TABLE maps_reviews (input TEXT NOT NULL, position INTEGER NOT NULL, rating REAL, text TEXT,
      PRIMARY KEY (input, position)) STRICT;
      CREATE TABLE maps_reviews_photos (input TEXT NOT NULL, maps_reviews_position INTEGER NOT NULL,
      position INTEGER NOT NULL, url TEXT, PRIMARY KEY (input, maps_reviews_position, position)) STRICT;
      INSERT INTO maps_reviews VALUES ('{"place_id":"a"}', 0, 5, 'old'), ('{"place_id":"a"}', 1, 4, 'older');
      INSERT INTO maps_reviews_photos VALUES ('{"place_id":"a"}', 1, 0, 'https://p.example');`);
    db.close();
    await writeAnswers(reviews, 'sqlite', file, await answersOf(reviews), { append: true, sources: true });
    const old = 'FROM maps_reviews r LEFT JOIN maps_reviews_photos p USING (item)';
    const select = 'SELECT r.text, r.position, p.position AS photo, p.url';
    assert.deepEqual(queryFile(file, `${select} ${old} WHERE r.text LIKE 'old%' ORDER BY 2`), [
      { text: 'old', position: 1, photo: null, url: null },
      { text: 'older', position: 2, photo: 0, url: 'https://p.example' },
    ]);
  });

  test('gets missing columns, and keeps foreign ones', async () => {
    const file = path.join(folder, 'older.sqlite');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE photosocial_profile (username TEXT NOT NULL PRIMARY KEY, note TEXT) STRICT');
    db.exec("INSERT INTO photosocial_profile VALUES ('mine', 'keep')");
    db.close();
    await writeAnswers(profile, 'sqlite', file, await answersOf(profile), { append: true });
    const query = "SELECT note, followers_count FROM photosocial_profile WHERE username = 'mine'";
    const rows = queryFile(file, query);
    assert.deepEqual(rows, [{ note: 'keep', followers_count: null }]);
  });

  test('is complete or absent if the first run that adds to it fails halfway', async () => {
    const file = path.join(folder, 'first.sqlite');
    const broken = [...(await answersOf(profile)), { input: {}, data: { username: null } }];
    await assert.rejects(writeAnswers(profile, 'sqlite', file, broken, { append: true }), ExtractError);
    assert.equal(existsSync(file), false);
  });

  test('is unchanged by a run that fails in the middle, and by an invalid file', async () => {
    const file = path.join(folder, 'torn.sqlite');
    await writeAnswers(profile, 'sqlite', file, await answersOf(profile));
    const before = queryFile(file, 'SELECT * FROM photosocial_profile');
    const broken = [...(await answersOf(profile)), { input: {}, data: { username: null } }];
    const writing = writeAnswers(profile, 'sqlite', file, broken, { append: true, id: 'run_9' });
    await assert.rejects(writing, ExtractError);
    assert.deepEqual(queryFile(file, 'SELECT * FROM photosocial_profile'), before);
    assert.equal(countOf(file, 'extract_runs'), 1);

    const none = path.join(folder, 'none.sqlite');
    writeFileSync(none, 'This is a letter, and no database at all.'.repeat(50));
    await assert.rejects(
      writeAnswers(profile, 'sqlite', none, [], { append: true }),
      (error) => error instanceof ExtractError && /not an SQLite database/.test(error.message),
    );
    assert.match(readFileSync(none, 'utf8'), /^This is a letter/);
  });
});
