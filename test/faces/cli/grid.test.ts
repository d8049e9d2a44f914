import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { argv, assertExit, extract, interruptedAt, type Surroundings } from '../../support/cli.js';
import { anAnswer, harbourMeta, sourcesOf } from '../../support/invented-rows.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const fileOf = (name: string) => path.join(folder, name);
const id = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
const center = { lat: 47.07, lng: 15.4377 };
const aPlace = (place_id: string) => ({
  ...{ place_id, name: `Place <${place_id}>`, formatted_address: null, location: center },
  ...{ rating: 4.5, user_ratings_total: 12 },
});
/** Ranks of the place in the rows from north to south. */
const ranks = [1, 1, 1, 1, 1, 1, 5, 5, 5];

interface Grid extends Surroundings {
  /** The search that fails. */
  readonly failing?: number;
  /** The call at which the command is interrupted. */
  readonly stopAt?: number;
}

/** Runs a grid. Each search finds as many others before the place as it lies south of the middle. */
async function grid(args: readonly string[], { failing, stopAt = Infinity, ...surroundings }: Grid = {}) {
  const calls: Record<string, unknown>[] = [];
  const meta = { credits_charged: 3 };
  const platform = interruptedAt(stopAt, {
    async answer({ path: endpoint }, params) {
      calls.push({ endpoint, ...params });
      if (endpoint === 'maps/place') return anAnswer(aPlace(id), { meta });
      const searches = calls.filter((call) => call.endpoint === 'maps/places').length;
      if (searches === failing) throw new ExtractError('platform_timeout');
      const before = Math.max(0, Math.round((center.lat - Number(params.lat)) * 1000));
      const list = [...Array.from({ length: before }, (_, at) => `other-${at}`), id].map(aPlace);
      return anAnswer(list, { sources: sourcesOf(list.map(() => null)), meta });
    },
  });
  const ran = await extract(argv`maps grid --query dentist --place ${id} --size 3 ${args}`, {
    ...platform,
    ...surroundings,
  });
  return { ...ran, calls, asked: calls.map(({ endpoint }) => endpoint) };
}

/** Writes a grid to a file, and returns its text. */
async function textOf(name: string) {
  assertExit(await grid(['-o', fileOf(name)]), 0);
  return readFileSync(fileOf(name), 'utf8');
}

const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true });

