import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { duckdb } from '../../../files/result-files/harness.js';
import { argv, assertExit, dataOf, extract } from '../../../support/cli.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const fileOf = (content: string | Uint8Array, ending: string) => newFile(ending, content);

interface ResultLine {
  readonly input: Readonly<Record<string, unknown>>;
  readonly own?: unknown;
  readonly data?: readonly unknown[];
  readonly error?: { readonly code: string; readonly message: string };
}

const linesOf = (text: string): ResultLine[] => ndjsonValues(text);
const inputsOf = (text: string) => linesOf(text).map(({ input }) => input);
const ownOf = (text: string) => linesOf(text).map(({ own }) => own);

const search = (...args: string[]) => extract(argv`shortvideo search harbour --demo ${args}`);
/** Runs a batch of samples, which succeeds unless another status is expected. */
const batch = async (endpoint: string, args: readonly string[], stdin = '', status = 0) =>
  assertExit(await extract(argv`batch shortvideo/${endpoint} ${args} --demo`, { stdin }), status);
const comments = (args: readonly string[], stdin?: string, status?: number) =>
  batch('comments', args, stdin, status);
const profiles = (args: readonly string[], stdin?: string, status?: number) =>
  batch('profile', args, stdin, status);

const items: { id: string }[] = await dataOf(argv`shortvideo search harbour --demo`);
const videoIds = items.map(({ id }) => ({ id }));

describe('--set', () => {
  const input = fileOf('{"query":"harbour"}\n{"query":"quay","limit":2}\n', 'ndjson');
  const searches = (...args: string[]) => extract(argv`batch shortvideo/search ${input} --demo ${args}`);

  test('adds a parameter to every line that lacks it', async () => {
    const { out } = assertExit(await searches('--set', 'limit=1'), 0);
    const [first, second] = linesOf(out).map(({ input, data }) => [input, data?.length]);
    assert.deepEqual(first, [{ query: 'harbour', limit: 1 }, 1]);
    assert.deepEqual(second, [{ query: 'quay', limit: 2 }, 2]);
  });

  test('is refused if no line could have it, before any request', async () => {
    for (const [pair, said] of [
      ['limit', /--set takes PARAM=VALUE, such as limit=5, not limit/],
      ['limit=many', /The parameter limit must be/],
      ['limits=5', /has no parameter limits/],
      ['demo=true', /has no parameter demo/],
    ] as const)
      assertExit(await searches('--set', pair), 2, said);
  });

  test('must be the same when a run is resumed', async () => {
    const output = newFile('ndjson');
    await searches('--set', 'limit=1', '-o', output);
    assertExit(await searches('--set', 'limit=2', '-o', output, '--resume'), 2, /started with --set/);
  });
});

