import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { parseAtomFeed } from 'feedsmith';
import { readXlsx } from 'hucre/xlsx';
import { XmlDocument } from 'libxml2-wasm';
import { timeOf } from '../../../src/faces/cli/history/subjects.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour, anAnswer, inventedRows, sourcesOf } from '../../support/invented-rows.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { newFiles } from '../../support/new-files.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(folder, name);

const newFile = newFiles(folder);
const inputs = (...all: readonly object[]) => newFile('ndjson', ndjsonText(all));

/** The platform on a day: the harbours of its list, and how many berths each has. */
interface Day {
  readonly day?: number;
  readonly berths?: number;
  readonly names?: readonly string[];
}

const run = (
  args: readonly string[],
  { day = 1, berths = 10, names = ['North', 'South'], ...surroundings }: Day & Surroundings = {},
) =>
  extract(args, {
    endpoints: inventedRows,
    extractor: {
      async answer({ many }, params) {
        const fetched_at = `2026-11-0${day}T00:00:00.000Z`;
        const listed = many ? names : [String(params.id)];
        const data = listed.map((name) => aHarbour({ name, berths }));
        const ids = listed.map((name) => `id-${name}`);
        const urlOf = (at: number) => `https://harbours.example/${listed[at]}`;
        const sources = sourcesOf(ids, (at) => ({ url: urlOf(at), fetched_at }));
        return anAnswer(many ? data : data[0], {
          sources: params.sources === true ? sources : undefined,
          coverage: aCoverage(),
          meta: { request_id: `req_${day}`, fetched_at },
        });
      },
    },
    ...surroundings,
  });

/** Runs a command that succeeds. */
const done = async (args: readonly string[], day?: Day & Surroundings) => assertExit(await run(args, day), 0);

/** A history of two objects over three days, and of a list that gains an item and loses one. */
async function readHistory(name: string): Promise<string> {
  const file = fileOf(name);
  const objects = inputs({ id: 'a' }, { id: 'b' });
  for (const day of [
    { day: 1, berths: 10, names: ['North', 'South'] },
    { day: 2, berths: 12, names: ['East', 'North', 'South'] },
    { day: 3, berths: 12, names: ['East', 'North'] },
  ]) {
    await done(argv`batch maps/harbour ${objects} --history ${file}`, day);
    await done(argv`maps harbours quay --history ${file}`, day);
  }
  return file;
}

describe('--history', () => {
  test('stores changes in the named database, and does not change the output', async () => {
    const file = fileOf('plain.sqlite');
    const batch = argv`batch maps/harbour ${inputs({ id: 'a' })}`;
    const plain = await run(batch);
    const first = await run(argv`${batch} --history ${file}`);
    assert.equal(first.out, plain.out);
    const later = { day: 2, berths: 11 };
    await run(argv`${batch} --history ${file}`, later);
    const call = await run(argv`maps harbour --id a --history ${file} --json`, later);
    assert.equal(JSON.parse(call.out).sources, undefined);
    const columns = 'object, subject, event, field, before, after, fetched_at';
    const changes = queryFile(file, `SELECT ${columns} FROM changes ORDER BY number`);
    assert.deepEqual(changes.map(Object.values), [
      ['maps_harbour', 'a', 'first', null, null, null, '2026-11-01T00:00:00.000Z'],
      ['maps_harbour', 'a', 'changed', 'berths', 10, 11, '2026-11-02T00:00:00.000Z'],
    ]);
    const [object] = queryFile(file, "SELECT id, url, fields ->> 'berths' AS berths, last_seen FROM objects");
    assert.deepEqual(object, {
      ...{ id: 'id-a', url: 'https://harbours.example/a', berths: 11, last_seen: '2026-11-02T00:00:00.000Z' },
    });
  });

  test('is the database that a command appends to, unless disabled', async () => {
    const input = inputs({ id: 'a' });
    const [own, without] = [fileOf('own.sqlite'), fileOf('without.sqlite')];
    for (const day of [1, 2]) {
      const platform = { day, berths: 10 + day };
      await done(argv`batch maps/harbour ${input} -o ${own} --append --overwrite`, platform);
      await done(argv`maps harbour --id a -o ${without} --append --no-history`, platform);
    }
    assert.equal(queryFile(own, "SELECT 1 FROM changes WHERE field = 'berths'").length, 1);
    assert.equal(queryFile(own, 'SELECT berths FROM maps_harbour')[0]?.berths, 12);
    assert.deepEqual(queryFile(without, "SELECT 1 FROM sqlite_master WHERE name = 'changes'"), []);
    await done(argv`maps harbour --id b -o ${own} --append`);
    assert.equal(queryFile(own, "SELECT 1 FROM changes WHERE subject = 'b'").length, 1);
  });

  test('is refused before any request if it is impossible', async () => {
    const text = fileOf('text.sqlite');
    writeFileSync(text, 'This is no database, and longer than the head of one. '.repeat(40));
    for (const [args, said] of [
      [['--history', fileOf('x.csv')], /a history is an SQLite database/],
      [argv`--history ${fileOf('y.sqlite')} -o ${fileOf('y.sqlite')}`, /add --append/],
      [['--history', text], /it is not an SQLite database/],
    ] as const)
      assertExit(await run(argv`batch maps/harbour ${inputs({ id: 'a' })} ${args}`), 2, said);
  });
});

