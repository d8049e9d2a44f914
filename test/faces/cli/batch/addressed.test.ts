import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const newFile = newFiles(temporaryFolder());

const urls = [
  'https://www.tiktok.com/@mira.kettle',
  'https://www.instagram.com/harbor.lantern/',
  '',
  'https://www.linkedin.com/company/acme',
  'tiktok.com/@other',
  'https://www.google.com/maps/search/coffee+porto/',
].join('\n');

const batch = (file: string, ...args: string[]) => extract(argv`batch ${file} --demo ${args}`);
const ofKind = (output: string, name: string) => output.replace(/\.(\w+)$/, `.${name}.$1`);

describe('a batch of URLs', () => {
  test('reads each with the endpoint that it belongs to', async () => {
    const said = /URLs: 2 for tiktok\/profile, 1 for instagram\/profile, .* 1 for google-maps\/places/;
    const { out } = assertExit(await batch(newFile('txt', urls)), 0, said);
    const asked = ndjsonValues(out).map(({ endpoint, input }) => [endpoint, Object.values(input)[0]]);
    assert.deepEqual(asked, [
      ['shortvideo/profile', 'https://www.tiktok.com/@mira.kettle'],
      ['shortvideo/profile', 'tiktok.com/@other'],
      ['photosocial/profile', 'https://www.instagram.com/harbor.lantern/'],
      ['pronetwork/company', 'https://www.linkedin.com/company/acme'],
      ['maps/places', 'coffee porto'],
    ]);
  });

  test('comes from the standard input, too', async () => {
    const { out } = assertExit(await extract(argv`batch - --demo`, { stdin: urls }), 0);
    assert.equal(ndjsonValues(out).length, 5);
  });

  test('writes one workbook with sheets for each object, and resumes where it stopped', async () => {
    const output = newFile('xlsx');
    assertExit(await batch(newFile('txt', `${urls}\nhttps://example.org/a\n`), '-o', output), 7);
    const { sheets } = await readXlsx(readFileSync(output));
    const names = sheets.map(({ name }) => name).filter((name) => !name.endsWith('runs'));
    const others = 'Instagram profile, LinkedIn company, Google Maps places';
    assert.equal(names.join(', '), `TikTok profile, TikTok profile errors, ${others}`);
    assert.match(JSON.stringify(sheets[1]?.rows), /invalid_url","Line 7: No endpoint reads this page/);
    const input = newFile('txt', urls);
    assertExit(await batch(input, '-o', output), 2, /exists/);
    for (const option of ['--overwrite', '--resume']) assertExit(await batch(input, '-o', output, option), 0);
  });

  test('is a file an object, or a table of one database', async () => {
    const [csv, database] = [newFile('csv'), newFile('sqlite')];
    const input = newFile('txt', urls);
    assertExit(await batch(input, '-o', csv), 0);
    for (const name of ['tiktok-profile', 'instagram-profile', 'linkedin-company', 'google-maps-places'])
      assert.ok(existsSync(ofKind(csv, name)), name);
    assertExit(await batch(input, '-o', database), 0);
    for (const table of ['shortvideo_profile', 'maps_places'])
      assert.ok(queryFile(database, `SELECT * FROM ${table}`).length > 0, table);
  });

  test('may be a table; rows without a URL are skipped, and other columns kept', async () => {
    const rows = [
      ['Brand', 'Link', 'Budget €'],
      ['Kettle', 'https://www.tiktok.com/@mira.kettle', 1000],
      ['Nothing', null, 7],
      ['Lantern', 'https://www.instagram.com/harbor.lantern/', 250.5],
    ];
    const book = newFile('xlsx', await writeXlsx({ sheets: [{ name: 'Mine', rows }] }));
    const csv = newFile('csv', rows.map((row) => row.join(';')).join('\n'));
    for (const [file, kettle, lantern] of [
      [book, 1000, 250.5],
      [csv, '1000', '250.5'],
    ] as const) {
      const { out } = assertExit(await batch(file), 0, /1 row without a URL skipped/);
      const owns = ndjsonValues(out).map(({ own }) => [own.Brand, own['Budget €']]);
      assert.deepEqual(Object.fromEntries(owns), { Kettle: kettle, Lantern: lantern });
    }
  });

  test('is refused in one sentence where nothing of it can be read', async () => {
    for (const [file, said, ...args] of [
      [newFile('txt', 'nasa\n'), /No endpoint reads this page|No URL/],
      [newFile('csv', 'a,b\n1,2\n'), /a table without a column of URLs: add the endpoint/],
      [newFile('ndjson', '{"url":"https://www.tiktok.com/@mira"}\n'), /JSON: add the endpoint/],
      [newFile('txt', urls), /--map needs an endpoint: extract batch ENDPOINT/, '--map', 'url=a'],
      ['absent.txt', /absent\.txt/],
    ] as const)
      assertExit(await batch(file, ...args), 2, said);
  });
});
