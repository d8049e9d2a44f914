// The five workflows of people who use such data, typed from the first command to the file as its own reader opens it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import readWorkbook from 'read-excel-file/node';
import { duckdb } from '../files/result-files/harness.js';
import type { Answers } from '../support/browser-site.js';
import { fixtureSite } from '../support/fixture-site.js';
import { openTerminal, type Terminal } from './terminal.js';

/** The rows of a workbook's first sheet, by the titles of its columns. */
async function sheetOf(terminal: Terminal, name: string): Promise<Record<string, unknown>[]> {
  const [sheet] = await readWorkbook(readFileSync(path.join(terminal.folder, name)));
  const [titles = [], ...rows] = sheet?.data ?? [];
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [String(title), row[at]])));
}

/** The place of the first sample of maps. */
const place = 'ChIJtjc9rEc1bkcRzq9EdYiTlqE';
const recordedVideo = '7571000000000000201';

/** The comments of the recorded video, under whichever video they are asked for. */
async function studySite(): Promise<Answers> {
  const site = await fixtureSite({ 'shortvideo/search': 1, 'shortvideo/comments': 1 });
  return (request) => {
    const id = request.query.get('aweme_id');
    if (id === null) return site(request);
    const given = site({ ...request, url: request.url.replace(id, recordedVideo) });
    return given && { ...given, body: (given.body ?? '').replaceAll(recordedVideo, id) };
  };
}

/** With sample data, and with recorded pages in place of the platforms. */
const worlds: readonly (readonly [
  string,
  (...given: Parameters<typeof fixtureSite>) => Promise<Answers | undefined>,
])[] = [
  ['sample data', async () => undefined],
  ['recorded pages', fixtureSite],
];