describe('extract history', () => {
  test('shows a line a subject at a terminal, with its growth and its course', async () => {
    const file = await readHistory('table.sqlite');
    const { out } = await done(argv`history ${file} --no-color`, { stdoutColumns: 100 });
    const lines = out.split('\n').map((line) => line.trim().split(/\s{2,}/));
    assert.deepEqual(lines.slice(0, 4), [
      ['name', 'now', 'day', 'trend', 'field', 'since'],
      ['a', '12', '0', '▁▁▁▁▁▁▁▁████████', 'berths', '2026-11-01 00:00Z'],
      ['b', '12', '0', '▁▁▁▁▁▁▁▁████████', 'berths', '2026-11-01 00:00Z'],
      ['quay', '2', '-1', '▁▁▁▁▁▁▁▁███████▁', 'items', '2026-11-01 00:00Z'],
    ]);
  });

  test('writes the same to a pipe, as lines', async () => {
    const { out } = await run(['history', await readHistory('piped.sqlite')]);
    assert.equal(out.split('\n')[0], 'a\t12\t0\t\t▁▁▁▁▁▁▁▁████████\tberths\t2026-11-01T00:00:00.000Z');
  });

  test('returns each change with its old and new value to programs', async () => {
    const file = await readHistory('programs.sqlite');
    const csv = await run(argv`history ${file} a --format csv --field berths`);
    const rows = parse<Record<string, string>>(csv.out, { columns: true }).map(({ run: _, ...row }) => row);
    assert.deepEqual(rows.map(Object.entries), [
      Object.entries({
        ...{ fetched_at: '2026-11-02T00:00:00.000Z', endpoint: 'maps/harbour', subject: 'a' },
        ...{ object: 'maps_harbour', id: 'id-a', url: 'https://harbours.example/a', event: 'changed' },
        ...{ field: 'berths', before: '10', after: '12' },
      }),
    ]);
    const late = await run(argv`history ${file} --since 2026-11-03 --format ndjson`);
    const events = ndjsonValues(late.out).map(({ event }) => event);
    assert.deepEqual(events, ['removed']);
    assert.equal(JSON.parse((await run(argv`history ${file} --json`)).out).data.length, 10);
  });

  test('writes growth as a table, with the columns of the user’s own', async () => {
    const [file, input] = [fileOf('growing.sqlite'), fileOf('accounts.csv')];
    for (const day of [1, 2]) {
      writeFileSync(input, `id,campaign,fee\na,spring,${day}00\nb,,\n`);
      await done(argv`batch maps/harbour ${input} --history ${file}`, { day, berths: 10 * day });
    }
    const tableText = async (name: string) => {
      await done(argv`history ${file} -o ${fileOf(name)}`);
      return readFileSync(fileOf(name));
    };
    const rows = parse<Record<string, string>>(await tableText('growth.csv'), { columns: true });
    assert.deepEqual(
      rows.map((row) => [row.name, row.campaign, row.fee, row.first, row.now, row.growth, row.day]),
      [
        ['a', 'spring', '200', '10', '20', '10', '10'],
        ['b', '', '', '10', '20', '10', '10'],
      ],
    );
    const [sheet] = (await readXlsx(await tableText('growth.xlsx'))).sheets;
    const [head = [], first = []] = sheet?.rows ?? [];
    assert.deepEqual([first[head.indexOf('campaign')], first[head.indexOf('growth')]], ['spring', 10]);
    for (const name of ['growth.csv', 'growth.sqlite'])
      assertExit(await run(argv`history ${file} -o ${fileOf(name)}`), 2);
  });

  test('continues a history whose subjects had no columns of the user', async () => {
    const file = await readHistory('earlier.sqlite');
    const db = new Sqlite(file);
    db.exec('ALTER TABLE history_subjects DROP COLUMN own');
    db.exec("UPDATE schema_versions SET version = 1 WHERE name = 'history'");
    db.close();
    await done(argv`history ${file} -o ${fileOf('earlier.csv')}`);
  });

  test('draws one file that loads nothing', async () => {
    const file = await readHistory('plots.sqlite');
    for (const [name, args] of [
      ['all.html', []],
      ['one.svg', argv`a --field berths`],
    ] as const) {
      assert.equal((await done(argv`history ${file} ${args} --plot ${fileOf(name)}`)).out, '');
      const text = readFileSync(fileOf(name), 'utf8');
      assert.match(text, /<path d="M/);
      const own = text.replaceAll('http://www.w3.org/2000/svg', '');
      assert.doesNotMatch(own, /(src|href)=|url\(|@import|https?:/);
      if (name.endsWith('.svg')) XmlDocument.fromString(text).dispose();
    }
    assertExit(await run(argv`history ${file} --plot ${fileOf('one.svg')}`), 2, /--overwrite replaces it/);
  });

  test('explains an invalid name, time or file', async () => {
    const file = await readHistory('wrong.sqlite');
    for (const [args, said] of [
      [[file, 'quai'], /Did you mean quay\?/],
      [argv`${file} --since monday`, /36h, 7d, 4w/],
      [argv`${file} --plot x.png`, /\.svg or \.html/],
      [[fileOf('none.sqlite')], /has no history/],
      [[folder], /cannot be used: it is a folder, its folder does not exist/],
    ] as const)
      assertExit(await run(['history', ...args]), 2, said);
  });
});

describe('extract history feed', () => {
  test('has an entry for each item that moved, the newest first, with IDs that stay', async () => {
    const file = await readHistory('feed.sqlite');
    const ids = async (args: readonly string[] = []) => {
      const { entries = [] } = parseAtomFeed((await done(['feed', file, 'quay', ...args])).out);
      return entries.map(({ id, title, links }) => [id, title?.value, links?.[0]?.href]);
    };
    const all = await ids();
    assert.deepEqual(
      all.map(([, title]) => title),
      ['Removed: South', 'South: berths 10 → 12', 'North: berths 10 → 12', 'New: East', 'South', 'North'],
    );
    assert.equal(all[0]?.[2], 'https://harbours.example/South');
    assert.deepEqual(await ids(argv`--limit 2`), all.slice(0, 2));
    const output = fileOf('quay.json');
    await run(argv`feed ${file} quay -o ${output} --title Quays`);
    const json = JSON.parse(readFileSync(output, 'utf8'));
    const itemIds = json.items.map(({ id }: { id: string }) => id);
    assert.deepEqual([json.title, itemIds], ['Quays', all.map(([id]) => id)]);
  });
});

test('a time of --since without a zone is UTC, wherever the machine is', (t) => {
  const { TZ } = process.env;
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'Asia/Tokyo';
  for (const text of ['2026-11-01T06:00', '2026-11-01T06:00:00Z', '2026-11-01T07:00+01:00'])
    assert.equal(timeOf(text, 0), Date.UTC(2026, 10, 1, 6), text);
  assert.equal(timeOf('2026-11-01', 0), Date.UTC(2026, 10, 1));
  for (const wrong of ['2026-11-01 6 pm', '2026-13-01', '2026-11-01T25:00'])
    assert.throws(() => timeOf(wrong, 0), { code: 'invalid_parameter' }, wrong);
});
