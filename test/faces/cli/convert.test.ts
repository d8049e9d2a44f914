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
import { aHarbour, harbourMeta, inventedRows } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { queryFile } from '../../support/query-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);
const bytes = (name: string) => readFileSync(at(name));

/** Answers two harbours per query, with their sources if requested; none for “none”. The next page of “half” fails. */
const extractor: Pick<CommandExtractor, 'answer'> = {
  async answer(_, { query, sources, cursor }) {
    if (query === 'none') throw new ExtractError('place_not_found', 'There is none.');
    if (cursor !== undefined) throw new ExtractError('platform_unavailable', 'HTTP 500.');
    const data = ['North', 'South'].map((side) =>
      aHarbour({ name: `${String(query)} ${side}`, note: '=1, "2"' }),
    );
    const itemSources = data.map(({ name }, place) => ({
      ...{ id: name, url: 'https://harbours.example/a', author: null },
      ...{ position: place + 1, fetched_at: harbourMeta.fetched_at },
    }));
    return {
      source: 'platform',
      json: JSON.stringify(data),
      ...(sources === true ? { sources: JSON.stringify(itemSources) } : {}),
      coverage: aCoverage({ given: 2, total: 9, ended: 'visitors', ignored: ['radius_m'] }),
      meta: { ...harbourMeta, next_cursor: query === 'half' ? 'c' : null },
    };
  },
};

const command = (...args: readonly string[]) => extract(args, { endpoints: inventedRows, extractor });

async function done(...args: readonly string[]): Promise<string> {
  const { status, err } = await command(...args);
  assert.ok(status === 0 || status === 7, err);
  return err;
}

const input = at('in.csv');
writeFileSync(input, 'client,query\nBakery,Oak\nMill,none\nForge,Elm\n');
const batch = (name: string) => done('batch', 'maps/harbours', input, '--sources', '-o', at(name));
const endpointOption = argv`--endpoint maps/harbours`;

async function cellsOf(name: string) {
  const { sheets } = await readXlsx(bytes(name));
  return sheets.map(({ rows }) => rows);
}

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