for (const [world, site] of worlds) {
  describe(`with ${world}`, { concurrency: 2 }, () => {
    test('an agency is told of a bad review once, with its link and the name of its client', async () => {
      const terminal = await openTerminal(await site({ 'maps/reviews': 2 }));
      terminal.write('clients.csv', `client,place_id\nCoffee house,${place}\n`);
      const line = "extract batch maps/reviews clients.csv --new clients --when 'rating <= 3' -o";
      await terminal.type(`${line} monday.xlsx`);
      const monday = await sheetOf(terminal, 'monday.xlsx');
      assert.ok(monday.length >= 3);
      for (const row of monday) {
        assert.ok(Number(row.rating) <= 3, JSON.stringify(row));
        assert.match(String(row.source_url), /^https:\/\/www\.google\.com\/maps\/reviews\//);
        assert.equal(row['own.client'], 'Coffee house');
      }
      await terminal.type(`${line} tuesday.xlsx`);
      const known = new Set(monday.map((row) => row.source_id));
      const tuesday = await sheetOf(terminal, 'tuesday.xlsx');
      assert.deepEqual(
        tuesday.filter((row) => known.has(row.source_id)),
        [],
      );
    });

    test('a shop knows its rank around it, and how ranks at a point have moved', async () => {
      const terminal = await openTerminal(await site({ 'maps/place': 1, 'maps/places': 1 }));
      const search = `--query 'bakery in Graz' --language de --place ${place}`;
      await terminal.type(`extract maps grid ${search} --size 3 -o grid.csv`);
      const grid = await duckdb(`SELECT * FROM read_csv('${path.join(terminal.folder, 'grid.csv')}')`);
      assert.equal(grid.length, 9);
      assert.ok(grid.every((row) => 'rank' in row && Number(row.lat) > 47 && Number(row.lat) < 48));
      terminal.write('points.csv', 'query,lat,lng\nbakery in Graz,47.06,15.43\nbakery in Graz,47.07,15.44\n');
      for (let week = 0; week < 2; week += 1) {
        await terminal.type('extract batch maps/places points.csv --fresh --append -o ranks.sqlite');
      }
      const ranks = terminal.query(
        'ranks.sqlite',
        `SELECT item, input, count(DISTINCT run) AS runs, count(DISTINCT fetched_at) AS times, min(position) AS best
         FROM seen GROUP BY item, input HAVING runs = 2`,
      );
      assert.ok(new Set(ranks.map(({ input }) => input)).size === 2, 'both points, in both weeks');
      assert.ok(ranks.every(({ times, best }) => times === 2 && Number(best) >= 1));
    });

    test('a sheet of creators is brought up to date from week to week', async () => {
      const terminal = await openTerminal(await site({ 'shortvideo/search': 1, 'shortvideo/profile': 1 }));
      const line =
        "extract shortvideo search '#Harbour' --sources --format ndjson | " +
        'extract batch shortvideo/profile - --map username=source.author.handle --fresh --append -o creators.sqlite';
      // Of the recorded authors one has a page.
      const status = world === 'sample data' ? 0 : 7;
      for (let week = 0; week < 2; week += 1) await terminal.type(line, status);
      const [creator] = terminal.query(
        'creators.sqlite',
        `SELECT count(*) AS rows, source_url, (SELECT count(DISTINCT run) FROM seen) AS weeks
         FROM shortvideo_profile WHERE username = 'mira.kettle' AND follower_count > 0`,
      );
      assert.deepEqual(creator, { rows: 1, source_url: 'https://www.tiktok.com/@mira.kettle', weeks: 2 });
      await terminal.type('extract convert creators.sqlite.ndjson creators.xlsx');
      const titles = Object.keys((await sheetOf(terminal, 'creators.xlsx'))[0] ?? {});
      assert.ok(titles.includes('follower_count') && titles.includes('fetched_at'));
    });

    test('a researcher has the videos of a hashtag and their comments in tables that join', async () => {
      const terminal = await openTerminal(world === 'sample data' ? undefined : await studySite());
      terminal.write('words.txt', '#Harbour\n');
      const chain = 'extract batch shortvideo/search words.txt --then shortvideo/comments --then-limit 2';
      await terminal.type(`${chain} -o study.parquet`);
      const of = (stage: string) => `read_parquet('${path.join(terminal.folder, `study.${stage}.parquet`)}')`;
      const joined = await duckdb(
        `SELECT v.id, v.source_url, v.author_handle, count(*) AS comments, count(DISTINCT c.source_id) AS ids
         FROM ${of('1-shortvideo-search')} v JOIN ${of('2-shortvideo-comments')} c ON c.video_id = v.id GROUP BY ALL`,
      );
      assert.equal(joined.length, 2);
      for (const row of joined) {
        assert.equal(row.source_url, `https://www.tiktok.com/@${row.author_handle}/video/${row.id}`);
        assert.ok(Number(row.comments) >= 3 && row.comments === row.ids, JSON.stringify(row));
      }
    });

    test('somebody who looks for work has each new job once, with its link, and none is lost', async () => {
      const terminal = await openTerminal(await site({ 'pronetwork/jobs': 1 }));
      // The sample of its own name is as it was recorded: another name has news.
      const query = world === 'sample data' ? 'kiln' : 'lantern engineer';
      terminal.write('searches.csv', `query,limit\n${query},5\n`);
      const line = 'extract batch pronetwork/jobs searches.csv --new jobs --fresh --append -o jobs.sqlite';
      const jobs = () =>
        terminal.query('jobs.sqlite', 'SELECT source_id, source_url, title FROM pronetwork_jobs');
      await terminal.type(line);
      const first = jobs();
      assert.equal(first.length, 5);
      await terminal.type(line);
      const second = jobs();
      assert.deepEqual(second.slice(0, 5), first);
      assert.equal(second.length, world === 'sample data' ? 6 : 5);
      for (const { source_id: id, source_url: url, title } of second) {
        assert.equal(url, `https://www.linkedin.com/jobs/view/${id}`);
        assert.ok(String(title).length > 2);
      }
    });
  });
}