describe('extract maps grid', () => {
  test('runs one search per point around the place, and shows the price first', async () => {
    const { out, asked, calls } = assertExit(await grid([]), 0, /^9 points: 10 calls at most\.\n/);
    assert.deepEqual(asked, ['maps/place', ...ranks.map(() => 'maps/places')]);
    assert.deepEqual([calls[5]?.lat, calls[5]?.lng, calls[5]?.radius_m], [center.lat, center.lng, 5000]);
    const { data } = JSON.parse(out);
    const found = data.points.map(({ rank }: { rank: number }) => rank);
    assert.deepEqual([found, data.place.top3_share, data.answered], [ranks, 6 / 9, 9]);
    const dry = await grid(['--dry-run']);
    assert.equal(JSON.parse(dry.out).data.calls, 10);
    assert.doesNotMatch(dry.out, /credits|balance/);
    const priced = await grid(['--dry-run'], { config: { localCredits: 'fixed' } });
    assert.equal(JSON.parse(priced.out).data.credits, 30);
  });

  test('writes one page with a map, which loads nothing and escapes names', async () => {
    const text = await textOf('grid.html');
    assert.ok(text.includes('Place &lt;'));
    assert.doesNotMatch(text, /<script|<link|<img|@import|url\(|src=|href=/);
    const $ = load(text);
    assert.match($('meta[http-equiv]').attr('content') ?? '', /default-src 'none'/);
    const shown = $('svg g > text:not(.small)').toArray();
    assert.deepEqual(
      shown.map((element) => Number($(element).text())),
      ranks,
    );
    assert.match($('dl').text(), /67%.*2\.3.*9 of 9/s);
    assertExit(await grid(['-o', fileOf('grid.html')]), 2, /exists: --overwrite replaces it/);
  });

  test('is the same grid as a table and as GeoJSON', async () => {
    const rows = rowsOf(await textOf('same.csv'));
    assert.deepEqual(
      rows.map(({ rank }) => Number(rank)),
      ranks,
    );
    const { type, features, summary } = JSON.parse(await textOf('same.geojson'));
    assert.equal(type, 'FeatureCollection');
    assert.deepEqual(
      features.map(({ geometry, properties }: { geometry: object; properties: Record<string, unknown> }) => [
        geometry,
        properties.rank,
        (properties.first as ReturnType<typeof aPlace>[])[0]?.place_id,
      ]),
      // Longitude before latitude, as GeoJSON has it.
      rows.map(({ rank, lat, lng, first_place_id }) => [
        { type: 'Point', coordinates: [Number(lng), Number(lat)] },
        Number(rank),
        first_place_id,
      ]),
    );
    assert.deepEqual([summary.place.top3_share, summary.place.average_rank], [6 / 9, 21 / 9]);
    assert.equal(summary.competitors[0].place_id, 'other-0');
  });

  test('distinguishes failed points from unlisted ones, and only retries the former', async () => {
    const output = fileOf('failed.csv');
    assertExit(await grid(['-o', output], { failing: 2 }), 7);
    const [, , second = ''] = readFileSync(output, 'utf8').split('\n');
    assert.match(second, /,1,2,.*,,,,.*platform_timeout,batch_\w+$/);
    const { asked } = assertExit(await grid(argv`-o ${output} --retry-failed`), 0);
    // Keeps the place around which the other points were laid out.
    assert.deepEqual(asked, ['maps/places']);
    assert.doesNotMatch(readFileSync(output, 'utf8'), /platform_timeout/);
  });

  test('--append adds the rows of each run to one table, with its date, query and place', async () => {
    const output = fileOf('weeks.csv');
    const rows = () => rowsOf(readFileSync(output, 'utf8'));
    for (const runs of [1, 2]) {
      assertExit(await grid(argv`-o ${output} --append`), 0);
      assert.equal(rows().length, runs * 9);
    }
    assertExit(await grid(argv`-o ${output} --append --resume`), 0);
    assert.equal(rows().length, 18, 'a run that is there already');
    assert.equal(new Set(rows().map(({ run }) => run)).size, 2);
    const about = rows().map(({ date, query, place_id }) => [date, query, place_id].join());
    assert.deepEqual([...new Set(about)], [[harbourMeta.fetched_at.slice(0, 10), 'dentist', id].join()]);
  });

  test('resumes after an interruption, and never writes half a grid', async () => {
    const output = fileOf('rough.geojson');
    const stopped = await grid(['-o', output], { stopAt: 5 });
    assertExit(stopped, 130, /Continue with: extract maps grid .*--resume/);
    assert.equal(existsSync(output), false);
    const { asked } = assertExit(await grid(argv`-o ${output} --resume`), 0);
    // The place's page is cached, and so is the remaining limit.
    assert.ok(asked.length < 9, String(asked.length));
    assert.deepEqual([...new Set(asked)], ['maps/places']);
    const { features, summary } = JSON.parse(readFileSync(output, 'utf8'));
    assert.deepEqual([features.length, summary.place.name], [9, `Place <${id}>`]);
  });

  test('makes no request beyond the credit limit', async () => {
    for (const [limit, asked] of [
      ['2', 0],
      ['6', 2],
    ] as const) {
      const ran = assertExit(await grid(['--limit-credits', limit]), 3, /would exceed the limit of/);
      assert.equal(ran.calls.length, asked);
    }
  });

  test('with --demo ranks in an invented town, and marks the file as a sample', async () => {
    const output = fileOf('demo.html');
    const ran = await extract(argv`maps grid --query dentist --place ${id} --size 3 --demo -o ${output}`);
    const said = [/^9 points of sample data: no requests\./, /In the top three at [1-9]\d?% of 9 points/];
    assertExit(ran, 0, ...said);
    assert.match(readFileSync(output, 'utf8'), /Sample data: every place and rank is invented/);
  });

  test('refuses another grid, and an unfinished one, before requesting the place', async () => {
    const output = fileOf('other.csv');
    assertExit(await grid(['-o', output], { failing: 2 }), 7);
    const retry = argv`-o ${output} --retry-failed`;
    const other = ['--place', id.replace('q', 'r')];
    writeFileSync(fileOf('other.html.ndjson'), 'precious');
    for (const [args, message] of [
      [argv`${retry} --size 5`, /The grid was started with --query dentist .*--size 3/],
      [[...retry, ...other], new RegExp(`--place ${id} .*the same way`, 's')],
      [argv`-o ${output} --resume --demo`, /started without --demo/],
      [['-o', fileOf('other.html')], /other\.html\.ndjson exists/],
    ] as const) {
      const ran = assertExit(await grid(args), 2);
      assert.match(ran.err.replaceAll('\n', ' '), message);
      assert.deepEqual(ran.calls, []);
    }
  });

  const precious = fileOf('precious.csv');
  writeFileSync(precious, 'precious');
  for (const [args, said = /./] of [
    [argv`--place nowhere`],
    [argv`--spacing 1mm`],
    [argv`--size 99`],
    [argv`-o grid.pdf`],
    [argv`-o grid.constructor`],
    [['--resume']],
    [argv`--language Greek`],
    [argv`--append -o ${fileOf('weeks.html')}`],
    [argv`--append -o ${fileOf('weeks.geojson')}`],
    [argv`--resume -o ${precious}`, /precious\.csv.*--overwrite starts over/],
    [argv`--retry-failed -o ${precious}`, /precious\.csv.*--overwrite starts over/],
  ] as const)
    test(`is refused before any request with ${args.join(' ').replace(folder, '')}`, async () => {
      const { calls } = assertExit(await grid(args), 2, said);
      assert.deepEqual(calls, []);
      assert.equal(readFileSync(precious, 'utf8'), 'precious');
    });
});
