import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { loadDriver } from '../../../lib/database/sqlite/driver.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import type { ArchivedExchange } from '../../../lib/web/page-archive.js';
import { forgetInOwnFiles as forgetInFiles } from '../../../src/compose/forget-in-own-files.js';
import { ArchiveWriter } from '../../../src/files/archive/archive-writer.js';
import { refusalOf } from '../../support/server-answers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);
const word = /zebrabaker/i;
const [theirs, other] = [{ username: 'ZebraBaker' }, { username: 'other' }];

/** A folder with files of these names and texts. */
function folderOf(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return { folder, read: (name: string) => readFileSync(path.join(folder, name), 'utf8') };
}

describe('forgetting a subject in files', () => {
  test('takes items out of lists, lines out of files and rows out of tables', async () => {
    const many = JSON.stringify({
      input: { id: '1' },
      data: [theirs, other],
      sources: [{ id: 'a' }, { id: 'b' }],
    });
    const { folder, read } = folderOf({
      'lines.ndjson': `${many}\n${JSON.stringify(theirs)}\nnot JSON zebrabaker\n${JSON.stringify(other)}`,
      'list.json': JSON.stringify([theirs, other]),
      'rows.csv': 'zebrabaker,text\r\nother,"a\nb"\r\nx,"c\nby @zebrabaker"\r\nlast,d\r\n',
      'sub/rows.tsv': 'a\tb\nzebrabaker\t1\nzebrabakers\t2\n',
      'untouched.ndjson': `${JSON.stringify(other)}\n`,
    });
    const before = statSync(path.join(folder, 'untouched.ndjson')).mtimeMs;
    const receipt = await forgetInFiles([folder], traces);
    assert.deepEqual(
      Object.fromEntries(receipt.map(({ place, removed }) => [path.basename(place), removed])),
      { 'lines.ndjson': 3, 'list.json': 1, 'rows.csv': 1, 'rows.tsv': 1 },
    );
    const rest = { input: { id: '1' }, data: [other], sources: [{ id: 'b' }] };
    assert.equal(read('lines.ndjson'), `${JSON.stringify(rest)}\n${JSON.stringify(other)}\n`);
    assert.deepEqual(JSON.parse(read('list.json')), [other]);
    assert.equal(read('rows.csv'), 'zebrabaker,text\r\nother,"a\nb"\r\nlast,d\r\n', 'a heading stays');
    assert.equal(read('sub/rows.tsv'), 'a\tb\nzebrabakers\t2\n');
    assert.equal(statSync(path.join(folder, 'untouched.ndjson')).mtimeMs, before);
    assert.deepEqual(await forgetInFiles([folder], traces), [], 'again there is nothing');
    assert.ok(readdirSync(folder).every((name) => !name.endsWith('.forget')));
  });

  test('takes no row of others out of tables that write their quotes in other ways', async () => {
    const open = 'name,note\n"never closed,1\nzebrabaker,2\nlast,"3"\n';
    const { folder, read } = folderOf({
      'inches.tsv': 'name\tnote\nother\t5" pipe\nzebrabaker\tb\nlast\t"c""\n d"\n',
      'nobody.csv': 'name,note\n"never closed,1\nlast,2\n',
      'open.csv': open,
    });
    const receipt = await forgetInFiles([folder], traces);
    assert.deepEqual(
      receipt.map(({ place, removed }) => [path.basename(place), removed]),
      [
        ['inches.tsv', 1],
        ['open.csv', null],
      ],
    );
    assert.equal(read('inches.tsv'), 'name\tnote\nother\t5" pipe\nlast\t"c""\n d"\n');
    assert.equal(read('open.csv'), open, 'nobody can tell its rows apart');
    assert.ok(readdirSync(folder).every((name) => !name.endsWith('.forget')));
  });

  test('names a file that is no database, and one too large to be searched, and goes on', async () => {
    const { folder, read } = folderOf({
      'Thumbs.db': 'pictures of a folder',
      'dump.sql': 'x',
      'lines.ndjson': `${JSON.stringify(theirs)}\n`,
    });
    truncateSync(path.join(folder, 'dump.sql'), 256 * 1024 * 1024 + 1);
    const receipt = await forgetInFiles([folder], traces);
    const rows = Object.fromEntries(
      receipt.map(({ place, removed, note }) => [path.basename(place), [removed, note]]),
    );
    assert.deepEqual(Object.keys(rows).sort(), ['Thumbs.db', 'dump.sql', 'lines.ndjson']);
    assert.match(String(rows['Thumbs.db']), /it is no SQLite database.*It stays as it was/);
    assert.match(String(rows['dump.sql']), /larger than 256 MB, and was not searched/);
    assert.equal(read('lines.ndjson'), '');
  });

  test('changes nothing where one of the files is not there: no receipt would tell of it', async () => {
    const text = `${JSON.stringify(theirs)}\n`;
    const { folder, read } = folderOf({ 'lines.ndjson': text });
    const named = ['lines.ndjson', 'absent.csv'].map((name) => path.join(folder, name));
    await assert.rejects(forgetInFiles(named, traces), { code: 'invalid_parameter' });
    assert.equal(read('lines.ndjson'), text);
  });

  test('names a JSON file that cannot be read, and goes on', async () => {
    const { folder, read } = folderOf({
      'a.json': '{ // zebrabaker\n}',
      'b.ndjson': `${JSON.stringify(theirs)}\n`,
    });
    const receipt = await forgetInFiles([folder], traces);
    assert.deepEqual(
      receipt.map(({ place, removed }) => [path.basename(place), removed]),
      [
        ['a.json', null],
        ['b.ndjson', 1],
      ],
    );
    assert.equal(read('a.json'), '{ // zebrabaker\n}');
  });

  test('takes pages and media out with their files', async () => {
    const line = (file: string, more: object = {}) => `${JSON.stringify({ file, ...more })}\n`;
    const { folder } = folderOf({
      'pages/pages.ndjson':
        line('page-1.html') + line('page-2.html') + line('page-3.html', { url: 'https://x/@zebrabaker' }),
      'pages/page-1.html': '<p>by zebrabaker</p>',
      'pages/page-2.html': '<p>by other</p>',
      'pages/page-3.html': '<p>nobody</p>',
      'media/manifest.ndjson':
        line('a.jpg', { author: 'zebrabaker' }) + line('b.jpg', { author: 'other' }) + line('a2.jpg'),
      'media/a.jpg': 'x',
      'media/b.jpg': 'x',
      'media/a2.jpg': 'x',
    });
    await forgetInFiles([folder], traces);
    const left = (name: string) => readdirSync(path.join(folder, name)).sort();
    assert.deepEqual(left('pages'), ['page-2.html', 'pages.ndjson']);
    assert.deepEqual(left('media'), ['a2.jpg', 'b.jpg', 'manifest.ndjson']);
  });

  test('takes rows out of an SQLite file, and leaves nothing of them in it', async () => {
    const Sqlite = await loadDriver();
    const file = path.join(temporaryFolder(), 'results.sqlite');
    const db = new Sqlite(file);
    db.exec(`CREATE TABLE comments (id TEXT, username TEXT); CREATE TABLE keyed (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO comments VALUES ('1', 'zebrabaker'), ('2', 'other'); INSERT INTO keyed VALUES ('x', 'zebrabaker'), ('x', 'y')`);
    db.close();
    const [row] = await forgetInFiles([file], traces);
    assert.equal(row?.removed, 2);
    assert.doesNotMatch(readFileSync(file, 'latin1'), word);
    const after = new Sqlite(file);
    assert.deepEqual(after.prepare('SELECT id FROM comments').all(), [{ id: '2' }]);
    after.close();
  });

  test('writes an archive anew, and finishes what a killed run left of one', async () => {
    const { folder } = folderOf({ 'left.txt': '' });
    const exchange: ArchivedExchange = {
      by: 'network',
      ...{
        at: 0,
        url: 'https://www.example.com/@zebrabaker',
        method: 'GET',
        requestHeaders: {},
        requestBody: null,
      },
      ...{ status: 200, headers: {}, body: Buffer.from('') },
    };
    for (const name of ['run', 'killed']) {
      const archive = await ArchiveWriter.open(path.join(folder, `${name}.wacz`), systemClock);
      await archive.addExchange(exchange);
      if (name === 'killed')
        copyFileSync(path.join(folder, 'killed.wacz.warc.gz'), path.join(folder, 'left'));
      await archive.close();
    }
    rmSync(path.join(folder, 'killed.wacz'));
    renameSync(path.join(folder, 'left'), path.join(folder, 'killed.wacz.warc.gz'));
    const receipt = await forgetInFiles([folder], traces);
    assert.deepEqual(
      receipt.map(({ place, removed }) => [path.basename(place), removed]),
      [
        ['killed.wacz', 2],
        ['run.wacz', 2],
      ],
    );
    assert.deepEqual(await forgetInFiles([folder], traces), []);
  });

  test('says which files it cannot write anew', async () => {
    const { folder } = folderOf({
      'run.wacz': 'PK',
      'table.xlsx': 'PK',
      'notes.md': 'of zebrabaker',
      'other.md': 'of nobody',
    });
    const receipt = await forgetInFiles([folder], traces);
    assert.deepEqual(
      receipt.map(({ place, removed }) => [path.basename(place), removed]),
      [
        ['notes.md', null],
        ['run.wacz', null],
        ['table.xlsx', null],
      ],
    );
    assert.ok(existsSync(path.join(folder, 'notes.md')), 'nothing is deleted unasked');
    assert.equal(
      (await refusalOf(forgetInFiles([path.join(folder, 'no')], traces))).code,
      'invalid_parameter',
    );
  });
});
