import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { argv, assertExit, extract } from '../../support/cli.js';
import { ndjsonValues } from '../../support/ndjson.js';
import { newFiles } from '../../support/new-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newFile = newFiles(temporaryFolder());

const batch = (endpoint: string, file: string, ...args: string[]) =>
  extract(argv`batch ${endpoint} ${file} --demo ${args}`);

interface ResultLine {
  readonly input: Readonly<Record<string, string>>;
  readonly own?: Readonly<Record<string, unknown>>;
  readonly error?: object;
}

/** The tables of people: an endpoint, the table, and the inputs that are read from it. */
const tables: readonly (readonly [string, string, ...(readonly [param: string, value: string])[]])[] = [
  [
    'instagram/profile',
    'Marke;Instagram-Name;Budget €\nBäckerei;@quay.light;1\nCafé;nike.run;2\n',
    ['username', '@quay.light'],
    ['username', 'nike.run'],
  ],
  ['tiktok/profile', 'Name;Benutzername\nMira K;nasa\n', ['username', 'nasa']],
  [
    'instagram/profile',
    'Brand,Instagram handle,Budget €\nA,@quay.light,1\nB,https://www.instagram.com/harbor.lantern/,2\nC,,3\nD,harbor.lantern,4\n',
    ['username', '@quay.light'],
    ['url', 'https://www.instagram.com/harbor.lantern/'],
    ['username', 'harbor.lantern'],
  ],
  [
    'tiktok/profile',
    '\uFEFFName;Link\r\nMira;https://www.tiktok.com/@mira.kettle\r\n',
    ['url', 'https://www.tiktok.com/@mira.kettle'],
  ],
  ['tiktok/profile', 'Instagram handle,TikTok handle\nquay,mira.kettle\n', ['username', 'mira.kettle']],
  ['instagram/profile', 'Where\tNote\n@quay.light\tx\n', ['username', '@quay.light']],
  ['maps/places', 'City,Search term\nPorto,coffee porto\n', ['query', 'coffee porto']],
  [
    'tiktok/profile',
    'username,Owner\nhttps://www.tiktok.com/@mira.kettle,Jo\n',
    ['url', 'https://www.tiktok.com/@mira.kettle'],
  ],
  ['instagram/profile', 'Handle\rquay.light\r', ['username', 'quay.light']],
  ['instagram/profile', 'Brand, Username ,Note\nA, quay.light ,x\n', ['username', 'quay.light']],
  ['instagram/profile', 'USERNAME,Note,Note\nquay.light,x,y\n', ['username', 'quay.light']],
  [
    'maps/place',
    'Place ID\tNote\nChIJN1t_tDeuEmsRUsoyG83frY4\tx\n',
    ['place_id', 'ChIJN1t_tDeuEmsRUsoyG83frY4'],
  ],
  [
    'instagram/profile',
    'My list 2026,,\n,,\nBrand,Handle,Note\nA,@quay.light,x\n',
    ['username', '@quay.light'],
  ],
  [
    'instagram/profile',
    'Handle,\nquay.light,\nharbor.lantern,\n',
    ['username', 'quay.light'],
    ['username', 'harbor.lantern'],
  ],
];

