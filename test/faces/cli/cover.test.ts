import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Point } from '../../../lib/platforms/maps/point.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
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
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { harbourMeta } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const box = parseBox(bbox);
type Search = Point & { radius_m: number; cursor?: string };

/** Searches as the platform answers them. */
function platform(
  places: readonly TownPlace[],
  calls: { count: number },
  fail?: (point: Point) => boolean,
  end?: ListEnd,
): Pick<CommandExtractor, 'answer'> {
  return {
    async answer(_, params) {
      const { lat, lng, radius_m, cursor } = params as unknown as Search;
      calls.count += 1;
      if (fail?.({ lat, lng }) === true) throw new ExtractError('platform_timeout');
      const { rows, next } = searchTown(places, { lat, lng, radius_m }, Number(cursor ?? 0), end);
      return {
        source: 'platform',
        json: JSON.stringify(rows),
        meta: { ...harbourMeta, credits_charged: 3, next_cursor: next === null ? null : String(next) },
      };
    },
  };
}

const cover = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(argv`maps cover --query cafe --bbox ${bbox} ${args}`, surroundings);

const ids = (text: string) =>
  ndjsonValues(text)
    .filter(({ data }) => data !== undefined)
    .map(({ data }) => String(data.place_id));

const within = (places: readonly TownPlace[]) =>
  places
    .filter((place) => isInside(box, place))
    .map(({ id }) => id)
    .sort();

