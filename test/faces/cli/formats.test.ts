import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { controlCharacters, escapes } from '../../support/control-characters.js';
import { aHarbour, inventedRows, scripted } from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';

const list = argv`maps harbours x`;
const one = argv`maps harbour x`;

async function out(args: readonly string[], data: unknown, more: Surroundings = {}): Promise<string> {
  const surroundings = { endpoints: inventedRows, extractor: scripted([data]), ...more };
  return assertExit(await extract(args, surroundings), 0).out;
}

describe('json', () => {
  test('in a pipe: the envelope on one line', async () => {
    const text = await out(one, aHarbour());
    assert.equal(text.indexOf('\n'), text.length - 1);
    const { data, meta } = JSON.parse(text);
    assert.deepEqual(data, aHarbour());
    const names = 'request_id credits_charged credits_remaining cached fetched_at next_cursor';
    assert.equal(Object.keys(meta).join(' '), names);
  });

  test('the data is passed on byte for byte', async () => {
    const text = await out(one, aHarbour({ note: '\u007f é \u2028 "' }));
    assert.ok(text.startsWith(`{"data":${JSON.stringify(aHarbour({ note: '\u007f é \u2028 "' }))},"meta":{`));
  });

  test('at a terminal no control character is passed on, and the value is the same', async () => {
    const data = aHarbour({ note: '\u009b31m \u001b[31m' });
    const text = await out([...one, '--json'], data, { stdoutColumns: 80 });
    assert.doesNotMatch(text, controlCharacters);
    assert.deepEqual(JSON.parse(text).data, data);
  });

  test('with fields: the envelope with those alone', async () => {
    const { data, meta } = JSON.parse(await out(argv`${list} --fields ${'note, name'}`, [aHarbour()]));
    assert.deepEqual(data, [{ note: null, name: 'Little Quay' }]);
    assert.equal(meta.credits_charged, 3);
  });

  test('an empty list is an empty list', async () => {
    assert.deepEqual(JSON.parse(await out(list, [])).data, []);
    assert.deepEqual(JSON.parse(await out(argv`${list} --fields name`, [])).data, []);
  });
});

describe('ndjson', () => {
  const ndjson = (args: readonly string[], data: unknown) => out(argv`${args} --format ndjson`, data);

  test('writes one item per line, one line for an object, and none for nothing', async () => {
    const items = [aHarbour(), aHarbour({ name: 'Two\nlines' })];
    const text = await ndjson(list, items);
    assert.deepEqual(ndjsonValues(text), items);
    assert.equal(await ndjson(one, aHarbour()), `${JSON.stringify(aHarbour())}\n`);
    assert.equal(await ndjson(list, []), '');
  });
});

describe('lines', () => {
  const piped = async (...args: string[]) => {
    const { out } = assertExit(await extract(args, { endpoints: inventedRows }), 0);
    const lines = out.trimEnd().split('\n');
    return lines.map((line) => line.split('\t'));
  };

  test('are what lists are in a pipe, with the columns of the terminal and no header', async () => {
    const [, second] = await piped('endpoints');
    assert.deepEqual(second, ['maps/harbour', 'One harbour', 'id, url, fresh, demo, sources']);
    const codes = await piped('errors');
    assert.ok(codes.every((row) => row.length === 6));
    assert.deepEqual(codes.find(([code]) => code === 'results_expired')?.slice(2, 5), ['410', '4', 'gone']);
  });

  test('have the fields that were chosen, every row, and nothing for null', async () => {
    const settings = await piped('config', '--fields', 'setting,default');
    assert.ok(settings.length > 50);
    const rows = settings.map((row) => row.join(' '));
    assert.ok(rows.includes('EXTRACT_CONTACT ') && rows.includes('EXTRACT_DEBUG false'), rows.join('\n'));
  });

  test('are not used for one object, or with a named format', async () => {
    for (const args of [['errors', 'results_expired'], argv`endpoints --json`]) {
      const [[text] = []] = await piped(...args);
      assert.ok(JSON.parse(text ?? '').data, args.join(' '));
    }
    assert.deepEqual((await piped('config', '--format', 'csv'))[0], ['setting,value,default']);
  });
});

