import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { ZipFile } from 'yazl';
import { gzipMember } from '../../../src/files/evidence/gzip-member.js';
import { SegmentReader } from '../../../src/files/evidence/segment.js';
import { readFirstSheet } from '../../../src/files/result-files/xlsx/read-workbook.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A workbook of one sheet with these rows. */
async function workbook(rows: string, more: Readonly<Record<string, Buffer>> = {}): Promise<Buffer> {
  const zip = new ZipFile();
  const parts = {
    '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const table = `<row r="1">${cell('A1', 'username')}${cell('B1', 'limit')}</row><row r="2">${cell('A2', 'ada')}${cell('B2', '5')}</row>`;

async function* chunks(bytes: Buffer) {
  yield bytes;
}

/** Cells of a sheet, and the megabytes by which the process grew meanwhile. */
async function read(bytes: Buffer) {
  const before = process.memoryUsage().rss;
  const rows = await readFirstSheet(chunks(bytes));
  return { rows: rows.map((row) => [...row]), grown: (process.memoryUsage().rss - before) / 1e6 };
}

const expected = [
  ['username', 'limit'],
  ['ada', '5'],
];

test('a stray cell far from all others is passed over, and takes no memory', async () => {
  for (const stray of [
    `<row r="1048576">${cell('XFD1048576', ' ')}</row>`,
    `<row r="99999999999">${cell('A99999999999', 'x')}</row>`,
    `<row r='99999999999'/>`,
    `<row a=">" r="99999999999"><c/></row>`,
  ]) {
    const { rows, grown } = await read(await workbook(`${table}${stray}`));
    assert.deepEqual(rows, expected, stray);
    assert.ok(grown < 200, `${grown} MB`);
  }
});

test('cells that lie apart as tables have them are all read', async () => {
  const { rows } = await read(await workbook(`${table}<row r="9000">${cell('C9000', 'z')}</row>`));
  assert.equal(rows.length, 9000);
  assert.deepEqual(rows[8999], [null, null, 'z']);
});

test('a workbook whose cells are too far apart, or that unpacks to too much, is refused before memory is taken', async () => {
  const letters = (number: number): string =>
    number === 0
      ? ''
      : letters(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26));
  const far = Array.from({ length: 100 }, (_, at) => {
    const row = at * 9000 + 3;
    return `<row r="${row}">${cell(`${letters(at * 100 + 1)}${row}`, 'x')}</row>`;
  });
  await assert.rejects(read(await workbook(table + far.join(''))), { code: 'invalid_body' });
  await assert.rejects(read(await workbook(`${table}<row r="&#57;99999999"/>`)), { code: 'invalid_body' });
  const large = await workbook(table, { 'xl/sharedStrings.xml': Buffer.from('<sst/>') });
  // The entry of the directory says how much it unpacks to.
  const entry = large.lastIndexOf('xl/sharedStrings.xml') - 46;
  large.writeUInt32LE(530 * 1024 * 1024, entry + 24);
  await assert.rejects(read(large), { code: 'invalid_body' });
});

test('a record of an archive takes no more memory than it says, and none that says too much is unpacked', async () => {
  const member = await gzipMember(Buffer.alloc(64 * 1024 * 1024));
  const [file, size] = [path.join(temporaryFolder(), 'data.warc.gz'), member.length];
  for (const says of [300 * 1024 * 1024, 0xffff_ffff, 10]) {
    member.writeUInt32LE(says, 20);
    writeFileSync(file, member);
    const segment = await SegmentReader.open({ name: 'data.warc.gz', file, start: 0, size });
    const before = process.memoryUsage().rss;
    assert.equal(await segment.read(0), null);
    const grown = (process.memoryUsage().rss - before) / 1e6;
    assert.ok(grown < 50, `${grown} MB`);
    await segment.close();
  }
});