describe('extract convert', () => {
  test('has lists without sources as tables that it reads back, as a line is an input', async () => {
    await done('batch', 'maps/harbours', input, '-o', at('plain.ndjson'));
    const linesOf = (name: string) =>
      ndjsonValues(bytes(name).toString()).map((line) => {
        const { error, ...rest } = line as { readonly error?: { readonly code: string } };
        return { ...rest, code: error?.code };
      });
    for (const kind of ['csv', 'tsv', 'xlsx', 'parquet']) {
      await done('convert', at('plain.ndjson'), at(`plain.${kind}`));
      await done('convert', at(`plain.${kind}`), at(`${kind}.ndjson`), '--endpoint', 'maps/harbours');
      assert.deepEqual(linesOf(`${kind}.ndjson`), linesOf('plain.ndjson'), kind);
    }
  });

  test('writes the file that the batch would have written, in every format', async () => {
    await batch('lines.ndjson');
    for (const kind of ['json', 'csv', 'tsv', 'parquet', 'xlsx', 'sqlite']) {
      await batch(`own.${kind}`);
      const stderr = await done('convert', at('lines.ndjson'), at(`made.${kind}`));
      assert.match(stderr, new RegExp(`made\\.${kind}: 4 items and 1 failed input of maps/harbours\\.`));
      await assertSame(`made.${kind}`, `own.${kind}`);
    }
    await done('convert', at('made.json'), at('back.ndjson'), ...endpointOption);
    assert.equal(bytes('back.ndjson').toString(), bytes('lines.ndjson').toString());
    // A table is converted by the lines next to it.
    await done('convert', at('own.xlsx'), at('of-xlsx.csv'));
    assert.deepEqual(bytes('of-xlsx.csv'), bytes('own.csv'));
  });

  test('keeps a partial list with its error, in every format and back', async () => {
    writeFileSync(at('half.txt'), 'Oak\nhalf\nnone\nElm\n');
    const half = (name: string) =>
      done('batch', 'maps/harbours', at('half.txt'), '--all', '--sources', '-o', at(name));
    await half('half.ndjson');
    const [, partly] = bytes('half.ndjson').toString().split('\n');
    assert.match(partly ?? '', /half North.*half South.*"error":\{.*platform_unavailable/);
    const kinds = ['json', 'csv', 'tsv', 'parquet', 'xlsx'];
    for (const kind of [...kinds, 'sqlite']) {
      await half(`half.${kind}`);
      const stderr = await done('convert', at('half.ndjson'), at(`of-half.${kind}`));
      assert.match(stderr, /6 items and 2 failed inputs of maps\/harbours\./);
      await assertSame(`of-half.${kind}`, `half.${kind}`);
    }
    type Line = { data?: unknown; error?: { code: string; message: string } };
    const linesOf = (name: string) =>
      ndjsonValues(bytes(name).toString()).map(({ data, error }: Line) => [
        data,
        error?.code,
        error?.message,
      ]);
    for (const kind of kinds) {
      writeFileSync(at(`back.${kind}`), bytes(`half.${kind}`));
      await done('convert', at(`back.${kind}`), at(`back-${kind}.ndjson`), '--endpoint', 'maps/harbours');
      assert.deepEqual(linesOf(`back-${kind}.ndjson`), linesOf('half.ndjson'), kind);
    }
  });

  test('refuses a database of several runs whose lines are of the last run', async () => {
    const runs = argv`batch maps/harbours ${input} --append -o ${at('runs.sqlite')}`;
    await done(...runs);
    await done('convert', at('runs.sqlite'), at('one-run.csv'));
    await done(...runs);
    const refused = await command('convert', at('runs.sqlite'), at('two-runs.csv'));
    assertExit(
      refused,
      2,
      /contains 2 runs, but the lines .* of the last run only\. Convert .*runs\.sqlite\.ndjson/,
    );
    await done('convert', at('runs.sqlite.ndjson'), at('last-run.csv'));
    assert.deepEqual(bytes('last-run.csv'), bytes('one-run.csv'));
  });

  test('accepts items without inputs, and omits sources on request', async () => {
    const items = [aHarbour({ name: 'a' }), aHarbour({ name: 'b' })];
    writeFileSync(at('items.ndjson'), items.map((one) => JSON.stringify(one)).join('\n'));
    await done('convert', at('items.ndjson'), at('items.json'), ...endpointOption);
    assert.deepEqual(JSON.parse(bytes('items.json').toString()), items);
    await done('convert', at('items.ndjson'), at('items.csv'), ...endpointOption);
    assert.match(bytes('items.csv').toString(), /^name,berths,.*\na,12,.*\nb,12,.*\n$/);
    await batch('lean.ndjson');
    await done('convert', at('lean.ndjson'), at('lean.csv'), '--no-sources');
    assert.doesNotMatch(bytes('lean.csv').toString(), /source_id/);
  });

  test('creates a column for each of the user’s values, whichever line has it', async () => {
    const objects = at('objects.ndjson');
    writeFileSync(objects, '{"query":"Oak","client":"Bakery"}\n{"query":"Elm","town":"Graz"}\n');
    await done('batch', 'maps/harbours', objects, '-o', at('differing.ndjson'));
    await done('convert', at('differing.ndjson'), at('differing.csv'));
    const [head = '', , , , last = ''] = bytes('differing.csv').toString().split('\n');
    assert.match(head, /,client,town,/);
    assert.match(last, /^Elm,+Graz,/);
    await done('convert', at('differing.ndjson'), at('differing.xlsx'));
    const [rows = []] = await cellsOf('differing.xlsx');
    assert.deepEqual(rows[0]?.slice(0, 3), ['query', 'client', 'town']);
  });

  test('tells the parameters of two endpoints apart that return the same object', () => {
    const returns = z.strictObject({ name: z.string() });
    const headingOf = (param: string) => ownHeading({ params: { [param]: z.string() }, returns }, 'town');
    assert.deepEqual([headingOf('query'), headingOf('town')], ['town', 'own.town']);
  });

  test('reads tables of earlier releases, and columns that were added since', async () => {
    await batch('now.ndjson');
    await done('convert', at('now.ndjson'), at('now.csv'));
    const table = bytes('now.csv').toString();
    const [head = '', ...rows] = table.split('\n');
    assert.match(head, /^query,lat,.*,client,name,/);
    const earlier = head.replace(/^(.*),client,/, (_, params: string) =>
      [...params.split(',').map((name) => `input.${name}`), 'own.client', ''].join(','),
    );
    writeFileSync(at('earlier.csv'), [earlier, ...rows].join('\n'));
    for (const name of ['now', 'earlier'])
      await done('convert', at(`${name}.csv`), at(`${name}-again.csv`), ...endpointOption);
    assert.equal(bytes('now-again.csv').toString(), table);
    assert.equal(bytes('earlier-again.csv').toString(), table);
    const noted = rows.map((row) => (row === '' ? row : `${row},yes`));
    writeFileSync(at('noted.csv'), [`${head},Checked`, ...noted].join('\n'));
    await done('convert', at('noted.csv'), at('noted.ndjson'), ...endpointOption);
    assert.match(bytes('noted.ndjson').toString(), /"own":\{"client":"Bakery","Checked":"yes"\}/);
    writeFileSync(at('twice.csv'), bytes('noted.csv').toString().replace(',Checked', ',own.client'));
    const twice = await command('convert', at('twice.csv'), at('twice.ndjson'), ...endpointOption);
    assertExit(twice, 2, /it has two columns client/);
  });

  test('reads tables whose own columns have the other separators in their names', async () => {
    const table = at('named.csv');
    writeFileSync(table, '"a;b",query\nBakery,Oak\n');
    await done('batch', 'maps/harbours', table, '-o', at('named-lines.csv'));
    await done('convert', at('named-lines.csv'), at('named.ndjson'));
    assert.match(bytes('named.ndjson').toString(), /"own":\{"a;b":"Bakery"\}/);
  });

  test('refuses unknown extensions, the same file, an existing file, and anything but results', async () => {
    await batch('base.ndjson');
    const before = bytes('base.ndjson');
    linkSync(at('base.ndjson'), at('linked.ndjson'));
    writeFileSync(at('broken.ndjson'), `${JSON.stringify(aHarbour())}\n{"name":`);
    writeFileSync(at('other.ndjson'), `${JSON.stringify(aHarbour())}\n{"harbor":1}\n`);
    writeFileSync(at('table.csv'), 'name\na\n');
    writeFileSync(at('deep.ndjson'), `{"input":${'['.repeat(200_000)}${']'.repeat(200_000)},"data":[]}\n`);
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