describe('csv', () => {
  const located = (args: readonly string[], data: unknown) => out(argv`${args} --format csv`, data);
  const csv = (args: readonly string[], data: unknown) => located([...args, '--no-sources'], data);
  const head = 'name,berths,location.lat,location.lng,open,tags,boats,page_url,note';
  const note = async (text: string) =>
    (await csv(argv`${one} --fields note`, aHarbour({ note: text }))).slice('note\n'.length, -1);

  test('columns are the schema’s, inner objects dotted, lists as JSON text', async () => {
    assert.equal(
      await csv(list, [aHarbour()]),
      `${head}\nLittle Quay,12,-41.5,8.25,true,"[""calm"",""deep""]","[{""name"":""Heron"",""length"":7.5}]",https://harbours.example/little-quay,\n`,
    );
  });

  test('have the source of each item, unless excluded or fields are selected', async () => {
    const more = 'source_id,source_url,author_handle,author_name,position,fetched_at,input_index';
    assert.equal(await located(list, []), `${head},${more}\n`);
    assert.equal(await located(argv`${list} --fields name`, [aHarbour()]), 'name\nLittle Quay\n');
  });

  test('the columns stay the same when values are null or no item comes', async () => {
    const nulls = { berths: null, location: null, page_url: null };
    const empty = aHarbour({ ...nulls, open: false, tags: [], boats: [] });
    assert.equal(await csv(list, [empty]), `${head}\nLittle Quay,,,,false,[],[],,\n`);
    assert.equal(await csv(list, []), `${head}\n`);
  });

  test('fields choose the columns and their order', async () => {
    assert.equal(
      await csv(argv`${list} --fields open,location,name`, [aHarbour()]),
      'open,location.lat,location.lng,name\ntrue,-41.5,8.25,Little Quay\n',
    );
  });

  const formulas = ['=1+1', '-x', '+1+cmd|x', '+SUM(1)', '-1-x', '@SUM(A1)', '+', '-', '\t=1'];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  for (const [name, texts, cell] of [
    ['that a spreadsheet would run is marked', formulas, (text: string) => `'${text}`],
    ['that it would run in wide letters is', ['＝1', '＋1', '－1', '＠x'], (text: string) => `'${text}`],
    ['is quoted as well', ['=A("x")', '\n=1', '\r=1'], (text: string) => quoted(`'${text}`)],
    ['that is a phone number is unchanged', ['+1 555 0100', '+1 (555) 010-0199', '+49 30/5550100'], String],
    ['with line breaks, quotes and commas is inside quotes', ['a,b', 'a\nb', 'a\rb', 'a"b'], quoted],
  ] as const)
    test(`text ${name}`, async () => {
      for (const text of texts) assert.equal(await note(text), cell(text));
    });

  test('--csv-raw leaves every cell unchanged, and works with no other format', async () => {
    const args = argv`${one} --fields note --csv-raw`;
    assert.equal(await csv(args, aHarbour({ note: '=1+1' })), 'note\n=1+1\n');
    const refused = await extract(argv`${args} --format json`, { endpoints: inventedRows });
    assertExit(refused, 2, /--csv-raw only works with CSV/);
  });

  test('--csv-excel marks UTF-8, and separates as Excel does where decimals have a comma', async () => {
    const fields = argv`--fields name,location`;
    const harbour = aHarbour({ name: 'Évora; quay' });
    for (const [style, text] of [
      ['semicolon', '\ufeffname;location.lat;location.lng\n"Évora; quay";-41,5;8,25\n'],
      ['comma', '\ufeffname,location.lat,location.lng\nÉvora; quay,-41.5,8.25\n'],
    ] as const)
      assert.equal(await csv(argv`${one} ${fields} --csv-excel ${style}`, harbour), text);
    const refused = await extract(argv`${one} --csv-excel comma --format json`, { endpoints: inventedRows });
    assertExit(refused, 2, /--csv-excel only works with CSV/);
  });

  test('at a terminal no control character is passed on', async () => {
    const text = await out(argv`${one} --format csv`, aHarbour({ note: '\u001b[2J' }), { stdoutColumns: 80 });
    assert.doesNotMatch(text, escapes);
  });
});

describe('table', () => {
  test('at a terminal it is what comes unasked', async () => {
    const text = await out(one, aHarbour(), { stdoutColumns: 80, settings: { color: false } });
    assert.match(text, /^name {2,}Little Quay\nberths {2,}12\n/);
  });

  test('in a pipe it is available on request, without colours', async () => {
    const text = await out(argv`${list} --format table`, [aHarbour()]);
    assert.match(text, /^name {2,}berths/);
    assert.doesNotMatch(text, escapes);
  });
});
