import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { harbourMeta } from '../../support/invented-rows.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const id = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
const center = { lat: 47.07, lng: 15.4377 };
const meta = { ...harbourMeta, credits_charged: 3 };
const aPlace = (place_id: string) => ({
  ...{ place_id, name: `Place <${place_id}>`, formatted_address: null, location: center },
  ...{ rating: 4.5, user_ratings_total: 12 },
});

/** Answers each search with as many others before the place as it lies south of the middle. */
function platform(
  calls: Record<string, unknown>[],
  fail = (_: number) => false,
): Pick<CommandExtractor, 'answer'> {
  return {
    async answer({ path: endpoint }, params) {
      calls.push({ endpoint, ...params });
      if (endpoint === 'maps/place')
        return { source: 'platform', json: JSON.stringify({ ...aPlace(id), location: center }), meta };
      const searches = calls.filter(({ endpoint: one }) => one === 'maps/places').length;
      if (fail(searches)) throw new ExtractError('platform_timeout');
      const before = Math.max(0, Math.round((center.lat - Number(params.lat)) * 1000));
      const list = [...Array.from({ length: before }, (_, at) => `other-${at}`), id].map(aPlace);
      const sources = list.map((_, at) => ({
        ...{ id: null, url: null, author: null, position: at + 1, fetched_at: meta.fetched_at },
      }));
      return { source: 'platform', json: JSON.stringify(list), sources: JSON.stringify(sources), meta };
    },
  };
}

const grid = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(argv`maps grid --query dentist --place ${id} --size 3 ${args}`, surroundings);