describe('items as inputs', () => {
  test('of an answer as JSON, of its lines with sources, and of CSV are the same', async () => {
    const csv = newFile('csv');
    await search('-o', csv);
    for (const text of [
      (await search('--json')).out,
      (await search('--format', 'ndjson')).out,
      (await search('--format', 'ndjson', '--sources')).out,
      readFileSync(csv, 'utf8'),
      JSON.stringify(items, null, 2),
    ])
      assert.deepEqual(inputsOf((await comments(['-'], text)).out), videoIds);
  });

  test('in a .txt file are distinguished from names by content', async () => {
    const id = '7571000000000000201';
    for (const text of [`{"id":"${id}"}\n`, `[{"id":"${id}"}]`, `id\tclient\n${id}\tAnn\n`])
      assert.deepEqual(inputsOf((await comments([fileOf(text, 'txt')])).out), [{ id }]);
  });

  test('of an earlier batch are all items of its lines; its errors request nothing, and are counted', async () => {
    const results = newFile('ndjson');
    const names = fileOf('{"query":"harbour"}\n{"query":""}\n', 'ndjson');
    await extract(argv`batch shortvideo/search ${names} --demo -o ${results}`);
    const { out, err } = await comments([results]);
    assert.deepEqual(inputsOf(out), videoIds);
    assert.match(err, /Skipped a line of the input that is an error of an earlier batch\./);
  });

  test('of every kind of file that a batch writes can be read', async () => {
    const names = fileOf('{"query":"harbour"}\n', 'ndjson');
    for (const kind of ['json', 'csv', 'tsv', 'xlsx']) {
      const results = newFile(kind);
      await batch('search', argv`${names} -o ${results}`);
      assert.deepEqual(inputsOf((await comments([results])).out), videoIds, kind);
    }
  });

  test('without an id are requested by their address, or by their author', async () => {
    const jobs = await extract(argv`pronetwork jobs baker --demo --format ndjson --sources`);
    const { out, err } = await extract(argv`batch pronetwork/company - --demo`, { stdin: jobs.out });
    assert.match(String(inputsOf(out)[0]?.url), /\/company\//, err);
    const videos = await search('--format', 'ndjson', '--sources');
    const authors = await profiles(['-'], videos.out);
    assert.ok(inputsOf(authors.out).every((input) => 'username' in input));
  });

  test('of a sample request samples, because the platform does not have them', async () => {
    for (const [text, ending] of [
      ['{"query":"harbour","demo":true}\n', 'ndjson'],
      ['query,demo\nharbour,true\n', 'csv'],
    ] as const) {
      const result = assertExit(await extract(argv`batch shortvideo/search ${fileOf(text, ending)}`), 0);
      const samples = videoIds.map(({ id }) => ({ id, demo: true }));
      for (const map of [[], argv`--map id=id`]) {
        const next = await extract(argv`batch shortvideo/comments - ${map}`, { stdin: result.out });
        assert.deepEqual(inputsOf(assertExit(next, 0).out), samples);
      }
    }
  });

  test('without a value for the endpoint produce an error line each', async () => {
    const { out: videos } = await search('--format', 'ndjson');
    const { out } = assertExit(await extract(argv`batch maps/place - --demo`, { stdin: videos }), 7);
    const said = /Line 1 is shortvideo_video, which has no input for maps\/place/;
    assert.match(linesOf(out)[0]?.error?.message ?? '', said);
  });
});

describe('--map', () => {
  const table = fileOf('Handle;Client\nmira;Bakery\n', 'csv');

  test('takes a parameter from a field of an item, its source or its input', async () => {
    const { out } = await search('--format', 'ndjson', '--sources');
    await profiles(argv`- --map username=source.author.handle`, out);
    const rows = await profiles(argv`${table} --map username=Handle`);
    assert.deepEqual([inputsOf(rows.out), ownOf(rows.out)], [[{ username: 'mira' }], [{ Client: 'Bakery' }]]);
  });

  test('that names no parameter or no column is refused before any request', async () => {
    for (const [map, message] of [
      ['usernam=Handle', /no parameter usernam\. Did you mean username/],
      ['username=Handel', /no column Handel/],
      ['username', /--map takes PARAM=FIELD/],
    ] as const)
      assert.match((await profiles([table, '--map', map], '', 2)).err, message);
  });

  test('that differs cannot resume the batch', async () => {
    const table = fileOf('a,b\nmira,nils\n', 'csv');
    const out = newFile('ndjson');
    await profiles(argv`${table} -o ${out} --map username=a`);
    await profiles(argv`${table} -o ${out} --map username=b --resume`, '', 2);
  });
});

describe('columns of the user’s own', () => {
  const roster = 'client,username,notes\nBakery,mira.kettle,"calls, monthly"\nMill,nils,\n';
  const own = [
    { client: 'Bakery', notes: 'calls, monthly' },
    { client: 'Mill', notes: null },
  ];

  test('are carried along and listed once, whatever the input is', async () => {
    const cells = (line: string) => line.split(/,(?! )/).map((cell) => cell.replaceAll('"', ''));
    const rows = roster.trim().split('\n').map(cells);
    const sheet = await writeXlsx({ sheets: [{ name: 'Roster', rows }] });
    const separated = (mark: string) => roster.replaceAll(/,(?! )/g, mark);
    for (const [content, ending] of [
      [sheet, 'xlsx'],
      [sheet, 'data'],
      [roster, 'csv'],
      [roster, 'data'],
      [separated(';'), 'csv'],
      [separated('\t'), 'tsv'],
    ] as const) {
      const { out, err } = await profiles([fileOf(content, ending)]);
      assert.deepEqual(ownOf(out), own, ending);
      assert.equal(err.split('client, notes').length, 2, err);
    }
  });

  test('are next to the parameters of an object, and carry over to the items of results', async () => {
    const objects = fileOf('{"query":"harbour","client":"Bakery"}\n', 'ndjson');
    const results = newFile('ndjson');
    await extract(argv`batch shortvideo/search ${objects} --demo -o ${results}`);
    const { out } = await comments([results]);
    assert.ok(linesOf(out).length > 1);
    for (const one of ownOf(out)) assert.deepEqual(one, { client: 'Bakery' });
  });

  test('have columns in every kind of file', async () => {
    const input = fileOf(roster, 'csv');
    const convertTo = async (kind: string) => {
      const out = newFile(kind);
      await profiles([input, '-o', out]);
      return out;
    };
    const [head = ''] = readFileSync(await convertTo('csv'), 'utf8').split('\n');
    assert.match(head, /^input\.username,url,client,notes,/);
    const book = await readXlsx(readFileSync(await convertTo('xlsx')));
    const titles = ['input.username', 'client', 'notes', 'username'];
    assert.deepEqual(book.sheets[0]?.rows[0]?.slice(0, 4), titles, 'no URL was given, so none has a column');
    assert.deepEqual(book.sheets[0]?.rows[1]?.slice(1, 3), ['Bakery', 'calls, monthly']);
    const [row] = queryFile(await convertTo('sqlite'), 'SELECT own FROM shortvideo_profile');
    assert.ok(['Bakery', 'Mill'].includes(JSON.parse(String(row?.own)).client));
    const parquet = await convertTo('parquet');
    const rows = await duckdb(`SELECT CAST(own AS VARCHAR) AS own FROM read_parquet('${parquet}')`);
    const ownInParquet = rows.map((one) => JSON.parse(String(one.own)));
    const array = JSON.parse(readFileSync(await convertTo('json'), 'utf8')) as ResultLine[];
    assert.deepEqual([ownInParquet, array.map((line) => line.own)], [own, own]);
  });

  test('are recognised in a table of results, whose headings have no prefixes', async () => {
    const ids = videoIds.slice(0, 2);
    const urls = ids.map(({ id }) => `https://www.tiktok.com/@nasa/video/${id}`);
    const input = fileOf(`url,Client\n${urls.map((url) => `${url},Bakery\n`).join('')}`, 'csv');
    const results = newFile('csv');
    await batch('video', argv`${input} -o ${results}`);
    assert.match(readFileSync(results, 'utf8'), /^url,input\.id,Client,id,/);
    const next = await comments(argv`${results} --set limit=1`);
    const rows = linesOf(next.out).map(({ input, own }) => [input.id, own]);
    const expected = ids.map(({ id }) => [id, { Client: 'Bakery' }]);
    assert.deepEqual(rows, expected);
    for (const map of ['input.url', 'url']) {
      const mapped = inputsOf((await comments([results, '--map', `url=${map}`])).out).map(({ url }) => url);
      assert.deepEqual(mapped, urls);
    }
  });

  test('without a column in the table produce an error line, and lose nothing', async () => {
    const objects = '{"username":"a","client":"x"}\n{"username":"b","town":"y"}\n';
    const { out } = await profiles(argv`- --format csv`, objects, 7);
    assert.match(out, /Line 2 has ""town"" as an additional column/);
  });

  test('that are misspelled parameters are refused', async () => {
    const { err } = await profiles([fileOf('client,usrname\nBakery,mira\n', 'csv')], '', 2);
    assert.match(err, /Unknown column \\?"usrname.*Did you mean username\?/s);
    const object = await profiles(['-'], '{"username":"mira","usernme":"x"}\n', 7);
    assert.equal(linesOf(object.out)[0]?.error?.code, 'unknown_parameter');
  });
});

describe('an input', () => {
  test('is detected from its content, and reported on stderr', async () => {
    for (const [text, words] of [
      ['mira\nnils\n', /The input is one value per line\./],
      ['["mira","nils"]', /The input is JSON\./],
      ['[{"username":"mira"},\n {"username":"nils"}]', /The input is JSON\./],
      ['username\nmira\nnils\n', /The input is CSV\./],
      ['username\turl\nmira\t\nnils\t\n', /The input is TSV\./],
      ['{"username":"mira"}\n{"username":"nils"}\n', /^(?!.*The input is)/s],
    ] as const) {
      const { out, err } = await profiles(['-'], text);
      assert.deepEqual(inputsOf(out), [{ username: 'mira' }, { username: 'nils' }], text);
      assert.match(err, words);
    }
  });

  test('in binary is one clear error, and creates no output', async () => {
    for (const [bytes, words] of [
      [Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, '\n')]), /SQLite database/],
      [Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(500, '\n\u0000')]), /Parquet/],
      [Buffer.from([0x1f, 0x8b, 8, 0, 0x0a, 0x0a]), /gzip/],
      [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(900, '\n')]), /not an Excel workbook/],
      [Buffer.alloc(9000, '\0\n'), /it is not text/],
    ] as const) {
      const output = newFile('ndjson');
      const { out, err } = await profiles([fileOf(bytes, 'ndjson'), '-o', output], '', 2);
      assert.match(err, words);
      assert.doesNotMatch(err, /JSON object/);
      assert.ok(err.trim().split('\n').length <= 2, err);
      assert.equal(out, '');
      assert.throws(() => readFileSync(output), { code: 'ENOENT' });
    }
  });

  test('of truncated JSON has an error line with its position', async () => {
    const { out } = await profiles(['-'], '[\n{"username":"mira"},\n{"username":', 7);
    assert.match(linesOf(out)[1]?.error?.message ?? '', /^Line 3 is not a JSON object/);
  });
});
