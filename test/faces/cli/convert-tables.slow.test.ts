// What `extract convert` reads back from tables: each value as the lines had it, or a refusal by name.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { casesOf } from '../../../lib/samples.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

type Line = { readonly input?: unknown; readonly data?: unknown; readonly error?: { readonly code: string } };
const linesOf = (name: string): Line[] => ndjsonValues(text(name));
const itemsOf = (lines: readonly Line[]) => lines.flatMap(({ data = [] }) => data);

async function convert(from: string, to: string, ...args: readonly string[]): Promise<string> {
  const { err } = assertExit(await extract(argv`convert ${at(from)} ${at(to)} --overwrite ${args}`), 0);
  return err;
}

async function refusal(from: string, ...args: readonly string[]): Promise<string> {
  const { err } = assertExit(await extract(['convert', at(from), at('refused.ndjson'), ...args]), 2);
  assert.doesNotMatch(err, /internal_error/);
  return err;
}

/** How each kind of table is written. */
const tables: readonly (readonly [kind: string, ...args: string[]])[] = [
  ['csv'],
  ['csv', '--csv-raw'],
  ['csv', '--csv-excel', 'semicolon'],
  ['tsv'],
  ['xlsx'],
  ['parquet'],
];

/** Objects that may have a value in no field, and of which cells do not say whether they are null. */
const untold: Readonly<Record<string, RegExp>> = {
  'pronetwork/posts': /the empty cells of video are an object of nulls, or null/,
  'shortvideo/videos': /the empty cells of sound are an object of nulls, or null/,
  'shortvideo/video': /the empty cells of sound are an object of nulls, or null/,
};

/** The lines of a batch over the samples of an endpoint, and one input that fails. */
async function sampleLines(path: Endpoint['path']): Promise<string> {
  const cases = (await casesOf({ path })).filter(({ error }) => error === undefined);
  writeFileSync(at('inputs.ndjson'), ndjsonText(cases.map(({ params }) => params)));
  const name = `${path.replace('/', '-')}.ndjson`;
  const batch = argv`batch ${path} ${at('inputs.ndjson')} --demo --sources --on-refusal fail`;
  await extract([...batch, '-o', at(name)]);
  return name;
}

describe('extract convert of a table', () => {
  for (const { path: name } of endpoints) {
    test(`${name}: returns the objects of its lines from every format`, async () => {
      const lines = await sampleLines(name);
      const items = itemsOf(linesOf(lines));
      assert.ok(items.length > 0);
      const endpoint = ['--endpoint', name];
      for (const [kind, ...style] of tables) {
        const [table, back] = [`table.${kind}`, 'back.ndjson'];
        await convert(lines, table, ...style);
        if (untold[name] !== undefined && kind !== 'parquet') {
          assert.match(await refusal(table, ...endpoint), untold[name], kind);
          continue;
        }
        const stderr = await convert(table, back, ...endpoint);
        assert.match(stderr, /Sources are omitted, because a table only has parts of them\./);
        assert.deepEqual(itemsOf(linesOf(back)), items, `${kind} ${style.join(' ')}`);
        await convert(table, 'again.csv', ...endpoint);
        await convert(lines, 'first.csv');
        assert.equal(text('again.csv'), text('first.csv'), `${kind} ${style.join(' ')}`);
      }
    });
  }

  test('returns inputs with the types of their parameters', async () => {
    const inputs = [
      { query: '12', limit: 5, lat: 47.07, lng: -9 },
      { query: 'cafe', limit: 2 },
    ];
    writeFileSync(at('areas.ndjson'), ndjsonText(inputs));
    const batch = argv`batch maps/places ${at('areas.ndjson')} --demo --sources`;
    assert.equal((await extract([...batch, '-o', at('areas.out.ndjson')])).status, 0);
    for (const [kind, ...style] of tables) {
      await convert('areas.out.ndjson', `areas.${kind}`, ...style);
      await convert(`areas.${kind}`, 'areas.back.ndjson', '--endpoint', 'maps/places');
      const back = linesOf('areas.back.ndjson').map(({ input }) => input);
      assert.deepEqual(back, inputs, `${kind} ${style.join(' ')}`);
    }
  });

  test('distinguishes apostrophes of a text from those before a formula', async () => {
    const item = (note: string) => ({ username: 'a', text: note, timestamp: '2026-11-20T10:00:00.000Z' });
    const rest = { like_count: null, reply_count: null, parent_id: null };
    const notes = ['=1', "'=1", "''=1", '-5', "'-5", '@ann look', "'quoted'", '+43 664 1234567', '-', "'"];
    writeFileSync(at('notes.ndjson'), ndjsonText(notes.map((note) => ({ ...item(note), ...rest }))));
    const endpoint = argv`--endpoint photosocial/comments`;
    for (const kind of ['csv', 'tsv']) {
      await convert('notes.ndjson', `notes.${kind}`, ...endpoint);
      await convert(`notes.${kind}`, 'notes.back.ndjson', ...endpoint);
      assert.equal(text('notes.back.ndjson'), text('notes.ndjson'));
    }
    await convert('notes.ndjson', 'raw.csv', '--csv-raw', ...endpoint);
    const said = /only some of the cells that begin like a formula have an apostrophe/;
    assert.match(await refusal('raw.csv', ...endpoint), said);
  });

  test('refuses ambiguous content, naming it', async () => {
    const lines = await sampleLines('maps/reviews');
    const endpoint = argv`--endpoint maps/reviews`;
    await convert(lines, 'bare.csv', '--no-sources');
    assert.match(await refusal('bare.csv', ...endpoint), /do not show which input they belong to/);
    await convert(lines, 'whole.csv');
    const [head = ''] = text('whole.csv').split('\n');
    const damaged: readonly (readonly [RegExp, string])[] = [
      [/has no column owner_response.text/, head.replace('owner_response.text', 'owner_response')],
      [/its column .*"input.colour.*" is not a field of maps\/reviews/, `${head},input.colour\n`],
      [/line \d+: rating, as maps\/reviews has it/, text('whole.csv').replace(',5,', ',many,')],
      [/Invalid Record Length/, `${text('whole.csv')}a,b\n`],
      [/has no column/, ''],
    ];
    for (const [said, content] of damaged) {
      writeFileSync(at('damaged.csv'), content);
      assert.match(await refusal('damaged.csv', ...endpoint), said);
    }
    assert.match(await refusal('whole.csv'), /Which endpoint returned these results/);
    for (const kind of ['xlsx', 'parquet', 'csv', 'ndjson', 'json']) {
      writeFileSync(at(`none.${kind}`), Buffer.from([0, 1, 2, 0xff]));
      assert.match(await refusal(`none.${kind}`, ...endpoint), new RegExp(`none\\.${kind}`), kind);
    }
    await convert(lines, 'reviews.sqlite');
    const said = /its rows do not tell unknown lists from empty ones/;
    assert.match(await refusal('reviews.sqlite', ...endpoint), said);
  });
});
