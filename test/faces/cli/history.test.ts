import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { parseAtomFeed } from 'feedsmith';
import { readXlsx } from 'hucre/xlsx';
import { XmlDocument } from 'libxml2-wasm';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { timeOf } from '../../../src/faces/cli/history/subjects.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour, harbourMeta, inventedRows } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(folder, name);

/** Harbours that the test changes between two runs. */
class Harbours {
  names: readonly string[] = ['North', 'South'];
  berths = 10;
  day = 1;

  readonly extractor: Pick<CommandExtractor, 'answer'> = {
    answer: async ({ many }, params) => {
      const fetched_at = `2026-11-0${this.day}T00:00:00.000Z`;
      const names = many ? this.names : [String(params.id)];
      const data = names.map((name) => aHarbour({ name, berths: this.berths }));
      const sources = names.map((name, index) => ({
        ...{ id: `id-${name}`, url: `https://harbours.example/${name}`, author: null },
        ...{ position: index + 1, fetched_at },
      }));
      return {
        source: 'platform',
        json: JSON.stringify(many ? data : data[0]),
        ...(params.sources === true ? { sources: JSON.stringify(sources) } : {}),
        coverage: aCoverage(),
        meta: { ...harbourMeta, request_id: `req_${this.day}`, fetched_at },
      };
    },
  };
}

const run = (site: Harbours, args: readonly string[], surroundings: Surroundings = {}) =>
  extract(args, { endpoints: inventedRows, extractor: site.extractor, ...surroundings });

let writes = 0;
function inputs(...all: readonly object[]): string {
  writes += 1;
  const file = fileOf(`in-${writes}.ndjson`);
  writeFileSync(file, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return file;
}

/** A history of two objects over three days, and of a list that gains an item and loses one. */
async function readHistory(name: string): Promise<string> {
  const site = new Harbours();
  const file = fileOf(name);
  const objects = inputs({ id: 'a' }, { id: 'b' });
  for (const [day, berths, names] of [
    [1, 10, ['North', 'South']],
    [2, 12, ['East', 'North', 'South']],
    [3, 12, ['East', 'North']],
  ] as const) {
    Object.assign(site, { day, berths, names });
    assertExit(await run(site, argv`batch maps/harbour ${objects} --history ${file}`), 0);
    assertExit(await run(site, argv`maps harbours quay --history ${file}`), 0);
  }
  return file;
}

describe('--history', () => {
  test('stores changes in the named database, and does not change the output', async () => {
    const site = new Harbours();
    const file = fileOf('plain.sqlite');
    const input = inputs({ id: 'a' });
    const plain = await run(site, argv`batch maps/harbour ${input}`);
    const first = await run(site, argv`batch maps/harbour ${input} --history ${file}`);
    assert.equal(first.out, plain.out);
    Object.assign(site, { day: 2, berths: 11 });
    await run(site, argv`batch maps/harbour ${input} --history ${file}`);
    const call = await run(site, argv`maps harbour --id a --history ${file} --json`);
    assert.equal(JSON.parse(call.out).sources, undefined);
    const columns = 'object, subject, event, field, before, after, fetched_at';
    const changes = queryFile(file, `SELECT ${columns} FROM changes ORDER BY number`);
    assert.deepEqual(
      changes.map((change) => Object.values(change).slice(2)),
      [
        ['first', null, null, null, '2026-11-01T00:00:00.000Z'],
        ['changed', 'berths', 10, 11, '2026-11-02T00:00:00.000Z'],
      ],
    );
    for (const { object, subject } of changes) assert.deepEqual([object, subject], ['maps_harbour', 'a']);
    const [object] = queryFile(file, "SELECT id, url, fields ->> 'berths' AS berths, last_seen FROM objects");
    assert.deepEqual(object, {
      ...{ id: 'id-a', url: 'https://harbours.example/a', berths: 11, last_seen: '2026-11-02T00:00:00.000Z' },
    });
  });

  test('is the database that a command appends to, unless disabled', async () => {
    const site = new Harbours();
    const input = inputs({ id: 'a' });
    const [own, without] = [fileOf('own.sqlite'), fileOf('without.sqlite')];
    for (const day of [1, 2]) {
      Object.assign(site, { day, berths: 10 + day });
      const batch = argv`batch maps/harbour ${input} -o ${own} --append --overwrite`;
      assert.equal((await run(site, batch)).status, 0);
      const call = argv`maps harbour --id a -o ${without} --append --no-history`;
      assert.equal((await run(site, call)).status, 0);
    }
    assert.equal(queryFile(own, "SELECT 1 FROM changes WHERE field = 'berths'").length, 1);
    assert.equal(queryFile(own, 'SELECT berths FROM maps_harbour')[0]?.berths, 12);
    assert.deepEqual(queryFile(without, "SELECT 1 FROM sqlite_master WHERE name = 'changes'"), []);
    assertExit(await run(site, argv`maps harbour --id b -o ${own} --append`), 0);
    assert.equal(queryFile(own, "SELECT 1 FROM changes WHERE subject = 'b'").length, 1);
  });

  test('is refused before any request if it is impossible', async () => {
    const site = new Harbours();
    const text = fileOf('text.sqlite');
    writeFileSync(text, 'This is no database, and longer than the head of one. '.repeat(40));
    const input = inputs({ id: 'a' });
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['--history', fileOf('x.csv')], 2, /a history is an SQLite database/],
      [argv`--history ${fileOf('y.sqlite')} -o ${fileOf('y.sqlite')}`, 2, /add --append/],
      [['--history', text], 2, /it is not an SQLite database/],
    ];
    for (const [args, status, said] of cases)
      assertExit(await run(site, argv`batch maps/harbour ${input} ${args}`), status, said);
  });
});

