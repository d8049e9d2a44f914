import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Point } from '../../../lib/platforms/maps/point.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { isInside, parseBox } from '../../../src/files/cover/cells.js';
import {
  bbox,
  city,
  cityBox,
  type ListEnd,
  searchTown,
  type TownPlace,
  town,
} from '../../files/cover/town.js';
import { argv, assertExit, extract, interruptedAt, type Surroundings } from '../../support/cli.js';
import { anAnswer } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(folder, name);
const textOf = (file: string) => readFileSync(file, 'utf8');
const box = parseBox(bbox);
type Search = Point & { radius_m: number; cursor?: string };

interface Cover extends Surroundings {
  readonly area?: readonly string[];
  readonly fails?: (point: Point) => boolean;
  readonly end?: ListEnd;
  /** What a search without a point finds: the place to look around. */
  readonly lookUp?: (query: string) => object;
  /** The search at which the command is interrupted. */
  readonly stopAt?: number;
}

/** Covers an area of a town whose searches are answered as the platform does. */
async function cover(
  args: readonly string[],
  places: readonly TownPlace[] = [],
  { area = ['--bbox', bbox], fails, end, lookUp, stopAt = Infinity, ...surroundings }: Cover = {},
) {
  let calls = 0;
  const searches: Pick<CommandExtractor, 'answer'> = {
    async answer(_, params) {
      const { lat, lng, radius_m, cursor } = params as unknown as Search;
      if (fails?.({ lat, lng }) === true) throw new ExtractError('platform_timeout');
      const { rows, next } = searchTown(places, { lat, lng, radius_m }, Number(cursor ?? 0), end);
      const meta = { credits_charged: 3, next_cursor: next === null ? null : String(next) };
      return anAnswer(rows, { meta });
    },
  };
  const { signal, extractor } = interruptedAt(stopAt, searches);
  const ran = await extract(argv`maps cover --query cafe ${area} ${args}`, {
    signal,
    extractor: {
      async answer(endpoint, params, options) {
        calls += 1;
        return params.lat === undefined && lookUp !== undefined
          ? anAnswer([lookUp(String(params.query))], { meta: { credits_charged: 3 } })
          : extractor.answer(endpoint, params, options);
      },
    },
    ...surroundings,
  });
  return { ...ran, calls };
}

/** The demo's searches are answered by the program itself. */
const demo = (args: readonly string[]) => extract(argv`maps cover --query cafe ${args} --demo`);

const ids = (text: string) =>
  ndjsonValues(text)
    .filter(({ data }) => data !== undefined)
    .map(({ data }) => String(data.place_id));

const within = (places: readonly TownPlace[]) =>
  places
    .filter((place) => isInside(box, place))
    .map(({ id }) => id)
    .sort();

/** A triangle: the north-west half of the box. */
const halfFile = fileOf('half.geojson');
const corners = [
  [23.7, 37.95],
  [23.74, 37.98],
  [23.7, 37.98],
  [23.7, 37.95],
];
const geometry = { type: 'Polygon', coordinates: [corners] };
writeFileSync(halfFile, JSON.stringify({ type: 'Feature', properties: {}, geometry }));
const inHalf = ({ lat, lng }: Point) => (lat - 37.95) / 0.03 > (lng - 23.7) / 0.04;