describe('extract maps grid', () => {
  test('runs one search per point around the place, and shows the price first', async () => {
    const calls: Record<string, unknown>[] = [];
    const { status, out, err } = await grid([], { extractor: platform(calls) });
    assert.equal(status, 0, err);
    assert.match(err, /^9 points: 10 calls at most\.\n/);
    const endpoints = calls.map(({ endpoint }) => endpoint);
    assert.deepEqual(endpoints, ['maps/place', ...Array.from({ length: 9 }, () => 'maps/places')]);
    assert.deepEqual([calls[5]?.lat, calls[5]?.lng, calls[5]?.radius_m], [center.lat, center.lng, 5000]);
    const { data } = JSON.parse(out);
    const ranks = data.points.map(({ rank }: { rank: number }) => rank);
    assert.deepEqual(ranks, [1, 1, 1, 1, 1, 1, 5, 5, 5]);
    assert.deepEqual([data.place.top3_share, data.answered], [6 / 9, 9]);
    const dry = await grid(['--dry-run'], { extractor: platform([]) });
    assert.equal(JSON.parse(dry.out).data.calls, 10);
    assert.doesNotMatch(dry.out, /credits|balance/);
    const priced = await grid(['--dry-run'], { extractor: platform([]), config: { localCredits: 'fixed' } });
    assert.equal(JSON.parse(priced.out).data.credits, 30);
  });

  test('writes one page with a map, which loads nothing and escapes names', async () => {
    const output = path.join(folder, 'grid.html');
    assertExit(await grid(['-o', output], { extractor: platform([]) }), 0);
    const text = readFileSync(output, 'utf8');
    assert.ok(text.includes('Place &lt;'));
    assert.doesNotMatch(text, /<script|<link|<img|@import|url\(|src=|href=/);
    const $ = load(text);
    assert.match($('meta[http-equiv]').attr('content') ?? '', /default-src 'none'/);
    const ranks = $('svg g > text:not(.small)')
      .toArray()
      .map((element) => $(element).text());
    assert.deepEqual(ranks, ['1', '1', '1', '1', '1', '1', '5', '5', '5']);
    assert.match($('dl').text(), /67%.*2\.3.*9 of 9/s);
    assertExit(await grid(['-o', output], { extractor: platform([]) }), 2, /exists: --overwrite replaces it/);
  });

  test('is the same grid as a table and as GeoJSON', async () => {
    const tableText = async (name: string) => {
      const output = path.join(folder, name);
      assertExit(await grid(['-o', output], { extractor: platform([]) }), 0);
      return readFileSync(output, 'utf8');
    };
    const rows: Record<string, string>[] = parse(await tableText('same.csv'), { columns: true });
    const { type, features, summary } = JSON.parse(await tableText('same.geojson'));
    assert.equal(type, 'FeatureCollection');
    assert.deepEqual([rows.length, features.length], [9, 9]);
    for (const [at, { geometry, properties }] of features.entries()) {
      assert.equal(geometry.type, 'Point');
      const { rank, lat, lng, first_place_id } = rows[at] ?? {};
      // Longitude before latitude, as GeoJSON has it.
      assert.deepEqual(geometry.coordinates, [Number(lng), Number(lat)]);
      assert.deepEqual([properties.rank, properties.first[0].place_id], [Number(rank), first_place_id]);
    }
    const ranks = rows.map(({ rank }) => rank);
    assert.deepEqual(ranks, ['1', '1', '1', '1', '1', '1', '5', '5', '5']);
    assert.deepEqual([summary.place.top3_share, summary.place.average_rank], [6 / 9, 21 / 9]);
    assert.equal(summary.competitors[0].place_id, 'other-0');
  });

  test('distinguishes failed points from unlisted ones, and only retries the former', async () => {
    const output = path.join(folder, 'failed.csv');
    assertExit(await grid(['-o', output], { extractor: platform([], (search) => search === 2) }), 7);
    const [, , second] = readFileSync(output, 'utf8').split('\n');
    assert.match(second ?? '', /,1,2,.*,,,,.*platform_timeout,batch_\w+$/);
    const calls: Record<string, unknown>[] = [];
    assertExit(await grid(argv`-o ${output} --retry-failed`, { extractor: platform(calls) }), 0);
    // Keeps the place around which the other points were laid out.
    const endpoints = calls.map(({ endpoint }) => endpoint);
    assert.deepEqual(endpoints, ['maps/places']);
    assert.doesNotMatch(readFileSync(output, 'utf8'), /platform_timeout/);
  });

  test('--append adds the rows of each run to one table, with its date, query and place', async () => {
    const output = path.join(folder, 'weeks.csv');
    const rows = () => parse<Record<string, string>>(readFileSync(output, 'utf8'), { columns: true });
    for (const runs of [1, 2]) {
      assertExit(await grid(argv`-o ${output} --append`, { extractor: platform([]) }), 0);
      assert.equal(rows().length, runs * 9);
    }
    const again = await grid(argv`-o ${output} --append --resume`, { extractor: platform([]) });
    assert.deepEqual([again.status, rows().length], [0, 18], 'a run that is there already');
    assert.equal(new Set(rows().map(({ run }) => run)).size, 2);
    const about = rows().map(({ date, query, place_id }) => [date, query, place_id].join());
    assert.deepEqual([...new Set(about)], [[meta.fetched_at.slice(0, 10), 'dentist', id].join()]);
    for (const file of ['weeks.html', 'weeks.geojson'])
      assert.equal((await grid(argv`-o ${path.join(folder, file)} --append`)).status, 2);
  });

  test('resumes after an interruption, and never writes half a grid', async () => {
    const output = path.join(folder, 'rough.geojson');
    const ending = new AbortController();
    const first: Record<string, unknown>[] = [];
    const counted = platform(first);
    const stopped = await grid(['-o', output], {
      signal: ending.signal,
      extractor: {
        answer(...call) {
          if (first.length === 4) ending.abort(new Interruption('SIGINT'));
          return counted.answer(...call);
        },
      },
    });
    assertExit(stopped, 130, /Continue with: extract maps grid .*--resume/);
    assert.equal(existsSync(output), false);
    const calls: Record<string, unknown>[] = [];
    assertExit(await grid(argv`-o ${output} --resume`, { extractor: platform(calls) }), 0);
    // The place's page is cached, and so is the remaining limit.
    assert.ok(calls.length < 9, String(calls.length));
    assert.ok(calls.every(({ endpoint }) => endpoint === 'maps/places'));
    const { features, summary } = JSON.parse(readFileSync(output, 'utf8'));
    assert.deepEqual([features.length, summary.place.name], [9, `Place <${id}>`]);
  });

  test('refuses another grid, and an unfinished one, before requesting the place', async () => {
    const output = path.join(folder, 'other.csv');
    assertExit(await grid(['-o', output], { extractor: platform([], (search) => search === 2) }), 7);
    for (const [args, message] of [
      [argv`-o ${output} --retry-failed --size 5`, /The grid was started with --query dentist .*--size 3/],
      [
        argv`-o ${output} --retry-failed --place ${id.replace('q', 'r')}`,
        new RegExp(`--place ${id} .*the same way`, 's'),
      ],
      [argv`-o ${output} --resume --demo`, /started without --demo/],
      [['-o', path.join(folder, 'other.html')], /other\.html\.ndjson exists/],
    ] as const) {
      writeFileSync(path.join(folder, 'other.html.ndjson'), 'precious');
      const calls: Record<string, unknown>[] = [];
      const { status, err } = await grid(args, { extractor: platform(calls) });
      assert.deepEqual([status, calls.length], [2, 0], err);
      assert.match(err.replaceAll('\n', ' '), message);
    }
  });

  test('never replaces a file that no grid wrote', async () => {
    const output = path.join(folder, 'precious.csv');
    writeFileSync(output, 'precious');
    for (const goOn of argv`--resume --retry-failed`) {
      const calls: Record<string, unknown>[] = [];
      const { status, err } = await grid(['-o', output, goOn], { extractor: platform(calls) });
      assert.equal(status, 2, err);
      assert.match(err, /precious\.csv.*--overwrite starts over/);
      assert.deepEqual(calls, []);
    }
    assert.equal(readFileSync(output, 'utf8'), 'precious');
  });

  test('makes no request beyond the credit limit', async () => {
    for (const [limit, asked] of [
      ['2', 0],
      ['6', 2],
    ] as const) {
      const calls: Record<string, unknown>[] = [];
      const { status, err } = await grid(['--limit-credits', limit], { extractor: platform(calls) });
      assert.deepEqual([status, calls.length], [3, asked], err);
      assert.match(err, /would exceed the limit of/);
    }
  });

  test('with --demo ranks in an invented town, and marks the file as a sample', async () => {
    const output = path.join(folder, 'demo.html');
    const { status, err } = await grid(argv`-o ${output} --demo`);
    assert.equal(status, 0, err);
    assert.match(err, /^9 points of sample data: no requests\./);
    const text = readFileSync(output, 'utf8');
    assert.match(text, /Sample data: every place and rank is invented/);
    assert.match(err, /In the top three at [1-9]\d?% of 9 points/);
  });

  test('refuses impossible options before any request', async () => {
    for (const args of [
      argv`--place nowhere`,
      argv`--spacing 1mm`,
      argv`--size 99`,
      argv`-o grid.pdf`,
      argv`-o grid.constructor`,
      ['--resume'],
      argv`--language Greek`,
    ]) {
      const calls: Record<string, unknown>[] = [];
      const { status } = await grid(args, { extractor: platform(calls) });
      assert.deepEqual([status, calls.length], [2, 0], args.join(' '));
    }
  });
});
