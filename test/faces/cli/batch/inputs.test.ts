import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { duckdb } from '../../../files/result-files/harness.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const fileOf = (content: string | Uint8Array, ending: string) => newFile(ending, content);

interface ResultLine {
  readonly input: unknown;
  readonly own?: unknown;
  readonly data?: readonly unknown[];
  readonly error?: { readonly code: string; readonly message: string };
}

const linesOf = (text: string): ResultLine[] => ndjsonValues(text);

const inputsOf = (text: string) => linesOf(text).map(({ input }) => input);

const search = (...args: string[]) => extract(argv`shortvideo search harbour --demo ${args}`);
const comments = (args: readonly string[], stdin = '') =>
  extract(argv`batch shortvideo/comments ${args} --demo`, { stdin });
const profiles = (args: readonly string[], stdin = '') =>
  extract(argv`batch shortvideo/profile ${args} --demo`, { stdin });

const videoIds = async () => {
  const { out } = await search('--json');
  return (JSON.parse(out) as { data: { id: string }[] }).data.map(({ id }) => ({ id }));
};

describe('--set', () => {
  const input = fileOf('{"query":"harbour"}\n{"query":"quay","limit":2}\n', 'ndjson');
  const searches = (...args: string[]) => extract(argv`batch shortvideo/search ${input} --demo ${args}`);

  test('adds a parameter to every line that lacks it', async () => {
    const { out } = assertExit(await searches('--set', 'limit=1'), 0);
    const lengths = linesOf(out).map(({ data }) => data?.length);
    assert.deepEqual(lengths, [1, 2]);
    assert.deepEqual(inputsOf(out), [
      { query: 'harbour', limit: 1 },
      { query: 'quay', limit: 2 },
    ]);
  });

  test('is refused if no line could have it, before any request', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['limit', /--set takes PARAM=VALUE, such as limit=5, not limit/],
      ['limit=many', /The parameter limit must be/],
      ['limits=5', /has no parameter limits/],
      ['demo=true', /has no parameter demo/],
    ];
    for (const [pair, said] of cases) assertExit(await searches('--set', pair), 2, said);
  });

  test('must be the same when a run is resumed', async () => {
    const output = newFile('ndjson');
    await searches('--set', 'limit=1', '-o', output);
    assertExit(await searches('--set', 'limit=2', '-o', output, '--resume'), 2, /started with --set/);
  });
});