describe('extract maps cover', () => {
  test('returns every place of the area once, splitting full cells', async () => {
    for (const [count, cell] of [
      [50, '1km'],
      [900, '1km'],
      [1500, '5km'],
    ] as const) {
      const places = town(count);
      const { out, err } = assertExit(await cover(['--cell', cell], places), 0, /^\d+ cells?: one call for/);
      assert.deepEqual(ids(out).sort(), within(places));
      assert.match(err, new RegExp(`${ids(out).length.toLocaleString('en-US')} places, each once\\.`));
      // What calls count on one's own machine is no money.
      assert.doesNotMatch(err, /credits spent/);
    }
  });

  test('finds all places of a city whose searches end early, and reports the number of calls', async () => {
    const places = city();
    const inside = places.filter((place) => isInside(parseBox(cityBox), place)).length;
    for (const cap of [20, 60, 120]) {
      for (const emptyPage of [true, false]) {
        const args = { area: ['--bbox', cityBox], end: { cap, emptyPage } };
        const { out, err, calls } = assertExit(await cover([], places, args), 0);
        const placeIds = ids(out);
        assert.equal(new Set(placeIds).size, placeIds.length);
        assert.ok(placeIds.length >= 0.98 * inside, `${placeIds.length} of ${inside} at ${cap}`);
        // What the estimate says of a crowded town.
        const [, cells = ''] = /^(\d+) cells/.exec(err) ?? [];
        assert.ok(calls >= Number(cells) && calls <= 80 * Number(cells), String(calls));
      }
    }
  });

  test('names the cells that stay full', async () => {
    // A house of a hundred cafes: no cell is small enough for searches that end at twenty.
    const house = Array.from({ length: 100 }, (_, at) => ({ id: `cafe ${at}`, lat: 37.965, lng: 23.72 }));
    const output = fileOf('house.ndjson');
    const end = { cap: 20, emptyPage: true };
    const { err } = assertExit(await cover(['-o', output], house, { end }), 0);
    assert.match(err, /20 places, each once\.\n4 cells are still full, .* around 37\.9\d+,23\.7/);
    assert.ok(err.includes(`${output}.cells has each as "cutOff".`));
    const cutOff = ndjsonValues(textOf(`${output}.cells`)).filter((cell) => cell.cutOff !== undefined);
    assert.equal(cutOff.length, 4);
    assertExit(await cover(argv`-o ${output} --resume`, house, { end }), 0, /4 cells are still full/);
  });

  test('with --demo returns each place of an invented town once, for nothing', async () => {
    const { out, err } = assertExit(await demo(['--bbox', bbox]), 0, /cells of sample data: no requests/);
    assert.ok(ids(out).length > 15, out);
    assert.equal(new Set(ids(out)).size, ids(out).length);
    assert.doesNotMatch(err, /still full/);
    assert.match(err, /\n16 inputs in .*: 16 answered \(\d+ without new places\)\./);
    assert.doesNotMatch((await demo(argv`--bbox ${bbox} --dry-run`)).out, /credits|balance/);
    for (const area of [['--polygon', halfFile], argv`--around ${'Market Square'} --radius 600m`])
      assert.match(assertExit(await demo(area), 0, /no requests to the platform\./).out, /^\{.*"place_id"/);
  });

  test('stops at a cell that is full of places already returned', async () => {
    const { calls } = await cover(argv`--cell 50km`, town(900).slice(0, 120));
    // One full cell, and its quarters, which bring nothing new: none of them is split, full or not.
    assert.ok(calls <= 6 + 4 * 6, String(calls));
  });

  test('shows the price first, and can write only the searches', async () => {
    const dry = await cover(['--dry-run']);
    const { data } = JSON.parse(dry.out);
    assert.equal(data.cells, 16);
    assert.doesNotMatch(dry.out, /credits|balance/);
    const priced = await cover(['--dry-run'], [], { config: { localCredits: 'fixed' } });
    const price = JSON.parse(priced.out).data;
    assert.deepEqual([price.credits_at_least, price.credits_each_page], [48, 3]);
    assert.ok(data.calls_at_most > 16 * 6 && data.seconds_at_most > data.seconds_at_least);
    // The area's position reveals degrees in the wrong order, and no line breaks within a word.
    const shown = await cover(['--dry-run'], [], { stdoutColumns: 60 });
    assert.doesNotMatch(shown.out, /credits/);
    assert.match(shown.out.replaceAll('\n', ' '), /Its centre is 37\.965° north, 23\.72° east\./);
    for (const line of shown.out.split('\n')) assert.ok(line.length <= 60, line);
    const listed = await cover(argv`--inputs --language el`);
    const searches = ndjsonValues(listed.out);
    assert.equal(searches.length, 16);
    assert.deepEqual(Object.keys(searches[0]), ['query', 'language', 'lat', 'lng', 'radius_m']);
    assert.deepEqual([dry.calls, priced.calls, shown.calls, listed.calls], [0, 0, 0, 0]);
  });

  test('writes the format of its file extension, every place once', async () => {
    const places = town(50);
    const [database, table] = [fileOf('cafes.sqlite'), fileOf('cafes.csv')];
    for (const output of [database, table]) assertExit(await cover(['-o', output], places), 0);
    const found = queryFile(database, 'SELECT place_id FROM maps_places');
    assert.deepEqual(found.map(({ place_id }) => String(place_id)).sort(), within(places));
    const [head = '', ...rows] = textOf(table).trim().split('\n');
    assert.match(head, /place_id.*,source_id,.*,input_index,/);
    assert.equal(rows.length, within(places).length);
  });

  test('--append adds to one database, whose rows have the day, the query and the time of each sighting', async () => {
    const output = fileOf('weekly.sqlite');
    for (const places of [town(20), town(50)])
      assertExit(await cover(argv`-o ${output} --append`, places), 0);
    const rows = queryFile(output, 'SELECT place_id, own FROM maps_places');
    assert.deepEqual(rows.map(({ place_id }) => String(place_id)).sort(), within(town(50)));
    const { date, ...about } = JSON.parse(String(rows[0]?.own));
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(about, { query: 'cafe', place: null });
    assert.equal(queryFile(output, 'SELECT DISTINCT run FROM seen').length, 2);
  });

  test('--append adds to a table of text, in which each row says its day and query', async () => {
    const output = fileOf('weekly.csv');
    for (const runs of [1, 2]) {
      assertExit(await cover(argv`-o ${output} --append`, town(20)), 0);
      const rows = parse<Record<string, string>>(textOf(output), { columns: true });
      assert.equal(rows.length, runs * within(town(20)).length);
      for (const { date = '', 'own.query': query } of rows) {
        assert.match(date, /^\d{4}-\d\d-\d\d$/);
        assert.equal(query, 'cafe');
      }
    }
  });

  test('applies the steps of a batch to its places', async () => {
    const matching = await cover(argv`--when ${'place_id.startsWith("place 1")'}`, town(50));
    assertExit(matching, 0, /without new places or a match/);
    const expected = within(town(50)).filter((id) => id.startsWith('place 1'));
    assert.deepEqual(ids(matching.out).sort(), expected);
    const first = await cover(argv`--new area --cell 1km`, town(40));
    assert.deepEqual(ids(first.out).sort(), within(town(40)));
    // Known under the name, whichever cell finds it.
    const more = await cover(argv`--new area --cell 2km`, town(60));
    const known = new Set(within(town(40)));
    assert.deepEqual(
      ids(more.out).sort(),
      within(town(60)).filter((id) => !known.has(id)),
    );
    assert.match(more.err, /Since earlier runs: \d+ new, \d+ unchanged\./);
  });

  test('covers the polygons of a file, and returns no place outside them', async () => {
    const places = town(300);
    const covered = await cover([], places, { area: ['--polygon', halfFile] });
    // Of sixteen cells, those that lie outside are not asked.
    const { out } = assertExit(covered, 0, /^1[0-3] cells: /);
    assert.deepEqual(ids(out).sort(), within(places.filter(inHalf)));
  });

  test('covers the area around a named place, and reports which place', async () => {
    const places = town(300);
    const location = { lat: 37.965, lng: 23.72 };
    const lookUp = (name: string) => ({ name, formatted_address: 'Old Town', location });
    const around = { area: argv`--around ${'Market Square'} --radius 600m`, lookUp };
    for (const [limit, asked] of [
      ['2', 0],
      ['5', 1],
    ] as const) {
      const limited = await cover(['--limit-credits', limit], places, around);
      assertExit(limited, 3, /would exceed the limit of/);
      assert.equal(limited.calls, asked);
    }
    const said = /^Around Market Square, Old Town \(37\.965,23\.72\), 600 m each way\.\n/;
    const { out } = assertExit(await cover([], places, around), 0, said);
    const near = places.filter(
      ({ lat, lng }) =>
        Math.abs(lat - 37.965) * 111_195 <= 600 &&
        Math.abs(lng - 23.72) * 111_195 * Math.cos((37.965 * Math.PI) / 180) <= 600,
    );
    assert.deepEqual(ids(out).sort(), near.map(({ id }) => id).sort());
  });

  test('looks the area up once, however often it is resumed', async () => {
    const lookUps: string[] = [];
    const lookUp = (name: string) => {
      lookUps.push(name);
      // The platform finds another place each time.
      const location = { lat: 37.965 + lookUps.length / 1000, lng: 23.72 };
      const about = { rating: null, user_ratings_total: null };
      return { place_id: 'square', name: 'Square', formatted_address: null, location, ...about };
    };
    for (const ending of ['ndjson', 'csv']) {
      const run = (name: string, stopAt: number, ...more: string[]) =>
        cover(argv`-o ${fileOf(`around.${ending}`)} --resume ${more}`, town(900), {
          area: argv`--around ${name} --radius 600m`,
          ...{ lookUp, stopAt },
        });
      lookUps.length = 0;
      assertExit(await run('Square', 3), 130);
      const other = assertExit(await run('Circle', Infinity), 2);
      assert.match(other.err.replaceAll('\n', ' '), /started around .*Square.*\. Use the same place/);
      // The look-up of the first run counts against the limit, too.
      assertExit(await run('Square', Infinity, '--limit-credits', '5'), 3);
      assertExit(await run('Square', Infinity), 0, /^Around Square \(37\.966,23\.72\)/);
      assert.deepEqual(lookUps, ['Square']);
    }
  });

  test('resumes after an interruption, for the price of one run', async () => {
    const places = town(900);
    const [calm, output] = [fileOf('calm.ndjson'), fileOf('rough.ndjson')];
    const { calls } = await cover(['-o', calm], places);
    const resume = (stopAt: number) => cover(argv`-o ${output} --resume`, places, { stopAt });
    let stopAt = 5;
    for (let ran = await resume(stopAt); ran.status !== 0; ran = await resume(stopAt)) {
      assertExit(ran, 130, /Continue with: extract maps cover .*--resume/);
      stopAt += 7;
    }
    // Pages that are read again are charged under the ids that they had.
    assert.equal(ndjsonValues(textOf(`${output}.checkpoint`)).at(-1).charged, 3 * calls);
    assert.equal(textOf(output), textOf(calm));
    // Without its cells, an output does not say what remains.
    rmSync(`${output}.cells`);
    assertExit(await resume(Infinity), 2, /--overwrite starts over/);
  });

  test('a failed search is an error line, and the others continue', async () => {
    const ran = await cover([], town(200), { fails: ({ lng }) => lng > 23.73 });
    assertExit(ran, 7, /Failed: search \d+ \(platform timeout\)/);
    assert.ok(ran.out.includes('platform_timeout'));
    assert.ok(ids(ran.out).length > 0);
  });

  const around = argv`--around Graz --radius 1km`;
  const there = ['there.ndjson', 'there.csv'].map(fileOf);
  for (const file of there) writeFileSync(file, 'precious');
  const none = fileOf('none.geojson');
  const refused: readonly (readonly [what: string, RegExp, args: readonly string[], area?: string[]])[] = [
    ['three corners', /./, argv`--bbox 1,2,3`],
    ['a cell in miles', /./, argv`--cell 1mile`],
    ['the name of a language', /./, argv`--language Greek`],
    ['--resume without a file', /./, ['--resume']],
    ['two areas', /./, argv`--around Graz`],
    ['captions', /--captions is for batches, not for areas\./, ['--captions']],
    ['DuckDB', /./, ['-o', fileOf('cafes.duckdb')]],
    ['a workbook to append to', /./, argv`-o ${fileOf('weekly.xlsx')} --append`],
    ['polygons that are not there', /No such file: \S*none\.geojson/, [], ['--polygon', none]],
    ...there.map(
      (file) => [`${path.basename(file)}, which is there`, /exists/, ['-o', file], around] as const,
    ),
  ];
  for (const [what, said, args, area] of refused)
    test(`refuses ${what} before any request`, async () => {
      const ran = assertExit(await cover(args, [], area === undefined ? {} : { area }), 2, said);
      assert.equal(ran.calls, 0);
    });
});