describe('extract maps cover', () => {
  test('returns every place of the area once, splitting full cells', async () => {
    for (const [count, cell] of [
      [50, '1km'],
      [900, '1km'],
      [1500, '5km'],
    ] as const) {
      const places = town(count);
      const calls = { count: 0 };
      const { status, out, err } = await cover(['--cell', cell], { extractor: platform(places, calls) });
      assert.equal(status, 0, err);
      const placeIds = ids(out);
      assert.equal(new Set(placeIds).size, placeIds.length);
      assert.deepEqual([...placeIds].sort(), within(places));
      assert.match(err, /^\d+ cells?: one call for each page/);
      assert.match(err, new RegExp(`${placeIds.length.toLocaleString('en-US')} places, each once\\.`));
      // What calls count on one's own machine is no money.
      assert.doesNotMatch(err, /credits spent/);
    }
  });

  test('finds all places of a city whose searches end early, and reports the number of calls', async () => {
    const places = city();
    const inside = places.filter((place) => isInside(parseBox(cityBox), place)).length;
    for (const cap of [20, 60, 120]) {
      for (const emptyPage of [true, false]) {
        const calls = { count: 0 };
        const { status, out, err } = await extract(argv`maps cover --query cafe --bbox ${cityBox}`, {
          extractor: platform(places, calls, undefined, { cap, emptyPage }),
        });
        assert.equal(status, 0, err);
        const placeIds = ids(out);
        assert.equal(new Set(placeIds).size, placeIds.length);
        assert.ok(placeIds.length >= 0.98 * inside, `${placeIds.length} of ${inside} at ${cap}`);
        // What the estimate says of a crowded town.
        const [, cells = ''] = /^(\d+) cells/.exec(err) ?? [];
        assert.ok(calls.count >= Number(cells) && calls.count <= 80 * Number(cells), String(calls.count));
      }
    }
  });

  test('names the cells that stay full', async () => {
    // A house of a hundred cafes: no cell is small enough for searches that end at twenty.
    const house = Array.from({ length: 100 }, (_, at) => ({ id: `cafe ${at}`, lat: 37.965, lng: 23.72 }));
    const output = path.join(folder, 'house.ndjson');
    const args = ['-o', output];
    const extractor = platform(house, { count: 0 }, undefined, { cap: 20, emptyPage: true });
    const { status, err } = await cover(args, { extractor });
    assert.equal(status, 0, err);
    assert.match(err, /20 places, each once\.\n4 cells are still full, .* around 37\.9\d+,23\.7/);
    assert.ok(err.includes(`${output}.cells has each as "cutOff".`));
    const cells = readFileSync(`${output}.cells`, 'utf8').trimEnd().split('\n');
    assert.equal(cells.filter((line) => JSON.parse(line).cutOff !== undefined).length, 4);
    // A resumed run still knows.
    const again = await cover([...args, '--resume'], { extractor });
    assert.match(again.err, /4 cells are still full/);
  });

  test('reads the lists of sample data to their ends, so that no cell of them stays full', async () => {
    const { out, err } = assertExit(await cover(['--demo']), 0);
    const placeIds = ids(out);
    assert.ok(placeIds.length > 10, String(placeIds.length));
    assert.equal(new Set(placeIds).size, placeIds.length);
    assert.doesNotMatch(err, /still full/);
    assert.match(err, /\n16 inputs in .*: 16 answered \(\d+ without new places\)\./);
  });

  test('stops at a cell that is full of places already returned', async () => {
    const places = town(900);
    const calls = { count: 0 };
    await cover(argv`--cell 50km`, { extractor: platform(places.slice(0, 120), calls) });
    // One full cell, and its quarters, which bring nothing new: none of them is split, full or not.
    assert.ok(calls.count <= 6 + 4 * 6, String(calls.count));
  });

  test('shows the price first, and can write only the searches', async () => {
    const calls = { count: 0 };
    const dry = await cover(['--dry-run'], { extractor: platform([], calls) });
    const { data } = JSON.parse(dry.out);
    assert.equal(data.cells, 16);
    assert.doesNotMatch(dry.out, /credits|balance/);
    const priced = await cover(['--dry-run'], {
      extractor: platform([], calls),
      config: { localCredits: 'fixed' },
    });
    const price = JSON.parse(priced.out).data;
    assert.deepEqual([price.credits_at_least, price.credits_each_page], [48, 3]);
    assert.ok(data.calls_at_most > 16 * 6 && data.seconds_at_most > data.seconds_at_least);
    // The area's position reveals degrees in the wrong order, and no line breaks within a word.
    const { out: words } = await cover(['--dry-run'], { extractor: platform([], calls), stdoutColumns: 60 });
    assert.doesNotMatch(words, /credits/);
    assert.match(words.replaceAll('\n', ' '), /Its centre is 37\.965° north, 23\.72° east\./);
    for (const line of words.split('\n')) assert.ok(line.length <= 60, line);
    const { out } = await cover(argv`--inputs --language el`);
    const searches = ndjsonValues(out);
    assert.equal(searches.length, 16);
    assert.deepEqual(Object.keys(searches[0]), ['query', 'language', 'lat', 'lng', 'radius_m']);
    assert.equal(calls.count, 0);
  });

  test('writes the format of its file extension, every place once', async () => {
    const places = town(50);
    for (const ending of ['sqlite', 'csv']) {
      const output = path.join(folder, `cafes.${ending}`);
      assertExit(await cover(['-o', output], { extractor: platform(places, { count: 0 }) }), 0);
      if (ending === 'csv') {
        const [head = '', ...rows] = readFileSync(output, 'utf8').trim().split('\n');
        assert.match(head, /place_id.*,source_id,.*,input_index,/);
        assert.equal(rows.length, within(places).length);
        continue;
      }
      const found = queryFile(output, 'SELECT place_id FROM maps_places');
      assert.deepEqual(found.map(({ place_id }) => String(place_id)).sort(), within(places));
    }
    const calls = { count: 0 };
    const refused = await cover(['-o', path.join(folder, 'cafes.duckdb')], {
      extractor: platform(places, calls),
    });
    assert.deepEqual([refused.status, calls.count], [2, 0]);
  });

  test('--append adds to one database, whose rows have the day, the query and the time of each sighting', async () => {
    const output = path.join(folder, 'weekly.sqlite');
    for (const places of [town(20), town(50)]) {
      const { status, err } = await cover(argv`-o ${output} --append`, {
        extractor: platform(places, { count: 0 }),
      });
      assert.equal(status, 0, err);
    }
    const rows = queryFile(output, 'SELECT place_id, own FROM maps_places');
    assert.deepEqual(rows.map(({ place_id }) => String(place_id)).sort(), within(town(50)));
    const { date, ...about } = JSON.parse(String(rows[0]?.own));
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(about, { query: 'cafe', place: null });
    assert.equal(queryFile(output, 'SELECT DISTINCT run FROM seen').length, 2);
    assert.equal((await cover(argv`-o ${path.join(folder, 'weekly.xlsx')} --append`)).status, 2);
  });

  test('--append adds to a table of text, in which each row says its day and query', async () => {
    const output = path.join(folder, 'weekly.csv');
    for (const runs of [1, 2]) {
      const { status, err } = await cover(argv`-o ${output} --append`, {
        extractor: platform(town(20), { count: 0 }),
      });
      assert.equal(status, 0, err);
      const rows = parse<Record<string, string>>(readFileSync(output, 'utf8'), { columns: true });
      assert.equal(rows.length, runs * within(town(20)).length);
      for (const { date = '', 'own.query': query } of rows) {
        assert.match(date, /^\d{4}-\d\d-\d\d$/);
        assert.equal(query, 'cafe');
      }
    }
  });

  test('applies the steps of a batch to its places, and refuses those that make no sense', async () => {
    const when = await cover(argv`--when ${'place_id.startsWith("place 1")'}`, {
      extractor: platform(town(50), { count: 0 }),
    });
    assert.equal(when.status, 0, when.err);
    const placeIds = ndjsonValues(when.out).map(({ data }) => String(data.place_id));
    assert.ok(placeIds.length > 0 && placeIds.every((id) => id.startsWith('place 1')));
    assert.match(when.err, /without new places or a match/);
    const seen = (places: readonly TownPlace[], cell: string) =>
      cover(argv`--new area --cell ${cell}`, { extractor: platform(places, { count: 0 }) });
    assert.deepEqual(ids((await seen(town(40), '1km')).out).sort(), within(town(40)));
    // Known under the name, whichever cell finds it.
    const more = await seen(town(60), '2km');
    const knownIds = new Set(within(town(40)));
    const unseen = within(town(60)).filter((id) => !knownIds.has(id));
    assert.deepEqual(ids(more.out).sort(), unseen);
    assert.match(more.err, /Since earlier runs: \d+ new, \d+ unchanged\./);
    const calls = { count: 0 };
    const refused = await cover(['--captions'], { extractor: platform([], calls) });
    assert.deepEqual([refused.status, calls.count], [2, 0]);
    assert.match(refused.err, /--captions is for batches, not for areas\./);
  });

  test('covers the polygons of a file, and returns no place outside them', async () => {
    const places = town(300);
    // A triangle: the north-west half of the box.
    const corners = [
      [23.7, 37.95],
      [23.74, 37.98],
      [23.7, 37.98],
      [23.7, 37.95],
    ];
    const file = path.join(folder, 'half.geojson');
    const geometry = { type: 'Polygon', coordinates: [corners] };
    writeFileSync(file, JSON.stringify({ type: 'Feature', properties: {}, geometry }));
    const calls = { count: 0 };
    const args = argv`maps cover --query cafe --polygon ${file}`;
    const { out, err } = assertExit(await extract(args, { extractor: platform(places, calls) }), 0);
    const inHalf = ({ lat, lng }: Point) => (lat - 37.95) / 0.03 > (lng - 23.7) / 0.04;
    const expected = places.filter((place) => isInside(box, place) && inHalf(place)).map(({ id }) => id);
    assert.deepEqual(ids(out).sort(), expected.sort());
    assert.match(err, /^1[0-3] cells: /, 'of sixteen, those that lie outside are not asked');
  });

  test('covers the area around a named place, and reports which place', async () => {
    const places = town(300);
    const simulated = platform(places, { count: 0 });
    const extractor: typeof simulated = {
      async answer(endpoint, params, options) {
        const area = { lat: 37.965, lng: 23.72, radius_m: 9000 };
        const answer = await simulated.answer(endpoint, { ...area, ...params }, options);
        if (params.lat !== undefined) return answer;
        assert.deepEqual(params, { query: 'Market Square', limit: 1 });
        const location = { lat: 37.965, lng: 23.72 };
        const square = { name: 'Market Square', formatted_address: 'Old Town', location };
        return { ...answer, json: JSON.stringify([square]) };
      },
    };
    const args = argv`maps cover --query cafe --around ${'Market Square'} --radius 600m`;
    for (const [limit, asked] of [
      ['2', 0],
      ['5', 1],
    ] as const) {
      let count = 0;
      const counted: typeof simulated = {
        answer(...call) {
          count += 1;
          return extractor.answer(...call);
        },
      };
      const limited = await extract([...args, '--limit-credits', limit], { extractor: counted });
      assert.deepEqual([limited.status, count], [3, asked], limited.err);
      assert.match(limited.err, /would exceed the limit of/);
    }
    const { status, out, err } = await extract(args, { extractor });
    assert.equal(status, 0, err);
    assert.match(err, /^Around Market Square, Old Town \(37\.965,23\.72\), 600 m each way\.\n/);
    const near = places.filter(
      ({ lat, lng }) =>
        Math.abs(lat - 37.965) * 111_195 <= 600 &&
        Math.abs(lng - 23.72) * 111_195 * Math.cos((37.965 * Math.PI) / 180) <= 600,
    );
    assert.deepEqual(ids(out).sort(), near.map(({ id }) => id).sort());
  });

  test('looks the area up once, however often it is resumed', async () => {
    const places = town(900);
    const lookUps: string[] = [];
    const searches = platform(places, { count: 0 });
    let callsLeft = Infinity;
    let ending = new AbortController();
    const extractor: typeof searches = {
      async answer(endpoint, params, options) {
        if (params.lat !== undefined) {
          callsLeft -= 1;
          if (callsLeft === 0) ending.abort(new Interruption('SIGINT'));
          return searches.answer(endpoint, params, options);
        }
        lookUps.push(String(params.query));
        // The platform finds another place each time.
        const location = { lat: 37.965 + lookUps.length / 1000, lng: 23.72 };
        const about = { rating: null, user_ratings_total: null };
        const square = { place_id: 'square', name: 'Square', formatted_address: null, location, ...about };
        return {
          ...{ source: 'platform', json: JSON.stringify([square]) },
          meta: { ...harbourMeta, credits_charged: 3, next_cursor: null },
        };
      },
    };
    for (const ending of ['ndjson', 'csv']) {
      const output = path.join(folder, `around.${ending}`);
      const args = (name: string) =>
        argv`maps cover --query cafe --around ${name} --radius 600m -o ${output} --resume`;
      lookUps.length = 0;
      assertExit(await stopped(args('Square'), 3), 130);
      const other = assertExit(await stopped(args('Circle'), Infinity), 2);
      assert.match(other.err.replaceAll('\n', ' '), /started around .*Square.*\. Use the same place/);
      // The look-up of the first run counts against the limit, too.
      assertExit(await stopped(argv`${args('Square')} --limit-credits 5`, Infinity), 3);
      assertExit(await stopped(args('Square'), Infinity), 0, /^Around Square \(37\.966,23\.72\)/);
      assert.deepEqual(lookUps, ['Square']);
    }

    function stopped(args: readonly string[], after: number) {
      callsLeft = after;
      ending = new AbortController();
      return extract(args, { signal: ending.signal, extractor });
    }
  });

  test('resumes after an interruption, for the price of one run', async () => {
    const places = town(900);
    const calmCalls = { count: 0 };
    const calm = path.join(folder, 'calm.ndjson');
    await cover(['-o', calm], { extractor: platform(places, calmCalls) });
    const calls = { count: 0 };
    const output = path.join(folder, 'rough.ndjson');
    for (let stops = 5; ; stops += 7) {
      const ending = new AbortController();
      const counted = platform(places, calls);
      let mine = 0;
      const { status, err } = await cover(argv`-o ${output} --resume`, {
        signal: ending.signal,
        extractor: {
          answer(...call) {
            mine += 1;
            if (mine === stops) ending.abort(new Interruption('SIGINT'));
            return counted.answer(...call);
          },
        },
      });
      if (status === 0) {
        // Pages that are read again are charged under the ids that they had.
        const { charged } = JSON.parse(
          readFileSync(`${output}.checkpoint`, 'utf8').trim().split('\n').at(-1) ?? '',
        );
        assert.equal(charged, 3 * calmCalls.count);
        break;
      }
      assert.equal(status, 130);
      assert.match(err, /Continue with: extract maps cover .*--resume/);
    }
    assert.equal(readFileSync(output, 'utf8'), readFileSync(calm, 'utf8'));
    // Without its cells, an output does not say what remains.
    rmSync(`${output}.cells`);
    const { status, err } = await cover(argv`-o ${output} --resume`, { extractor: platform(places, calls) });
    assert.equal(status, 2);
    assert.match(err, /--overwrite starts over/);
  });

  test('a failed search is an error line, and the others continue', async () => {
    const places = town(200);
    const { status, out, err } = await cover([], {
      extractor: platform(places, { count: 0 }, ({ lng }) => lng > 23.73),
    });
    assert.equal(status, 7);
    assert.match(err, /Failed: search \d+ \(platform timeout\)/);
    assert.ok(out.includes('platform_timeout'));
    assert.ok(ids(out).length > 0);
  });

  test('refuses an output that is there before it looks the place up', async () => {
    const around = argv`maps cover --query cafe --around Graz --radius 1km`;
    for (const name of ['there.ndjson', 'there.csv']) {
      const output = path.join(folder, name);
      writeFileSync(output, 'precious');
      const calls = { count: 0 };
      const { status, err } = await extract([...around, '-o', output], { extractor: platform([], calls) });
      assert.deepEqual([status, calls.count], [2, 0], err);
      assert.match(err, /exists/);
    }
  });

  test('reports a missing file of polygons', async () => {
    const args = argv`maps cover --query cafe --polygon ${path.join(folder, 'none.geojson')}`;
    const { status, err } = await extract(args, { extractor: platform([], { count: 0 }) });
    assert.equal(status, 2);
    assert.match(err, /No such file: \S*none\.geojson/);
  });

  test('refuses an invalid area before any request', async () => {
    for (const args of [
      argv`--bbox 1,2,3`,
      argv`--cell 1mile`,
      argv`--language Greek`,
      ['--resume'],
      argv`--around Graz`,
    ]) {
      const calls = { count: 0 };
      const { status } = await cover(args, { extractor: platform([], calls) });
      assert.deepEqual([status, calls.count], [2, 0], args.join(' '));
    }
  });
});