describe('extract history', () => {
  test('shows a line a subject at a terminal, with its growth and its course', async () => {
    const file = await readHistory('table.sqlite');
    const { status, out, err } = await run(new Harbours(), argv`history ${file} --no-color`, {
      stdoutColumns: 100,
    });
    assert.equal(status, 0, err);
    const lines = out.split('\n').map((line) => line.trim().split(/\s{2,}/));
    assert.deepEqual(lines.slice(0, 4), [
      ['name', 'now', 'day', 'trend', 'field', 'since'],
      ['a', '12', '0', '▁▁▁▁▁▁▁▁████████', 'berths', '2026-11-01 00:00Z'],
      ['b', '12', '0', '▁▁▁▁▁▁▁▁████████', 'berths', '2026-11-01 00:00Z'],
      ['quay', '2', '-1', '▁▁▁▁▁▁▁▁███████▁', 'items', '2026-11-01 00:00Z'],
    ]);
  });

  test('writes the same to a pipe, as lines', async () => {
    const { out } = await run(new Harbours(), ['history', await readHistory('piped.sqlite')]);
    assert.equal(out.split('\n')[0], 'a\t12\t0\t\t▁▁▁▁▁▁▁▁████████\tberths\t2026-11-01T00:00:00.000Z');
  });

  test('returns each change with its old and new value to programs', async () => {
    const file = await readHistory('programs.sqlite');
    const csv = await run(new Harbours(), argv`history ${file} a --format csv --field berths`);
    const rows = csv.out
      .trim()
      .split('\n')
      .map((line) => line.split(',').slice(0, -1).join(','));
    assert.deepEqual(rows, [
      'fetched_at,endpoint,subject,object,id,url,event,field,before,after',
      '2026-11-02T00:00:00.000Z,maps/harbour,a,maps_harbour,id-a,https://harbours.example/a,changed,berths,10,12',
    ]);
    const late = await run(new Harbours(), argv`history ${file} --since 2026-11-03 --format ndjson`);
    const events = ndjsonValues(late.out).map(({ event }) => event);
    assert.deepEqual(events, ['removed']);
    const json = await run(new Harbours(), argv`history ${file} --json`);
    assert.equal(JSON.parse(json.out).data.length, 10);
  });

  test('writes growth as a table, with the columns of the user’s own', async () => {
    const site = new Harbours();
    const [file, input] = [fileOf('growing.sqlite'), fileOf('accounts.csv')];
    for (const day of [1, 2]) {
      Object.assign(site, { day, berths: 10 * day });
      writeFileSync(input, `id,campaign,fee\na,spring,${day}00\nb,,\n`);
      assertExit(await run(site, argv`batch maps/harbour ${input} --history ${file}`), 0);
    }
    const tableText = async (name: string) => {
      assertExit(await run(site, argv`history ${file} -o ${fileOf(name)}`), 0);
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
    assert.equal((await run(site, argv`history ${file} -o ${fileOf('growth.csv')}`)).status, 2);
    assert.equal((await run(site, argv`history ${file} -o ${fileOf('growth.sqlite')}`)).status, 2);
  });

  test('continues a history whose subjects had no columns of the user', async () => {
    const file = await readHistory('earlier.sqlite');
    const db = new Sqlite(file);
    db.exec('ALTER TABLE history_subjects DROP COLUMN own');
    db.exec("UPDATE schema_versions SET version = 1 WHERE name = 'history'");
    db.close();
    assertExit(await run(new Harbours(), argv`history ${file} -o ${fileOf('earlier.csv')}`), 0);
  });

  test('draws one file that loads nothing', async () => {
    const file = await readHistory('plots.sqlite');
    for (const [name, args] of [
      ['all.html', []],
      ['one.svg', argv`a --field berths`],
    ] as const) {
      const plot = fileOf(name);
      const { status, out, err } = await run(new Harbours(), argv`history ${file} ${args} --plot ${plot}`);
      assert.deepEqual([status, out], [0, ''], err);
      const text = readFileSync(plot, 'utf8');
      assert.match(text, /<path d="M/);
      const own = text.replaceAll('http://www.w3.org/2000/svg', '');
      assert.doesNotMatch(own, /(src|href)=|url\(|@import|https?:/);
      if (name.endsWith('.svg')) XmlDocument.fromString(text).dispose();
    }
    const again = await run(new Harbours(), argv`history ${file} --plot ${fileOf('one.svg')}`);
    assert.match(again.err, /--overwrite replaces it/);
  });

  test('explains an invalid name, time or file', async () => {
    const file = await readHistory('wrong.sqlite');
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[file, 'quai'], /Did you mean quay\?/],
      [argv`${file} --since monday`, /36h, 7d, 4w/],
      [argv`${file} --plot x.png`, /\.svg or \.html/],
      [[fileOf('none.sqlite')], /has no history/],
      [[path.dirname(fileOf('none.sqlite'))], /cannot be used: it is a folder, its folder does not exist/],
    ];
    for (const [args, said] of cases) assertExit(await run(new Harbours(), ['history', ...args]), 2, said);
  });
});

describe('extract history feed', () => {
  test('has an entry for each item that moved, the newest first, with IDs that stay', async () => {
    const file = await readHistory('feed.sqlite');
    const ids = async (args: readonly string[] = []) => {
      const { out } = assertExit(await run(new Harbours(), ['feed', file, 'quay', ...args]), 0);
      return (
        parseAtomFeed(out).entries?.map(({ id, title, links }) => [id, title?.value, links?.[0]?.href]) ?? []
      );
    };
    const all = await ids();
    assert.deepEqual(
      all.map(([, title]) => title),
      ['Removed: South', 'South: berths 10 → 12', 'North: berths 10 → 12', 'New: East', 'South', 'North'],
    );
    assert.equal(all[0]?.[2], 'https://harbours.example/South');
    assert.deepEqual(await ids(argv`--limit 2`), all.slice(0, 2));
    const output = fileOf('quay.json');
    await run(new Harbours(), argv`feed ${file} quay -o ${output} --title Quays`);
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