describe('tables that people keep', () => {
  for (const [endpoint, table, ...inputs] of tables) {
    test(`${endpoint} is asked about ${JSON.stringify(table.slice(0, 40))}`, async () => {
      const file = newFile(table.includes('\t') ? 'tsv' : 'csv', table);
      const { status, out, err } = await batch(endpoint, file);
      assert.equal(status, 0, err);
      const asked = (ndjsonValues(out) as ResultLine[]).map(({ input }) => Object.entries(input)[0]);
      assert.deepEqual(asked, inputs);
    });
  }

  test('can be UTF-16, as Excel saves “Unicode text”', async () => {
    const text = '\uFEFFBrand\tUsername\r\nÄ\tquay.light\r\n';
    const little = Buffer.from(text, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const { out } = assertExit(await batch('instagram/profile', newFile('txt', bytes)), 0);
      const [line] = ndjsonValues(out) as ResultLine[];
      assert.deepEqual([line?.input, line?.own], [{ username: 'quay.light' }, { Brand: 'Ä' }]);
    }
  });

  test('are read in the encodings of Excel’s “CSV”, with one line shown as it was read', async () => {
    const text = 'Brand;Username\r\nA;quay.light\r\nCafé Köln;mira.kettle\r\nŒuvre – 5 €;nils\r\n';
    const bytes = text.replace('Œ', '\x8c').replace('–', '\x96').replace('€', '\x80');
    const western = Buffer.from(bytes, 'latin1');
    const mac = Buffer.from('Brand;Username\rCaf\x8e K\x9aln;nils\r', 'latin1');
    const brands = async (bytes: Buffer) => {
      const { out, err } = assertExit(await batch('instagram/profile', newFile('csv', bytes)), 0);
      return [(ndjsonValues(out) as ResultLine[]).map(({ own }) => own?.Brand), err] as const;
    };
    const [names, said] = await brands(western);
    assert.deepEqual(names, ['A', 'Café Köln', 'Œuvre – 5 €']);
    const example = 'Line 3 is not UTF-8 and was read as Windows-1252: “Café Köln;mira.kettle”.';
    assert.equal(said.replaceAll('\n', ' ').split(example).length, 2, said);
    const [macNames, macSaid] = await brands(mac);
    assert.deepEqual(macNames, ['Café Köln']);
    assert.match(macSaid, /read as Mac OS Roman/);
    const dry = await batch('instagram/profile', newFile('csv', western), '--dry-run');
    assert.match(dry.err, /read as Windows-1252/);
  });

  test('are not read as Windows-1252 if its letters would make no words', async () => {
    const inputs = [
      Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]),
      Buffer.from('Caf\x8e', 'latin1'),
      Buffer.from([0x83, 0x8d, 0x81, 0x5b]),
    ];
    for (const brand of inputs) {
      const bytes = Buffer.concat([Buffer.from('Brand,Username\n'), brand, Buffer.from(',nils\n')]);
      const { out } = assertExit(await batch('instagram/profile', newFile('csv', bytes)), 7);
      assert.match(out, /Line 2 is not UTF-8 text\. Save the file as UTF-8\./);
    }
  });

  test('number the headings that repeat', async () => {
    const file = newFile('csv', 'Username,Note,Note\nquay.light,x,y\n');
    const [line] = ndjsonValues((await batch('instagram/profile', file)).out) as ResultLine[];
    assert.deepEqual(line?.own, { Note: 'x', 'Note 2': 'y' });
  });

  test('reports which column is read, which are kept, and how many rows had no value', async () => {
    const file = newFile('csv', 'Brand,Instagram handle\nA,@quay.light\nB,\n');
    const { err } = await batch('instagram/profile', file, '-o', newFile('ndjson'));
    assert.match(err, /The column Instagram handle is read as username\. Your columns are kept: Brand\./);
    assert.match(err, /Skipped 1 row without a value\./);
  });

  test('are refused with the likely column if none is certain', async () => {
    const cases = [
      [
        'Brand,Who\nA B,quay\nC D,light\n',
        /No column contains usernames\. Did you mean --map \\?"?username=Who\\?"?\?/,
      ],
      [
        'Handle,Account\nquay,light\n',
        /Several columns .* Handle, Account\. Did you mean --map username=Handle\?/,
      ],
      ['Brand,Budget\nA B,1 €\n', /Columns: Brand, Budget\. Choose one: --map username=COLUMN\./],
      ['usernme,limit\nquay,1\n', /Did you mean username\?/],
    ] as const;
    for (const [table, message] of cases)
      assertExit(await batch('instagram/profile', newFile('csv', table)), 2, message);
  });

  test('keep numbers and dates of a workbook as such, below a title and empty rows', async () => {
    const rows = [
      ['Our accounts', null, null],
      [null, null, null],
      ['Handle', 'Budget €', 'Since'],
      [null, null, null],
      ['mira.kettle', 1000, new Date(Date.UTC(2026, 2, 1))],
    ];
    const file = newFile('xlsx', await writeXlsx({ sheets: [{ name: 'Mine', rows }] }));
    const output = newFile('xlsx');
    assertExit(await batch('tiktok/profile', file, '-o', output), 0);
    const { rows: [titles = [], row = []] = [] } = (await readXlsx(readFileSync(output))).sheets[0] ?? {};
    const cell = (name: string) => row[titles.findIndex((title) => String(title).endsWith(name))];
    assert.equal(cell('Budget €'), 1000);
    assert.ok(cell('Since') instanceof Date, String(cell('Since')));
  });
});