describe('items as inputs', () => {
  test('of an answer as JSON, of its lines with sources, and of CSV are the same', async () => {
    const ids = await videoIds();
    const csv = newFile('csv');
    await search('-o', csv);
    const texts = [
      (await search('--json')).out,
      (await search('--format', 'ndjson')).out,
      (await search('--format', 'ndjson', '--sources')).out,
      readFileSync(csv, 'utf8'),
      JSON.stringify(JSON.parse((await search('--json')).out).data, null, 2),
    ];
    for (const text of texts) {
      const { out, err } = assertExit(await comments(['-'], text), 0);
      assert.deepEqual(inputsOf(out), ids, err);
    }
  });

  test('in a .txt file are distinguished from names by content', async () => {
    for (const text of [
      '{"id":"7571000000000000201"}\n',
      '[{"id":"7571000000000000201"}]',
      'id\tclient\n7571000000000000201\tAnn\n',
    ]) {
      const { out, err } = assertExit(await comments([fileOf(text, 'txt')]), 0);
      assert.deepEqual(inputsOf(out), [{ id: '7571000000000000201' }], err);
    }
  });

  test('of an earlier batch are all items of its lines; its errors request nothing, and are counted', async () => {
    const results = newFile('ndjson');
    const names = fileOf('{"query":"harbour"}\n{"query":""}\n', 'ndjson');
    await extract(argv`batch shortvideo/search ${names} --demo -o ${results}`);
    const { out, err } = assertExit(await comments([results]), 0);
    assert.deepEqual(inputsOf(out), await videoIds());
    assert.match(err, /Skipped a line of the input that is an error of an earlier batch\./);
  });

  test('of every kind of file that a batch writes can be read', async () => {
    const names = fileOf('{"query":"harbour"}\n', 'ndjson');
    for (const kind of ['json', 'csv', 'tsv', 'xlsx']) {
      const results = newFile(kind);
      assertExit(await extract(argv`batch shortvideo/search ${names} --demo -o ${results}`), 0);
      const { status, out, err } = await comments([results]);
      assert.equal(status, 0, `${kind}: ${err}`);
      assert.deepEqual(inputsOf(out), await videoIds(), kind);
    }
  });

  test('without an id are requested by their address, or by their author', async () => {
    const jobs = await extract(argv`pronetwork jobs baker --demo --format ndjson --sources`);
    const { out, err } = await extract(argv`batch pronetwork/company - --demo`, { stdin: jobs.out });
    const [first] = inputsOf(out) as { url: string }[];
    assert.match(first?.url ?? '', /\/company\//, err);
    const videos = await search('--format', 'ndjson', '--sources');
    const authors = assertExit(await profiles(['-'], videos.out), 0);
    assert.ok(inputsOf(authors.out).every((input) => 'username' in (input as object)));
  });

  test('of a sample request samples, because the platform does not have them', async () => {
    for (const [text, ending] of [
      ['{"query":"harbour","demo":true}\n', 'ndjson'],
      ['query,demo\nharbour,true\n', 'csv'],
    ] as const) {
      const result = assertExit(await extract(argv`batch shortvideo/search ${fileOf(text, ending)}`), 0);
      const samples = (await videoIds()).map(({ id }) => ({ id, demo: true }));
      for (const map of [[], argv`--map id=id`]) {
        const next = await extract(argv`batch shortvideo/comments - ${map}`, { stdin: result.out });
        assert.equal(next.status, 0, next.err + next.out);
        assert.deepEqual(inputsOf(next.out), samples);
      }
    }
  });

  test('without a value for the endpoint produce an error line each', async () => {
    const { out: videos } = await search('--format', 'ndjson');
    const { out } = assertExit(await extract(argv`batch maps/place - --demo`, { stdin: videos }), 7);
    const [first] = linesOf(out);
    assert.match(
      first?.error?.message ?? '',
      /Line 1 is shortvideo_video, which has no input for maps\/place/,
    );
  });
});

describe('--map', () => {
  test('takes a parameter from a field of an item, its source or its input', async () => {
    const { out } = await search('--format', 'ndjson', '--sources');
    assertExit(await profiles(argv`- --map username=source.author.handle`, out), 0);
    const table = fileOf('Handle;Client\nmira;Bakery\n', 'csv');
    const rows = await profiles(argv`${table} --map username=Handle`);
    assert.deepEqual(
      linesOf(rows.out).map(({ input, own }) => ({ input, own })),
      [{ input: { username: 'mira' }, own: { Client: 'Bakery' } }],
    );
  });

  test('that names no parameter or no column is refused before any request', async () => {
    const table = fileOf('Handle;Client\nmira;Bakery\n', 'csv');
    const wrong = [
      [argv`--map usernam=Handle`, /no parameter usernam\. Did you mean username/],
      [argv`--map username=Handel`, /no column Handel/],
      [argv`--map username`, /--map takes PARAM=FIELD/],
    ] as const;
    for (const [args, message] of wrong) assertExit(await profiles([table, ...args]), 2, message);
  });

  test('that differs cannot resume the batch', async () => {
    const table = fileOf('a,b\nmira,nils\n', 'csv');
    const out = newFile('ndjson');
    assert.equal((await profiles(argv`${table} -o ${out} --map username=a`)).status, 0);
    assertExit(await profiles(argv`${table} -o ${out} --map username=b --resume`), 2);
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
    const semicolons = roster.replaceAll(/,(?! )/g, ';');
    const tabs = roster.replaceAll(/,(?! )/g, '\t');
    const sheets = [fileOf(sheet, 'xlsx'), fileOf(sheet, 'data')];
    const texts = [
      fileOf(roster, 'csv'),
      fileOf(semicolons, 'csv'),
      fileOf(tabs, 'tsv'),
      fileOf(roster, 'data'),
    ];
    for (const input of [...sheets, ...texts]) {
      const { status, out, err } = await profiles([input]);
      assert.equal(status, 0, `${input}: ${err}`);
      const owns = linesOf(out).map((line) => line.own);
      assert.deepEqual(owns, own, input);
      assert.equal(err.split('client, notes').length, 2, err);
    }
  });

  test('are next to the parameters of an object, and carry over to the items of results', async () => {
    const objects = fileOf('{"query":"harbour","client":"Bakery"}\n', 'ndjson');
    const results = newFile('ndjson');
    await extract(argv`batch shortvideo/search ${objects} --demo -o ${results}`);
    const { out } = await comments([results]);
    assert.ok(linesOf(out).length > 1);
    for (const line of linesOf(out)) assert.deepEqual(line.own, { client: 'Bakery' });
  });

  test('have columns in every kind of file', async () => {
    const input = fileOf(roster, 'csv');
    const convertTo = async (kind: string) => {
      const out = newFile(kind);
      assertExit(await profiles([input, '-o', out]), 0);
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
    assert.deepEqual(
      rows.map((one) => JSON.parse(String(one.own))),
      own,
    );
    const array = JSON.parse(readFileSync(await convertTo('json'), 'utf8')) as ResultLine[];
    const owns = array.map((line) => line.own);
    assert.deepEqual(owns, own);
  });

  test('are recognised in a table of results, whose headings have no prefixes', async () => {
    const ids = (await videoIds()).slice(0, 2);
    const urls = ids.map(({ id }) => `https://www.tiktok.com/@nasa/video/${id}`);
    const input = fileOf(`url,Client\n${urls.map((url) => `${url},Bakery\n`).join('')}`, 'csv');
    const results = newFile('csv');
    assertExit(await extract(argv`batch shortvideo/video ${input} --demo -o ${results}`), 0);
    assert.match(readFileSync(results, 'utf8'), /^url,input\.id,Client,id,/);
    const next = assertExit(await comments(argv`${results} --set limit=1`), 0);
    const rows = linesOf(next.out).map(({ input, own }) => [(input as { id?: string }).id, own]);
    assert.deepEqual(
      rows,
      ids.map(({ id }) => [id, { Client: 'Bakery' }]),
    );
    for (const map of ['input.url', 'url']) {
      const mapped = await comments([results, '--map', `url=${map}`]);
      assert.deepEqual(
        linesOf(mapped.out).map((line) => (line.input as { url?: string }).url),
        urls,
      );
    }
  });

  test('without a column in the table produce an error line, and lose nothing', async () => {
    const objects = '{"username":"a","client":"x"}\n{"username":"b","town":"y"}\n';
    const { out } = assertExit(await profiles(argv`- --format csv`, objects), 7);
    assert.match(out, /Line 2 has ""town"" as an additional column/);
  });

  test('that are misspelled parameters are refused', async () => {
    const table = await profiles([fileOf('client,usrname\nBakery,mira\n', 'csv')]);
    assertExit(table, 2, /Unknown column \\?"usrname.*Did you mean username\?/s);
    const object = await profiles(['-'], '{"username":"mira","usernme":"x"}\n');
    assert.equal(linesOf(object.out)[0]?.error?.code, 'unknown_parameter');
  });
});

describe('an input', () => {
  test('is detected from its content, and reported on stderr', async () => {
    const cases = [
      ['mira\nnils\n', /The input is one value per line\./],
      ['["mira","nils"]', /The input is JSON\./],
      ['[{"username":"mira"},\n {"username":"nils"}]', /The input is JSON\./],
      ['username\nmira\nnils\n', /The input is CSV\./],
      ['username\turl\nmira\t\nnils\t\n', /The input is TSV\./],
      ['{"username":"mira"}\n{"username":"nils"}\n', /^(?!.*The input is)/s],
    ] as const;
    for (const [text, words] of cases) {
      const { out, err } = assertExit(await profiles(['-'], text), 0);
      assert.deepEqual(inputsOf(out), [{ username: 'mira' }, { username: 'nils' }], text);
      assert.match(err, words);
    }
  });

  test('in binary is one clear error, and creates no output', async () => {
    const binary = [
      [Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, '\n')]), /SQLite database/],
      [Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(500, '\n\u0000')]), /Parquet/],
      [Buffer.from([0x1f, 0x8b, 8, 0, 0x0a, 0x0a]), /gzip/],
      [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(900, '\n')]), /not an Excel workbook/],
      [Buffer.alloc(9000, '\0\n'), /it is not text/],
    ] as const;
    for (const [bytes, words] of binary) {
      const output = newFile('ndjson');
      const { out, err } = assertExit(await profiles([fileOf(bytes, 'ndjson'), '-o', output]), 2, words);
      assert.doesNotMatch(err, /JSON object/);
      assert.ok(err.trim().split('\n').length <= 2, err);
      assert.equal(out, '');
      assert.throws(() => readFileSync(output), { code: 'ENOENT' });
    }
  });

  test('of truncated JSON has an error line with its position', async () => {
    const { out } = assertExit(await profiles(['-'], '[\n{"username":"mira"},\n{"username":'), 7);
    assert.match(linesOf(out)[1]?.error?.message ?? '', /^Line 3 is not a JSON object/);
  });
});
