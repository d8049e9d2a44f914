import assert from 'node:assert/strict';
import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../src/faces/cli/context.js';
import { ownHeading } from '../../../src/files/result-files/result-headings.js';
import { argv, assertExit, extract } from '../../support/cli.js';
import { aCoverage } from '../../support/coverage.js';
import { aHarbour, anAnswer, inventedRows, sourcesOf } from '../../support/invented-rows.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const bytes = (name: string) => readFileSync(at(name));
const textOf = (name: string) => bytes(name).toString();
const write = (name: string, text: string) => writeFileSync(at(name), text);

/** Answers two harbours per query, with their sources if requested; none for “none”. The next page of “half” fails. */
const extractor: Pick<CommandExtractor, 'answer'> = {
  async answer(_, { query, sources, cursor }) {
    if (query === 'none') throw new ExtractError('place_not_found', 'There is none.');
    if (cursor !== undefined) throw new ExtractError('platform_unavailable', 'HTTP 500.');
    const names = ['North', 'South'].map((side) => `${query} ${side}`);
    const sourceText = sourcesOf(names, () => ({ url: 'https://harbours.example/a' }));
    return anAnswer(
      names.map((name) => aHarbour({ name, note: '=1, "2"' })),
      {
        sources: sources === true ? sourceText : undefined,
        coverage: aCoverage({ given: 2, total: 9, ended: 'visitors', ignored: ['radius_m'] }),
        meta: { next_cursor: query === 'half' ? 'c' : null },
      },
    );
  },
};

const command = (...args: readonly string[]) => extract(args, { endpoints: inventedRows, extractor });

async function done(...args: readonly string[]): Promise<string> {
  const { status, err } = await command(...args);
  assert.ok(status === 0 || status === 7, err);
  return err;
}

write('in.csv', 'client,query\nBakery,Oak\nMill,none\nForge,Elm\n');
write('half.csv', 'client,query\nBakery,Oak\nQuay,half\nMill,none\nForge,Elm\n');
/** A batch over the inputs of a file, into another; and a conversion of one file into another. */
const batch = (to: string, from = 'in.csv', ...more: string[]) =>
  done(...argv`batch maps/harbours ${at(from)} -o ${at(to)} ${more}`);
const convert = (from: string, to: string, ...more: string[]) =>
  done(...argv`convert ${at(from)} ${at(to)} ${more}`);
const endpointOption = argv`--endpoint maps/harbours`;

const cellsOf = async (name: string) => (await readXlsx(bytes(name))).sheets.map(({ rows }) => rows);

function tablesOf(name: string) {
  const rows = ['maps_harbours', 'seen', 'extract_errors'].map((table) =>
    queryFile(at(name), `SELECT * FROM ${table}`),
  );
  // The run and its time come from the file.
  return JSON.parse(JSON.stringify(rows, (key, value) => (/run|finished_at/.test(key) ? null : value)));
}

/** The two files are the same, but for the time of a database. */
async function assertSame(made: string, own: string) {
  if (made.endsWith('xlsx')) assert.deepEqual(await cellsOf(made), await cellsOf(own));
  else if (made.endsWith('sqlite')) assert.deepEqual(tablesOf(made), tablesOf(own));
  else assert.deepEqual(bytes(made), bytes(own), made);
}

/** The lines of a file as a table has them: without sources, and with the code and message alone of an error. */
const linesOf = (name: string) =>
  ndjsonValues(textOf(name)).map(({ sources: _, coverage: __, error, ...line }) => ({
    ...line,
    error: error && [error.code, error.message],
  }));

describe('extract convert', () => {
  for (const [what, inputs, options, counted] of [
    ['a list and a failed input', 'in.csv', argv`--sources`, /4 items and 1 failed input of/],
    ['a partial list', 'half.csv', argv`--all --sources`, /6 items and 2 failed inputs of/],
    ['lists without sources', 'half.csv', argv`--all`, /6 items and 2 failed inputs of/],
  ] as const)
    test(`of ${what} writes what the batch would have, in every format, and reads it back`, async () => {
      const name = (ending: string) => `${what.replaceAll(' ', '-')}.${ending}`;
      await batch(name('ndjson'), inputs, ...options);
      if (inputs === 'half.csv')
        assert.match(textOf(name('ndjson')), /half North.*half South.*"error":\{.*platform_unavailable/);
      for (const kind of ['json', 'csv', 'tsv', 'parquet', 'xlsx', 'sqlite']) {
        const made = name(`made.${kind}`);
        await batch(name(kind), inputs, ...options);
        assert.match(await convert(name('ndjson'), made), counted);
        // A batch asks for the sources that a table has.
        if (options.includes('--sources')) await assertSame(made, name(kind));
        // A database has no list of inputs.
        if (kind === 'sqlite') continue;
        const back = name(`back.${kind}.ndjson`);
        await convert(made, back, ...endpointOption);
        if (kind === 'json') assert.equal(textOf(back), textOf(name('ndjson')));
        else assert.deepEqual(linesOf(back), linesOf(name('ndjson')), kind);
      }
      // A table is converted by the lines next to it.
      await convert(name('xlsx'), name('of-xlsx.csv'));
      assert.deepEqual(bytes(name('of-xlsx.csv')), bytes(name('csv')));
    });

  test('refuses a database of several runs whose lines are of the last run', async () => {
    await batch('runs.sqlite', 'in.csv', '--append');
    await convert('runs.sqlite', 'one-run.csv');
    await batch('runs.sqlite', 'in.csv', '--append');
    assertExit(
      await command('convert', at('runs.sqlite'), at('two-runs.csv')),
      2,
      /contains 2 runs, but the lines .* of the last run only\. Convert .*runs\.sqlite\.ndjson/,
    );
    await convert('runs.sqlite.ndjson', 'last-run.csv');
    assert.deepEqual(bytes('last-run.csv'), bytes('one-run.csv'));
  });

  test('accepts items without inputs, and omits sources on request', async () => {
    const items = [aHarbour({ name: 'a' }), aHarbour({ name: 'b' })];
    write('items.ndjson', ndjsonText(items));
    for (const to of ['items.json', 'items.csv']) await convert('items.ndjson', to, ...endpointOption);
    assert.deepEqual(JSON.parse(textOf('items.json')), items);
    assert.match(textOf('items.csv'), /^name,berths,.*\na,12,.*\nb,12,.*\n$/);
    await batch('lean.ndjson', 'in.csv', '--sources');
    await convert('lean.ndjson', 'lean.csv', '--no-sources');
    assert.doesNotMatch(textOf('lean.csv'), /source_id/);
  });

  test('creates a column for each of the user’s values, whichever line has it', async () => {
    write('objects.ndjson', '{"query":"Oak","client":"Bakery"}\n{"query":"Elm","town":"Graz"}\n');
    await batch('differing.ndjson', 'objects.ndjson');
    for (const to of ['differing.csv', 'differing.xlsx']) await convert('differing.ndjson', to);
    const [head = '', , , , last = ''] = textOf('differing.csv').split('\n');
    assert.match(head, /,client,town,/);
    assert.match(last, /^Elm,+Graz,/);
    const [rows = []] = await cellsOf('differing.xlsx');
    assert.deepEqual(rows[0]?.slice(0, 3), ['query', 'client', 'town']);
  });

  test('tells the parameters of two endpoints apart that return the same object', () => {
    const returns = z.strictObject({ name: z.string() });
    const headingOf = (param: string) => ownHeading({ params: { [param]: z.string() }, returns }, 'town');
    assert.deepEqual([headingOf('query'), headingOf('town')], ['town', 'own.town']);
  });

  test('reads tables of earlier releases, and columns that were added since', async () => {
    await batch('now.ndjson', 'in.csv', '--sources');
    await convert('now.ndjson', 'now.csv');
    const table = textOf('now.csv');
    const [head = '', ...rows] = table.split('\n');
    assert.match(head, /^query,lat,.*,client,name,/);
    const earlier = head.replace(/^(.*),client,/, (_, params: string) =>
      [...params.split(',').map((name) => `input.${name}`), 'own.client', ''].join(','),
    );
    write('earlier.csv', [earlier, ...rows].join('\n'));
    for (const name of ['now', 'earlier']) {
      await convert(`${name}.csv`, `${name}-again.csv`, ...endpointOption);
      assert.equal(textOf(`${name}-again.csv`), table);
    }
    const noted = rows.map((row) => (row === '' ? row : `${row},yes`));
    write('noted.csv', [`${head},Checked`, ...noted].join('\n'));
    await convert('noted.csv', 'noted.ndjson', ...endpointOption);
    assert.match(textOf('noted.ndjson'), /"own":\{"client":"Bakery","Checked":"yes"\}/);
    write('twice.csv', textOf('noted.csv').replace(',Checked', ',own.client'));
    const twice = await command('convert', at('twice.csv'), at('twice.ndjson'), ...endpointOption);
    assertExit(twice, 2, /it has two columns client/);
  });

  test('reads tables whose own columns have the other separators in their names', async () => {
    write('named.csv', '"a;b",query\nBakery,Oak\n');
    await batch('named-lines.csv', 'named.csv');
    await convert('named-lines.csv', 'named.ndjson');
    assert.match(textOf('named.ndjson'), /"own":\{"a;b":"Bakery"\}/);
  });

  test('refuses unknown extensions, the same file, an existing file, and anything but results', async () => {
    await batch('base.ndjson');
    const before = bytes('base.ndjson');
    linkSync(at('base.ndjson'), at('linked.ndjson'));
    write('broken.ndjson', `${JSON.stringify(aHarbour())}\n{"name":`);
    write('other.ndjson', `${JSON.stringify(aHarbour())}\n{"harbor":1}\n`);
    write('table.csv', 'name\na\n');
    write('deep.ndjson', `{"input":${'['.repeat(200_000)}${']'.repeat(200_000)},"data":[]}\n`);
    const cases: readonly (readonly [RegExp, from: string, to: string, ...string[]])[] = [
      [/Cannot write \.xls files/, 'base.ndjson', 'out.xls'],
      [/Supported extensions/, 'base.doc', 'out.csv'],
      [/is also the input/, 'base.ndjson', 'base.ndjson', '--overwrite'],
      [/is also the input/, 'base.ndjson', 'linked.ndjson', '--overwrite'],
      [/exists: --overwrite replaces it/, 'base.ndjson', 'table.csv'],
      [/No such file/, 'none.ndjson', 'out.csv'],
      [/as results of maps\/harbours: it has no column/, 'table.csv', 'out.xlsx', ...endpointOption],
      [/Which endpoint returned these results/, 'broken.ndjson', 'out.csv'],
      [/broken\.ndjson, line 2: this is not JSON/, 'broken.ndjson', 'out.csv', ...endpointOption],
      [/deep\.ndjson, line 1: it is nested deeper/, 'deep.ndjson', 'out.csv', ...endpointOption],
      [/line 2: \\?"harbor\\?" is not a field of maps/, 'other.ndjson', 'out.csv', ...endpointOption],
    ];
    for (const [said, from, to, ...args] of cases)
      assertExit(await command('convert', at(from), at(to), ...args), 2, said);
    assert.deepEqual([existsSync(at('out.csv')), existsSync(at('out.xlsx'))], [false, false]);
    assert.deepEqual(bytes('base.ndjson'), before);
  });
});
